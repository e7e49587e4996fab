import { isoOrNull } from '@app/contracts/values/iso-time';
import type { UserRow } from '@app/persistence/accounts/people/user.repository';
import type { Role } from '../access-table';

/** A person as admins and sign-in show it. */
export interface User {
  id: string;
  account_id: string;
  email: string;
  name: string;
  role: Role;
  assistant_ids: string[] | null;
  locale: 'ru' | 'en';
  disabled: boolean;
  second_factor: boolean;
  created_at: string;
  last_seen_at: string | null;
}

export function presentUser(row: UserRow): User {
  const { id, account_id, email, name, role, assistant_ids, locale } = row;
  return {
    ...{ id, account_id, email, name, role, assistant_ids, locale },
    disabled: row.disabled_at !== null,
    second_factor: row.second_factor_enabled_at !== null,
    created_at: row.created_at.toISOString(),
    last_seen_at: isoOrNull(row.last_seen_at),
  };
}
