import type { Actor } from '@app/contracts/lead.words';
import { formatThreadId } from '@app/contracts/uuid.format';
import type { AuditedFields } from '@app/persistence/audit/audit-entry.entity';
import type { AuditEntryRow } from '@app/persistence/audit/audit.repository';

/** An entry as admins read it. */
export interface AuditEntry {
  id: string;
  at: string;
  /** Null: it belongs to no account. */
  account_id: string | null;
  /** Null: the service itself, or somebody who was not recognised. */
  actor: Actor | null;
  action: string;
  subject: { type: string; id: string | null; name: string | null };
  before: AuditedFields | null;
  after: AuditedFields | null;
  request_id: string | null;
  ip: string | null;
}

export function presentEntry(row: AuditEntryRow): AuditEntry {
  const { id, account_id, action, before, after, request_id, ip } = row;
  const { actor_type: type, actor_id: actorId, actor_name: name } = row;
  return {
    ...{ id, at: row.at.toISOString(), account_id },
    actor: type === null || actorId === null ? null : { type, id: actorId, name: name ?? '' },
    action,
    subject: { type: row.subject_type, id: shownIdOf(row), name: row.subject_name },
    ...{ before, after, request_id, ip },
  };
}

/** Dialogs are stored by their bare ids, as in every table. */
function shownIdOf({ subject_type: type, subject_id: id }: AuditEntryRow): string | null {
  return type === 'thread' && id !== null ? formatThreadId(id) : id;
}
