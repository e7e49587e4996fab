import { ProviderRefusalError } from './message.errors';

/** What a caller is told of what it sent, as it is kept for a call that comes again. */
export type StoredAnswer<Data extends object> =
  | { data: Data }
  | { refusal: { code: 'PROVIDER_ERROR' | 'BILLING_ERROR'; message: string; response: unknown } };

/**
 * What is told of success.
 * @throws ProviderRefusalError where there was none.
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
