/** Messenger channels, as requests name them; leads, threads and cards name them in upper case. */
export const CHANNELS = ['waba_coexistence', 'waba'] as const;

export type Channel = (typeof CHANNELS)[number];

/** Who wrote a message: the agent, the customer, a person of ours, or the service for an integrator. */
export const MESSAGE_ROLES = ['AI', 'USER', 'OPERATOR', 'SYSTEM'] as const;

export type MessageRole = (typeof MESSAGE_ROLES)[number];

/**
 * Where a message is on its way. A customer's is `received`. Ours: `queued`, `sending`, then what became of it;
 * `unknown` is a request whose answer was lost, and `dropped` a part of a reply that was never handed over.
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

/** A message as get-message, get-messages and boards show it. */
export interface Message {
  id: string;
  /** The provider's identifier; null until it gave one. */
  message_id: string | null;
  thread_id: string;
  role: MessageRole;
  /** `text`, `template`, `image`, … */
  type: string;
  text: string;
  status: MessageStatus;
  error: MessageError | null;
  created_at: string;
  /** A customer's own time of writing; of ours when the provider took it, null until then. */
  sent_at: string | null;
}

/** What is wrong on the side of the provider. */
export type ProviderErrorCode = 'PROVIDER_ERROR' | 'BILLING_ERROR';

/** Why a message was not sent; DUPLICATE for one that repeats an earlier one of its batch. */
export const MESSAGE_ERROR_CODES = ['PROVIDER_ERROR', 'BILLING_ERROR', 'DUPLICATE'] as const;

export interface MessageError {
  code: (typeof MESSAGE_ERROR_CODES)[number];
  message: string;
  /** The provider's own number for it, where it has one. */
  provider_code: number | null;
}

/** What a provider says of a message that it did not take. */
export interface ProviderErrorText extends MessageError {
  code: ProviderErrorCode;
}
