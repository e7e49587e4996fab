import { ProviderRefusalError } from '../dialog/message.errors';

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
