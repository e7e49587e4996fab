import type { Assignee } from './lead.words';
import type { Media } from './media.words';
import type { MessageContent, Referral, MessageLines } from './message-content';

/** Messenger channels, as requests name them; leads, threads and cards name them in upper case. */
export const CHANNELS = ['waba_coexistence', 'waba'] as const;

export type Channel = (typeof CHANNELS)[number];

/** The channels whose provider can be asked for the messenger's own request for a phone. */
export const CHANNELS_THAT_REQUEST_PHONES: readonly Channel[] = ['waba_coexistence'];

/** Longest text above the messenger's button that asks for a phone (Meta: Interactive messages). */
export const PHONE_REQUEST_LENGTH_MAX = 1_024;

/** Who wrote a message: the agent, the customer, an operator, or the service for an integrator. */
export const MESSAGE_ROLES = ['AI', 'USER', 'OPERATOR', 'SYSTEM'] as const;

export type MessageRole = (typeof MESSAGE_ROLES)[number];

/** A message for colleagues. It is never sent, and no model gets it. */
export const NOTE = 'note';

/** Kinds of customers' messages that tell of another message, the number or the conversation. Nobody has to read them. */
export const QUIET_TYPES = ['reaction', 'system', 'edit', 'revoke'] as const;

/**
 * The state of a message. A customer's is `received`, and so is a note. One of ours is `queued`, then `sending`, then has its outcome.
 * `unknown` means that the provider's answer was lost; `dropped` is a part of a reply that was never handed to the
 * provider.
 */
export const MESSAGE_STATUSES = [
  'received',
  'queued',
  'sending',
  'unknown',
  'sent',
  'failed',
  'delivered',
  'read',
  'dropped',
] as const;

export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

/** The template that a list was sent with. `template_id` is as callers name it; null: it is not registered. */
export interface SentTemplate {
  template_id: string | null;
  name: string;
  language: string;
}

/** A message as get-message, get-messages and boards show it. */
export interface Message {
  id: string;
  /** The provider's identifier; null until the provider has given one. */
  message_id: string | null;
  thread_id: string;
  role: MessageRole;
  /** `text`, `template`, `image`, … */
  type: string;
  text: string;
  status: MessageStatus;
  error: MessageError | null;
  created_at: string;
  /** When a customer wrote it. For a message of ours: when the provider accepted it, null until then. */
  sent_at: string | null;
  /** The person of the account who wrote it; null: a customer, the agent, a scenario, another system, or somebody in the phone's app. */
  author: Assignee | null;
  /** Null: it has no file. */
  media: Media | null;
  /** What it has besides its text; null for plain text. */
  content: MessageContent | null;
  /** The message of the dialog that its writer quotes; null where there is none, or we do not have it. */
  quoted: QuotedMessage | null;
  /** The ad by which the customer came; null: by none. */
  referral: Referral | null;
  /** How the messenger charges one of ours; null: it has not said so, or the message is a customer's. */
  pricing: Pricing | null;
  /** When its writer changed it; null: never. */
  edited_at: string | null;
  /** When its writer deleted it: it has neither text nor content any more; null: it is there. */
  deleted_at: string | null;
}

/** How a messenger charges a message, in its own words. What it does not name is null. */
export interface Pricing {
  billable: boolean | null;
  /** `marketing`, `utility`, `authentication`, `service`, … */
  category: string | null;
  /** `regular`, `free_customer_service`, `free_entry_point`. */
  type: string | null;
  /** `PMP`: by the message. */
  model: string | null;
}

export interface QuotedMessage {
  id: string;
  role: MessageRole;
  /** Its first 200 characters; of a message without words what it is, in English. */
  text: string;
  /** Only of a message without words: what it is, in each language. */
  lines?: MessageLines;
}

/** Problems on the provider's side. */
type ProviderErrorCode = 'PROVIDER_ERROR' | 'BILLING_ERROR';

/** Why a message was not sent. DUPLICATE: it repeats an earlier one of its batch. */
export const MESSAGE_ERROR_CODES = ['PROVIDER_ERROR', 'BILLING_ERROR', 'DUPLICATE'] as const;

export interface MessageError {
  code: (typeof MESSAGE_ERROR_CODES)[number];
  message: string;
  /** The provider's number for it, where there is one. */
  provider_code: number | null;
}

/** What a provider answers about a message that it did not accept. */
export interface ProviderErrorText extends MessageError {
  code: ProviderErrorCode;
}

/**
 * Why a number sends nothing until a person has seen to it. CREDENTIAL: the provider does not accept what we sign in with, or it
 * lacks a permission. BILLING_ERROR: the provider is not paid. RESTRICTED: the provider limits the account or the number.
 * STOPPED: the provider has reported that the number is closed.
 */
const TROUBLE_CODES = ['CREDENTIAL', 'BILLING_ERROR', 'RESTRICTED', 'STOPPED'] as const;

export type TroubleCode = (typeof TROUBLE_CODES)[number];

/** What is told of numbers. NOTICE: the provider reports something that people should see; the number sends on. */
export const TOLD_TROUBLES = [...TROUBLE_CODES, 'NOTICE'] as const;
