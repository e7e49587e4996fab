import type { Actor } from '@app/contracts/lead.words';
import type { TimedPosition } from '@app/contracts/values/list-position.format';
import { NIL_ID } from '@app/contracts/uuid.format';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database, Transaction } from '../database/database.service';
import { preciseTime, preciseTimeOf, statement, purgeOf } from '../database/sql.statements';
import type { OrNull } from '../database/row-types';
import { AuditEntryEntity, type AuditedFields } from './audit-entry.entity';

/** An entry to append. */
export interface NewAuditEntry {
  /** Null: it belongs to no account. */
  accountId: string | null;
  id: string;
  /** Null: the service itself, or somebody who was not recognised. */
  actor: Actor | null;
  action: string;
  subject: { type: string; id: string | null; name: string | null };
  before: AuditedFields | null;
  after: AuditedFields | null;
  requestId: string | null;
  ip: string | null;
}

/**
 * Says what the audit keeps of a change; null: nothing changed, and nothing is kept. A repository that changes a thing
 * takes one of these, calls it in the transaction of the change and appends what it returns.
 */
export type AuditEntryOf<Change> = (change: Change) => NewAuditEntry | null;

/** A thing before and after its change; null where there was none, or is none. */
export interface Changed<Row> {
  before: Row | null;
  after: Row | null;
}

export type AuditEntryRow = Omit<AuditEntryEntity, 'account_id'> &
  OrNull<Pick<AuditEntryEntity, 'account_id'>> & {
    /** `at` in full precision. */
    precise_at: string;
  };

export interface AuditFilter {
  accountId: string | null;
  actorId: string | null;
  action: string | null;
  subjectId: string | null;
  /** Entries from this moment on. */
  after: Date | null;
  /** Entries before this moment. */
  before: Date | null;
}

const COLUMNS =
  'account_id, id, actor_type, actor_id, actor_name, action, subject_type, subject_id, subject_name, before, after, request_id, ip';

/** Appends an entry within another statement, where a condition holds. @param row a parameter: {@link auditRowOf} as JSON */
export const appendEntry = (row: string, where = 'true'): string => `
  INSERT INTO audit_entries (${COLUMNS})
  SELECT ${COLUMNS} FROM jsonb_populate_record(NULL::audit_entries, ${row}::jsonb) WHERE ${where}`;

const APPEND = statement('audit-append').takes('row').returns(appendEntry(':row'));

const PAGE = statement('audit-page').takes(
  'accountId',
  'actorId',
  'action',
  'subjectId',
  'after',
  'before',
  'cursorAt',
  'cursorId',
  'limit',
).returns<AuditEntryRow>(`
  SELECT nullif(account_id, '${NIL_ID}') AS account_id, id, at, actor_type, actor_id, actor_name, action, subject_type,
         subject_id, subject_name, before, after, request_id, ip, ${preciseTime('at')} AS precise_at
    FROM audit_entries
   WHERE (:accountId::uuid IS NULL OR account_id = :accountId) AND (:actorId::text IS NULL OR actor_id = :actorId)
     AND (:action::text IS NULL OR action = :action) AND (:subjectId::text IS NULL OR subject_id = :subjectId)
     AND (:after::timestamptz IS NULL OR at >= :after) AND (:before::timestamptz IS NULL OR at < :before)
     AND (:cursorAt::text IS NULL OR (at, id) < (${preciseTimeOf(':cursorAt')}, :cursorId::uuid))
   ORDER BY at DESC, id DESC LIMIT :limit`);

const PURGE = statement('audit-purge')
  .takes('limit')
  .returns(purgeOf('audit_entries', { where: `o.at < now() - interval '2 years'`, by: 'at' }));

/** Lists of all accounts form one group. */
const ADMINS = 'audit';

/** Whoever was not recognised takes no slot of an account, and waits as long for one that exists as for one that does not. */
const STRANGERS = 'audit of strangers';
const ownerOf = ({ actor, accountId }: NewAuditEntry): string => (actor ? (accountId ?? ADMINS) : STRANGERS);

export const auditRowOf = ({ actor, subject, ...entry }: NewAuditEntry): Omit<AuditEntryEntity, 'at'> => ({
  ...{ account_id: entry.accountId ?? NIL_ID, id: entry.id, action: entry.action },
  ...{ actor_type: actor?.type ?? null, actor_id: actor?.id ?? null, actor_name: actor?.name ?? null },
  ...{ subject_type: subject.type, subject_id: subject.id, subject_name: subject.name },
  ...{ before: entry.before, after: entry.after, request_id: entry.requestId, ip: entry.ip },
});

/** The audit: entries are appended and read. The database refuses to change them. */
@Injectable()
export class AuditRepository {
  constructor(private readonly database: Database) {}

  /** Appends an entry in a transaction that is under way; none for null. */
  async append(within: EntityManager | Transaction, entry: NewAuditEntry | null): Promise<void> {
    if (!entry) return;
    if (within instanceof Transaction) await within.run(APPEND, { row: JSON.stringify(auditRowOf(entry)) });
    else await within.insert(AuditEntryEntity, auditRowOf(entry));
  }

  /** Appends the entry of what changed nothing, such as a refusal. */
  async appendAlone(entry: NewAuditEntry): Promise<void> {
    await this.database.runFor(ownerOf(entry), APPEND, { row: JSON.stringify(auditRowOf(entry)) });
  }

  /** The newest first. */
  async page(filter: AuditFilter, after: TimedPosition | null, limit: number): Promise<AuditEntryRow[]> {
    const cursor = { cursorAt: after?.at ?? null, cursorId: after?.id ?? null };
    return this.database.runPlanned(filter.accountId ?? ADMINS, PAGE, { ...filter, ...cursor, limit });
  }

  /** Deletes entries older than two years, a bounded number at once. @returns how many. */
  async purge(limit: number): Promise<number> {
    return (await this.database.run(PURGE, { limit })).length;
  }
}
