import { randomUUIDv7 } from 'node:crypto';
import type { ErrorCode } from '@app/contracts/error-codes';
import type { AuditedFields } from '@app/persistence/audit/audit-entry.entity';
import {
  AuditRepository,
  type AuditEntryOf,
  type Changed,
  type NewAuditEntry,
} from '@app/persistence/audit/audit.repository';
import { Injectable, Logger } from '@nestjs/common';
import { networkOf } from '../accounts/network.rules';
import { callOf, type Caller, type Principal } from '../accounts/principal.rules';
import type { AuditAction } from './audit-actions';
import { differencesOf, type AuditedSubject, type AuditedThing } from './audited-thing';

const MINUTE_MS = 60_000;
/** Callers that are told apart within a minute. In a flood from more, the others are not kept. */
const CALLERS_MAX = 10_000;

/** Bounds how many refusals are kept in a minute of callers whose calls no rate limit counts, in this process. */
class RefusalLimit {
  private counts = new Map<string, number>();
  private total = 0;
  private endsAt = 0;

  /**
   * @param ofEach of one caller in a minute
   * @param ofAll of all callers together
   */
  constructor(
    private readonly ofEach: number,
    private readonly ofAll = Infinity,
  ) {}

  /** Whether this one may be kept. */
  allows(caller: string): boolean {
    const now = performance.now();
    if (now >= this.endsAt) {
      this.counts = new Map();
      this.total = 0;
      this.endsAt = now + MINUTE_MS;
    }
    const count = this.counts.get(caller) ?? 0;
    if (count >= this.ofEach || this.total >= this.ofAll) return false;
    if (count === 0 && this.counts.size >= CALLERS_MAX) return false;
    this.counts.set(caller, count + 1);
    this.total += 1;
    return true;
  }
}

/** As many as a person may call: a socket that connects counts against no limit. */
const CONNECTIONS_KEPT = 600;
/** Of a network whose callers are not recognised, so that nobody can fill the audit. */
const STRANGERS_KEPT = 60;
const STRANGERS_KEPT_OF_ALL = 600;

/** A caller who was not recognised. */
export interface UnknownCaller {
  type: null;
  requestId?: string;
  ip?: string;
}

/** What an entry tells of an act. */
export interface AuditedAct {
  subject: AuditedSubject & { type: string };
  before?: AuditedFields | null;
  after?: AuditedFields | null;
}

/**
 * Has every change of an admin's kept with who made it. The repository that makes the change appends the entry in the
 * same transaction. After it, the entry is logged too, without its values.
 */
@Injectable()
export class Audit {
  private readonly logger = new Logger(Audit.name);
  private readonly connections = new RefusalLimit(CONNECTIONS_KEPT);
  private readonly strangers = new RefusalLimit(STRANGERS_KEPT, STRANGERS_KEPT_OF_ALL);

  constructor(private readonly entries: AuditRepository) {}

  /**
   * A change of a thing. The entry has the listed fields that differ; where none does, there is no entry.
   * @param work makes the change, and has its entry appended in the same transaction
   */
  async change<Row extends object, T>(
    by: Caller | UnknownCaller,
    action: AuditAction,
    thing: AuditedThing<Row>,
    work: (entryOf: AuditEntryOf<Changed<Row>>) => Promise<T>,
  ): Promise<T> {
    const describe = (change: Changed<Row>): AuditedAct | null => {
      const [row, differences] = [change.after ?? change.before, differencesOf(thing, change)];
      return row && differences && { subject: { type: thing.type, ...thing.subjectOf(row) }, ...differences };
    };
    return this.act(by, action, describe, work);
  }

  /**
   * Any other act.
   * @param describe may return null: there is nothing to keep
   * @param work does it, and has its entry appended in the same transaction
   */
  async act<Change, T>(
    by: Caller | UnknownCaller,
    action: AuditAction,
    describe: (change: Change) => AuditedAct | null,
    work: (entryOf: AuditEntryOf<Change>) => Promise<T>,
  ): Promise<T> {
    // A transaction that is repeated after a deadlock asks again: the last entry is the one that was committed.
    let last: NewAuditEntry | null = null;
    const result = await work((change) => {
      const act = describe(change);
      return (last = act && entryOf(by, action, act));
    });
    if (last) this.log(last);
    return result;
  }

  /** What changed nothing. Its entry is all that is kept. */
  async note(by: Caller | UnknownCaller, action: AuditAction, act: AuditedAct): Promise<void> {
    const entry = entryOf(by, action, act);
    await this.entries.appendAlone(entry);
    this.log(entry);
  }

  /**
   * What was refused with 403. Of a caller who was recognised every call is kept: the own rate limit bounds them.
   * @param operation by its name in the table of operations, or its path where it is of nobody yet
   */
  async refused(by: Principal | UnknownCaller, operation: string, code: ErrorCode): Promise<void> {
    const accountId = by.type === null ? null : by.accountId;
    const act = { subject: { type: 'operation', accountId, id: null, name: operation }, after: { code } };
    if (by.type === null) return this.noteOfStranger(by, 'access.refused', act);
    const isCounted = operation !== 'board.open';
    if (isCounted || this.connections.allows(by.id)) await this.noteRefusal(by, 'access.refused', act);
  }

  /**
   * A sign-in that failed. What was typed as an address is not kept: it may be a password.
   * @param of whose address or link it was; null: nobody's
   */
  async signInFailed(
    by: UnknownCaller,
    of: { account_id: string; id: string; name: string } | null,
    reason: string,
  ): Promise<void> {
    const whose = { accountId: of?.account_id ?? null, id: of?.id ?? null, name: of?.name ?? null };
    await this.noteRefusal(by, 'session.refused', { subject: { type: 'user', ...whose }, after: { reason } });
  }

  /** The entry of what the service does itself, for a statement that appends it only where it does something. */
  prepare(action: AuditAction, act: AuditedAct): NewAuditEntry {
    return entryOf({ type: null }, action, act);
  }

  /** A statement has appended an entry that was prepared. */
  appended(entry: NewAuditEntry): void {
    this.log(entry);
  }

  /** A refusal of somebody who was not recognised: so many a minute of the network and of all, in this process. */
  async noteOfStranger(by: UnknownCaller, action: AuditAction, act: AuditedAct): Promise<void> {
    if (this.strangers.allows(networkOf(by.ip ?? ''))) await this.noteRefusal(by, action, act);
  }

  /** What is refused is refused, also where its entry cannot be written. */
  private async noteRefusal(by: Caller | UnknownCaller, action: AuditAction, act: AuditedAct): Promise<void> {
    try {
      await this.note(by, action, act);
    } catch (error) {
      this.logger.warn({ err: error }, 'A refusal could not be kept in the audit.');
    }
  }

  private log({ id, accountId, actor, action, subject }: NewAuditEntry): void {
    const ids = {
      ...{ action, entry_id: id, account_id: accountId },
      ...{ actor_type: actor?.type ?? null, actor_id: actor?.id ?? null },
      ...{ subject_type: subject.type, subject_id: subject.id },
    };
    this.logger.log(ids, 'audit');
  }
}

function entryOf(by: Caller | UnknownCaller, action: AuditAction, act: AuditedAct): NewAuditEntry {
  const { accountId, ...subject } = act.subject;
  return {
    accountId,
    id: randomUUIDv7(),
    actor: by.type === null ? null : callOf(by).actor,
    action,
    subject,
    before: act.before ?? null,
    after: act.after ?? null,
    requestId: by.requestId ?? null,
    ip: by.ip ?? null,
  };
}
