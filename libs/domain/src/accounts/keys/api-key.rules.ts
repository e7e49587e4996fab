import type { FieldViolation } from '@app/contracts/coded.errors';
import { isoOrNull } from '@app/contracts/values/iso-time';
import type { ApiKeyRow } from '@app/persistence/accounts/keys/api-key.repository';
import type { Scope } from '../access-table';

/** The fields of a key that depend on each other. */
export interface KeyReach {
  /** Null for an admin key, which belongs to no account. */
  accountId: string | null;
  scopes: readonly Scope[];
  botIds: readonly string[];
  assistantIds: readonly string[];
}

/** Violations of a new key. An admin key has no account, agents or bots; any other key has an account. */
export function violationsOfReach({ accountId, scopes, botIds, assistantIds }: KeyReach): FieldViolation[] {
  if (!scopes.includes('admin')) {
    return accountId === null
      ? [{ path: 'account_id', message: 'is required unless the scope is admin' }]
      : [];
  }
  const violations: FieldViolation[] = [];
  if (scopes.length > 1) violations.push({ path: 'scopes', message: "'admin' stands alone" });
  if (accountId !== null) {
    violations.push({ path: 'account_id', message: 'must be absent: an admin key belongs to no account' });
  }
  if (botIds.length > 0) {
    violations.push({ path: 'bot_ids', message: 'must be absent or empty for an admin key' });
  }
  if (assistantIds.length > 0) {
    violations.push({ path: 'assistant_ids', message: 'must be absent or empty for an admin key' });
  }
  return violations;
}

/** Violations of a changed key. Its account cannot change, so its scopes are what is wrong. */
export function violationsOfChangedReach(reach: KeyReach): FieldViolation[] {
  return violationsOfReach(reach).map((violation) =>
    violation.path === 'account_id'
      ? { path: 'scopes', message: 'an admin key stays one, and no other key becomes one: issue another' }
      : violation,
  );
}

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
