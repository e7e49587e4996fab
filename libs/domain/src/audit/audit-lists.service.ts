import type { Actor } from '@app/contracts/lead.words';
import { formatThreadId, bareIdOf, isUuid } from '@app/contracts/uuid.format';
import type { TimedPosition } from '@app/contracts/values/list-position.format';
import type { AuditedFields } from '@app/persistence/audit/audit-entry.entity';
import {
  type AuditEntryRow,
  AuditRepository,
  type AuditFilter,
} from '@app/persistence/audit/audit.repository';
import { Injectable } from '@nestjs/common';
import { reachOf, type Principal } from '../accounts/principal.rules';

/** An entry as admins read it. */
interface AuditEntry {
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

function presentEntry(row: AuditEntryRow): AuditEntry {
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

interface AuditPage {
  entries: AuditEntry[];
  nextAfter: TimedPosition | null;
}

/** The audit for reading. An admin reads the entries of the own account, an admin key those of all and of none. */
@Injectable()
export class AuditLists {
  constructor(private readonly entries: AuditRepository) {}

  /** The newest first. Entries of an account that does not exist are none. */
  async list(
    by: Principal,
    filter: AuditFilter,
    after: TimedPosition | null,
    limit: number,
  ): Promise<AuditPage> {
    const { accountId: own } = reachOf(by);
    const accountId = filter.accountId?.toLowerCase() ?? own;
    const isWithin = accountId === null || (isUuid(accountId) && (own === null || accountId === own));
    if (!isWithin) return { entries: [], nextAfter: null };
    const subjectId = filter.subjectId && bareIdOf(filter.subjectId);
    const rows = await this.entries.page({ ...filter, accountId, subjectId }, after, limit + 1);
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return {
      entries: page.map(presentEntry),
      nextAfter: rows.length > limit && last ? { at: last.precise_at, id: last.id } : null,
    };
  }
}
