import { isoOrNull } from '@app/contracts/values/iso-time';
import type { UserRow } from '@app/persistence/accounts/people/user.repository';
import type { Changed } from '@app/persistence/audit/audit.repository';
import type { AuditedAct } from '../../audit/audit.service';
import { differencesOf, SECRET_CHANGED, type AuditedThing } from '../../audit/audited-thing';
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

/** A person, as the subject of an entry. */
type AuditedPerson = Pick<UserRow, 'account_id' | 'id' | 'name'>;

export const ofPerson = ({ account_id: accountId, id, name }: AuditedPerson): AuditedAct['subject'] => ({
  type: 'user',
  ...{ accountId, id, name },
});

/** As admins see a person. */
const SHOWN_USER: AuditedThing<User> = {
  type: 'user',
  subjectOf: ofPerson,
  shown: ['email', 'name', 'role', 'assistant_ids', 'locale', 'disabled', 'second_factor'],
};

/** What differs of a person; null: nothing. */
export function userAct({ before, after }: Changed<UserRow>): AuditedAct | null {
  const row = after ?? before;
  const change = { before: before && presentUser(before), after: after && presentUser(after) };
  const differences = differencesOf(SHOWN_USER, change);
  return row && differences && { subject: ofPerson(row), ...differences };
}

/** The person as who acts: nobody is recognised yet whose password or link has just proved it. */
export const actingPerson = ({ id, name }: AuditedPerson, call: { requestId?: string; ip?: string }) => ({
  type: 'user' as const,
  ...{ id, name, requestId: call.requestId, ip: call.ip },
});

/** A password by the person's own act, which ends sessions. */
export const passwordSet = (of: AuditedPerson, sessionsEnded: number): AuditedAct => ({
  subject: ofPerson(of),
  after: { password: SECRET_CHANGED, sessions_ended: sessionsEnded },
});
