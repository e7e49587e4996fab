/** A key that is neither revoked nor expired, as its calls and its open sockets need to know it. */
export interface LivingKey {
  id: string;
  name: string;
  /** Null for an admin key. */
  account_id: string | null;
  scopes: string[];
  bot_ids: string[];
  assistant_ids: string[];
}

/** The columns of {@link LivingKey}, of `api_keys k`. */
export const LIVING_KEY_COLUMNS = 'k.id, k.name, k.account_id, k.scopes, k.bot_ids, k.assistant_ids';

/** Whether `api_keys k` is one. */
export const IS_LIVING_KEY =
  'k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > clock_timestamp())';
