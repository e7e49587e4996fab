import type { ApiKeyEntity } from './api-key.entity';

/** A key that is neither revoked nor expired, as its calls and its open sockets need it. */
export type ActiveKey = Pick<
  ApiKeyEntity,
  'id' | 'name' | 'account_id' | 'scopes' | 'bot_ids' | 'assistant_ids'
>;

/** The columns of {@link ActiveKey}, of `api_keys k`. */
export const ACTIVE_KEY_COLUMNS = 'k.id, k.name, k.account_id, k.scopes, k.bot_ids, k.assistant_ids';

/** Whether `api_keys k` is one. */
export const IS_ACTIVE_KEY =
  'k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > clock_timestamp())';

/** A key has one secret, and for a while after a rotation the one before it too. */
export type Secret = 'present' | 'old';

/** Whether a hash, an expression, is that of a good secret of `api_keys k`. */
export const SECRET_IS: Record<Secret, (hash: string) => string> = {
  present: (hash) => `k.key_hash = ${hash}`,
  old: (hash) => `k.old_key_hash = ${hash} AND k.old_key_expires_at > clock_timestamp()`,
};
