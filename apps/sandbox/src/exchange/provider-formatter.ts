import type { Answer } from '../http/json.answer';
import type { Refusal } from '../magic/magic-acts';
import type { SandboxNumber } from '../sandbox-options';
import type { Chat, ChatMessage, MessageState, SentMessage, ShownContent } from '../chats/chat.words';
import type { FileKind } from '../files/file-kinds';
import type { StoredFile } from '../files/file.store';

/** A request to send, once its provider has read it. */
export interface SendRequest {
  number: SandboxNumber;
  /** With its plus. */
  phone: string;
  /** The recipient as the caller named it. */
  input: string;
  /** Whether the caller named the recipient by user id. */
  byUserId: boolean;
  type: string;
  content: ShownContent;
  /** Null: free-form. */
  template: { name: string; category: string } | null;
  reference: string | null;
  replyTo: string | null;
  /** The number of an error that the provider finds only after it has accepted the message. */
  laterFailure: number | null;
  /** The address from which the provider fetches the file after it has accepted the message. */
  fileUrl?: string;
  fileName?: string | null;
}

/** The reported state, and the error with `failed`. */
export interface ReportedState {
  state: Exclude<MessageState, 'accepted'> | 'enqueued';
  code: number | null;
}

/** How one provider answers requests and reports events. Reporting never fails, because webhooks are repeated. */
export interface ProviderFormatter {
  /** The provider's id, where it has one besides WhatsApp's. */
  newProviderId(): string | null;
  accepted(sent: SentMessage, request: SendRequest): Answer;
  /** An answer that looks like success but has no message id. */
  acceptedWithoutId(): Answer;
  refused(refusal: Refusal): Answer;
  reportState(sent: SentMessage, reported: ReportedState): void;
  /** Resolves when the receiver has acknowledged it, or has not done so for long. */
  reportStateNow(sent: SentMessage, reported: ReportedState): Promise<void>;
  reportMessage(chat: Chat, message: ChatMessage, inbound: InboundDetails): void;
  reportPreference(chat: Chat, value: 'stop' | 'resume'): void;
}

/** What a customer's message has besides its text. */
export interface InboundDetails {
  /** The message names its sender by user id only. */
  withoutPhone?: boolean;
  button?: { text: string; payload: string; ofTemplate: boolean };
  /** The customer has shared the own phone, by the button of a request. */
  sharesPhone?: boolean;
  location?: { latitude: number; longitude: number; name?: string; address?: string };
  reaction?: { message: ChatMessage; emoji: string };
  file?: InboundFile;
  /** Anything else, as the provider has it. */
  payload?: Record<string, unknown>;
}

export interface InboundFile {
  kind: FileKind;
  caption: string;
  file: StoredFile;
}
