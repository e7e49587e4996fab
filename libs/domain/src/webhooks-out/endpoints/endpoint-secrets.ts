import type { WebhookEndpointEntity } from '@app/persistence/webhooks-out/webhook-endpoint.entity';
import type { SecretCipher } from '../../accounts/secret-cipher.port';
import { failedAtOnce } from '../sending/delivery-outcome';

/** What comes of a request while the secret was sealed with another key. */
export const SEALED = failedAtOnce('secret');

/** An endpoint's secrets as they are kept. */
export type SealedSecrets = Pick<
  WebhookEndpointEntity,
  'account_id' | 'id' | 'key_id' | 'secret' | 'former_key_id' | 'former_secret'
>;

/** Whose the secret is: it cannot be opened for another endpoint. */
export const secretBoundTo = ({ account_id, id }: Pick<SealedSecrets, 'account_id' | 'id'>): string =>
  `${account_id}/webhook_endpoint/${id}/secret`;

/**
 * The secrets that sign, the present one first. A former one that was sealed with another key signs no more: rotating is what
 * helps then.
 * @param formerCounts whether the former one still signs, by the database's clock
 * @throws Error when the present one was sealed with another key
 */
export function openSecrets(cipher: SecretCipher, sealed: SealedSecrets, formerCounts: boolean): string[] {
  const bound = secretBoundTo(sealed);
  const { key_id, secret, former_key_id, former_secret } = sealed;
  const present = cipher.open(key_id, secret, bound);
  if (!formerCounts || former_key_id === null || former_secret === null) return [present];
  try {
    return [present, cipher.open(former_key_id, former_secret, bound)];
  } catch {
    return [present];
  }
}
