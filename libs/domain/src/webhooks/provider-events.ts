import type { TroubleCode, MessageError, Pricing } from '@app/contracts/message.words';
import type { TemplateQuality, TemplateStatus } from '@app/contracts/template.words';

/** How a provider names a customer. At least one of `phone` and `userId` is given. */
export interface ContactAddress {
  /** With the plus, digits only behind it. */
  phone: string | null;
  /** The business-scoped user id. */
  userId: string | null;
  /** The digits by which WhatsApp knows the number; it may differ from what was dialled. */
  waId: string | null;
  name: string | null;
  /** Shown by the messenger in place of the number; absent where none is told. */
  username?: string | null;
}

/**
 * The number that the event is about: Cloud API's phone_number_id, or the source number or app of Gupshup; null: the
 * webhook's address says.
 */
export type NumberOfOurs = string | null;

/** The text and content of a message, whatever the provider calls them. */
export interface MessageBody {
  /** `text`, `image`, `video`, `audio`, `document`, `sticker`, `location`, `contacts`, `button`, `interactive`, `reaction`, `order`, `call`, `system`, `edit`, `revoke`, `unsupported`. */
  type: string;
  /** What people read: the text, a caption, or the label of the pressed button; else empty. */
  text: string;
  /**
   * Everything else, small and without NUL or lone surrogates: media reference, payload, location, the message it
   * replies to, …
   */
  content: Record<string, unknown>;
  /** Words that may mean STOP or START: the text, a button's payload and label, a list reply's id and title. */
  words: readonly string[];
}

/** The states that a provider reports of a message of ours. `accepted` is Gupshup's `enqueued`. */
export type ReportedState = 'accepted' | 'sent' | 'delivered' | 'read' | 'failed';

/** The phone that a customer shared when the business asked for it. */
export interface SharedPhone {
  phone: string;
  /** As the messenger writes it, where it says so. */
  waId: string | null;
}

export interface CustomerMessage {
  kind: 'message';
  number: NumberOfOurs;
  from: ContactAddress;
  messageId: string;
  /** The customer's time; null where it cannot be read. */
  sentAt: Date | null;
  body: MessageBody;
  shared?: SharedPhone;
  /** Another AI on the number conducts its dialog: it came to us to be known. */
  standby?: boolean;
}

/** What an operator wrote in the phone's app, or another AI on the number (`standby`). */
export interface Echo extends Omit<CustomerMessage, 'kind' | 'from'> {
  kind: 'echo';
  to: ContactAddress;
}

/** An older message, from before the number was connected. It has no effects. */
export interface PastMessage extends Omit<CustomerMessage, 'kind' | 'from'> {
  kind: 'past';
  contact: ContactAddress;
  fromCustomer: boolean;
  /** The state of one of our messages. */
  state: Exclude<ReportedState, 'accepted'>;
}

export interface StateReport {
  kind: 'state';
  number: NumberOfOurs;
  state: ReportedState;
  /** The provider's id from the answer to our request; null where the event lacks it. */
  providerId: string | null;
  /** WhatsApp's id, where the provider's differs. */
  whatsappId: string | null;
  /** The reference that we sent along: our id of the message. */
  reference: string | null;
  at: Date | null;
  error: MessageError | null;
  /** The failure says that the customer has told the provider to stop. */
  optedOut: boolean;
  /** The failure says what keeps the number from sending. */
  trouble?: TroubleCode;
  recipient: ContactAddress | null;
  /** How the message is charged, as far as the event names it. */
  pricing?: Partial<Pricing>;
}

/** The provider's opt-out control. */
export interface Preference {
  kind: 'preference';
  number: NumberOfOurs;
  contact: ContactAddress;
  value: 'stop' | 'resume';
  at: Date | null;
}

export interface TemplateReport {
  kind: 'template';
  /** The provider's id of the template, as text. */
  providerId: string;
  name: string;
  language: string | null;
  /** Null: the event does not name it, or the status stays. */
  status: TemplateStatus | null;
  category: string | null;
  quality?: TemplateQuality;
  /** Its content is another one at the provider. */
  isEdited?: boolean;
  reason: string | null;
  at: Date | null;
  /** The provider's business account that it belongs to; null where the event does not say. */
  businessId: string | null;
}

/**
 * A report about the account or the number: `stops` when it can no longer send, `resumes` when it can again, `tells` of
 * something that people should know.
 */
export interface AccountReport {
  kind: 'account';
  number: NumberOfOurs;
  /** The phone to which it is limited, digits; null: to none. */
  phone: string | null;
  businessId: string | null;
  event: string;
  effect: 'stops' | 'resumes' | 'tells' | 'none';
  /** By the provider's clock, in whole seconds; null where it gives no time. */
  at: Date | null;
  /** When the stop ends; null: when a report says so, or a person connects the number again. */
  until: Date | null;
  /** Tells it from other reports of the same event and time. */
  details: string;
}

/** A name from the phone's address book. */
export interface ContactReport {
  kind: 'contact';
  number: NumberOfOurs;
  contact: ContactAddress;
}

/** The customer's new number or user id. */
export interface AddressChange {
  kind: 'address';
  number: NumberOfOurs;
  /** As they were before. */
  from: ContactAddress;
  /** The phone tells whose they were before the user id does, which is the sender's. */
  phoneFirst?: boolean;
  to: { phone: string | null; userId: string | null; waId: string | null };
  messageId: string;
}

/** The messenger gave a dialog to us, or took it from us. */
export interface Handover {
  kind: 'handover';
  number: NumberOfOurs;
  contact: ContactAddress;
  to: 'us' | 'elsewhere';
  at: Date | null;
}

export type ProviderEvent =
  | CustomerMessage
  | Echo
  | PastMessage
  | StateReport
  | Preference
  | TemplateReport
  | AccountReport
  | ContactReport
  | AddressChange
  | Handover;

/** One item of a webhook's body, and the business account that it comes from, where that is what vouches for it. */
export type WebhookItem = { path: string; businessId?: string } & (
  | { event: ProviderEvent }
  /** Understood, and not needed here. */
  | { ignored: string }
  /** Cannot be understood: stored with its text. The number is what it came by, where that is known. */
  | { reason: string; raw: string; number?: NumberOfOurs }
);

/** Splits the body of a webhook into items. Never throws. */
export abstract class WebhookReader {
  abstract read(body: Buffer): WebhookItem[];
}

/** The reader of each provider. */
export abstract class WebhookReaders {
  abstract of(provider: 'cloud' | 'gupshup'): WebhookReader;
}
