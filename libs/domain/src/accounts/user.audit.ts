import type { UserRow } from '@app/persistence/accounts/user.repository';
import type { AuditedAct } from '../audit/audit.service';
import { SECRET_CHANGED, type AuditedThing } from '../audit/audited.thing';

export const AUDITED_USER: AuditedThing<UserRow> = {
  type: 'user',
  subjectOf: ({ account_id: accountId, id, name }) => ({ accountId, id, name }),
  shown: [
    ...(['email', 'name', 'role', 'assistant_ids', 'locale'] as const),
    ...(['disabled_at', 'second_factor_enabled_at'] as const),
  ],
};

/** A person, as the subject of an entry. */
export type AuditedPerson = Pick<UserRow, 'account_id' | 'id' | 'name'>;

export const ofPerson = ({ account_id: accountId, id, name }: AuditedPerson): AuditedAct['subject'] => ({
  type: AUDITED_USER.type,
  ...{ accountId, id, name },
});

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
