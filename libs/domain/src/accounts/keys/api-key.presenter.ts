import { isoOrNull } from '@app/contracts/values/iso-time';
import type { ApiKeyRow } from '@app/persistence/accounts/keys/api-key.repository';

/** A key as it may be shown again: everything except the key itself. */
export interface ApiKey {
  id: string;
  account_id: string | null;
  name: string;
  prefix: string;
  scopes: string[];
  bot_ids: string[];
  assistant_ids: string[];
  limit_leads: number | null;
  limit_general: number | null;
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
  last_used_at: string | null;
}

export function presentApiKey(row: ApiKeyRow): ApiKey {
  const { id, account_id, name, prefix, scopes, bot_ids, assistant_ids, limit_leads, limit_general } = row;
  return {
    ...{ id, account_id, name, prefix, scopes, bot_ids, assistant_ids, limit_leads, limit_general },
    created_at: row.created_at.toISOString(),
    expires_at: isoOrNull(row.expires_at),
    revoked_at: isoOrNull(row.revoked_at),
    last_used_at: isoOrNull(row.last_used_at),
  };
}
