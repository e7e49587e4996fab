import type { AccountRow } from '@app/persistence/accounts/account.repository';

/** An account as admins see it. */
export interface Account {
  id: string;
  name: string;
  /** Recipients a calendar month; null is unlimited. */
  monthly_message_quota: number | null;
  quota_used: number;
  quota_reset_at: string;
}

export function presentAccount(row: AccountRow): Account {
  const { id, name, monthly_message_quota, quota_used, quota_reset_at: resetAt } = row;
  return { id, name, monthly_message_quota, quota_used, quota_reset_at: resetAt.toISOString() };
}
