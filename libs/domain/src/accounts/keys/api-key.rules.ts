import type { FieldViolation } from '@app/contracts/coded.errors';
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
