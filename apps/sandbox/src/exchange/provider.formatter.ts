import type { Answer } from '../http/json.answer';
import type { Refusal } from '../magic/magic.acts';
import type { SandboxNumber } from '../sandbox.options';
import type { Chat, ChatMessage, MessageState, SentMessage, ShownContent } from '../chats/chat.words';

/** A request to send that its provider has understood. */
export interface SendRequest {
  number: SandboxNumber;
  /** With its plus. */
  phone: string;
  /** As the caller named the recipient. */
  input: string;
  /** Whether the caller named the recipient by user id. */
  byUserId: boolean;
  type: string;
  content: ShownContent;
  /** Null: free-form. */
  template: { name: string; category: string } | null;
  reference: string | null;
  replyTo: string | null;
  /** What the provider finds out only after it has accepted: the number of the error. */
  laterFailure: number | null;
}

/** The reported state, and the error with `failed`. */
export interface ReportedState {
  state: Exclude<MessageState, 'accepted'> | 'enqueued';
  code: number | null;
}

/** How one provider answers requests and reports events. Reporting never fails: webhooks are repeated. */
export interface ProviderFormatter {
  /** The provider's own id beside WhatsApp's, where it has one. */
  newProviderId(): string | null;
  accepted(sent: SentMessage, request: SendRequest): Answer;
  /** An answer as a success's, but without the message's id. */
  acceptedWithoutId(): Answer;
  refused(refusal: Refusal): Answer;
  reportState(sent: SentMessage, reported: ReportedState): void;
  /** Resolves when the receiver has acknowledged it, or when it did not for long. */
  reportStateNow(sent: SentMessage, reported: ReportedState): Promise<void>;
  reportMessage(chat: Chat, message: ChatMessage, inbound: InboundDetails): void;
  reportPreference(chat: Chat, value: 'stop' | 'resume'): void;
}

/** What a customer's message carries beside its text. */
export interface InboundDetails {
  /** The message says who it is from by user id only. */
  withoutPhone?: boolean;
  button?: { text: string; payload: string; ofTemplate: boolean };
  location?: { latitude: number; longitude: number; name?: string; address?: string };
  reaction?: { message: ChatMessage; emoji: string };
  image?: { caption: string };
}
