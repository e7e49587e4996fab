import { formatThreadId } from '@app/contracts/uuid.format';
import type { StoredOutcome } from '@app/persistence/messages/delivery/outcome.repository';
import type { SentMessageRow } from '@app/persistence/messages/sending/sent-message.repository';
import { ProviderRefusalError } from '../dialog/message.errors';
import { providerResponseOf } from '../dispatch/send-outcome.rules';

/** The answer of a sending call, as it is stored for a repeated call. */
export type StoredAnswer<Data extends object> =
  | { data: Data }
  | { refusal: { code: 'PROVIDER_ERROR' | 'BILLING_ERROR'; message: string; response: unknown } };

/**
 * The data of a successful answer.
 * @throws ProviderRefusalError for a refusal.
 */
export function dataOf<Data extends object>(
  answer: StoredAnswer<Data>,
  {
    retryAfterSeconds,
    replayed,
    providerCode,
  }: { retryAfterSeconds?: number; replayed?: boolean; providerCode?: number | null } = {},
): Data {
  if ('data' in answer) return answer.data;
  const { refusal } = answer;
  const response = { value: refusal.response };
  throw new ProviderRefusalError(refusal, response, retryAfterSeconds, replayed, providerCode);
}

/** The answer to sending to one recipient. */
export interface SentAnswer {
  /** Null where the customer was erased since. */
  message_id: string | null;
  id: string;
  thread_id: string;
  phone: string | null;
  status: 'sent';
}

interface Told {
  id: string;
  thread_id: string;
  recipient: string;
}

/** After the request: the provider's answer to it, whatever webhooks have reported since. */
export function answerOf(
  message: Told,
  { status, providerId, error, response }: StoredOutcome,
): StoredAnswer<SentAnswer> {
  if (status === 'sent') return { data: sent(message, providerId) };
  return {
    refusal: {
      code: error?.code === 'BILLING_ERROR' ? 'BILLING_ERROR' : 'PROVIDER_ERROR',
      message: error?.message ?? '',
      response: providerResponseOf(response),
    },
  };
}

/** When the process that made the request is gone: the present state of the message. */
export function answerOfRow(row: SentMessageRow): StoredAnswer<SentAnswer> {
  if (row.status !== 'failed' && row.status !== 'unknown') return { data: sent(row, row.provider_id) };
  return {
    refusal: {
      code: row.error_code === 'BILLING_ERROR' ? 'BILLING_ERROR' : 'PROVIDER_ERROR',
      message: row.error_message ?? '',
      response: providerResponseOf(row.provider_response),
    },
  };
}

/** Null for a customer without a phone, and where the customer was erased since. */
export const phoneOf = (recipient: string): string | null => (recipient.startsWith('+') ? recipient : null);

const sent = ({ id, thread_id, recipient }: Told, providerId: string | null): SentAnswer => ({
  message_id: providerId,
  id,
  thread_id: formatThreadId(thread_id),
  phone: phoneOf(recipient),
  status: 'sent',
});
