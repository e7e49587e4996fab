import type { SandboxNumber } from '../sandbox-options';

export interface ShownButton {
  type: 'quick_reply' | 'share_contact' | 'url' | 'phone_number' | 'copy_code' | 'other';
  text: string;
  /** The payload, the address with its variable filled in, the phone or the code. */
  value: string | null;
}

/** A file as the phone shows it. */
export interface ShownFile {
  /** Its id in the sandbox. */
  id: string;
  name: string | null;
  mime_type: string;
  size: number;
}

/** What a message looks like on a phone. */
export interface ShownContent {
  header: string | null;
  /** The kind of file that the message carries, such as `image`. */
  media: string | null;
  /** The file, once the phone has it. */
  file: ShownFile | null;
  text: string;
  footer: string | null;
  buttons: readonly ShownButton[];
}

export const plainContent = (
  text: string,
  media: string | null = null,
  file: ShownFile | null = null,
): ShownContent => ({
  header: null,
  media,
  file,
  text,
  footer: null,
  buttons: [],
});

export type MessageState = 'accepted' | 'sent' | 'delivered' | 'read' | 'failed';

export interface ChatMessage {
  /** WhatsApp's id. */
  id: string;
  /** The business through the provider, an operator in the phone's app, or the customer. */
  from: 'business' | 'app' | 'customer';
  /** Milliseconds since 1970. */
  at: number;
  type: string;
  content: ShownContent;
  state: MessageState;
  errorCode: number | null;
  /** The message it answers. */
  replyTo: string | null;
  /** The other side's reaction to it. */
  reaction: string | null;
}

/** A message of the business on its way. */
export interface SentMessage extends ChatMessage {
  chat: Chat;
  /** Gupshup's own id of it. */
  gupshupId: string | null;
  reference: string | null;
  /** What Meta bills it as. */
  category: string;
  /** Whether opening the chat reports the messages as read. */
  readable: boolean;
  /** How often each state is reported. */
  times: 1 | 2;
}

/** What was written between a number of a business and a phone. */
export interface Chat {
  key: string;
  number: SandboxNumber;
  /** With its plus. */
  phone: string;
  /** The business-scoped user id. */
  userId: string;
  name: string | null;
  /** Shown to businesses in the place of the phone; null: none. */
  username: string | null;
  /** The digits by which the messenger knows the phone. Some countries have added some. */
  waId: string;
  messages: ChatMessage[];
  /** When the last message came or went, milliseconds since 1970. */
  lastAt: number;
  /** End of the period in which the business may write freely; milliseconds since 1970. */
  windowUntil: number;
  /** The customer has asked WhatsApp to stop this business's marketing. */
  stopped: boolean;
  /** Another AI on the number conducts it. */
  elsewhere: boolean;
}
