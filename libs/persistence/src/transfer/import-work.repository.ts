import type { KeptCause } from '@app/contracts/scenario.words';
import type { ImportFailure, ImportFault } from '@app/contracts/transfer.words';
import { Injectable } from '@nestjs/common';
import { RowBusyError } from '../database/database.errors';
import { Database, WorkDatabase, type Transaction } from '../database/database.service';
import type { CamelCased } from '../database/row.types';
import { statement } from '../database/sql.statement';
import { countBacklog, type WorkBacklog } from '../work/backlog.fragments';
import { leaseFor, leaseIsFree } from '../work/lease.fragments';
import type { ImportRow } from './import-chunk.entity';
import type { ImportEntity } from './import.entity';
import {
  ADVANCE,
  END_CHUNK,
  FUNNEL,
  HOLD,
  NEXT_CHUNK,
  OF_IMPORT,
  PEOPLE,
  PRESENT_LEADS,
  STOP,
  type HeldImport,
  type KnownPerson,
  type NamedInRows,
  type PresentLead,
} from './import.statements';
import { APPLY_LEADS, type AppliedLead, type GivenLead } from './lead-apply.statement';
import { OPEN_LEADS } from './lead-open.statement';

export type { AppliedLead, HeldImport, KnownPerson, NamedInRows, PresentLead };

export type ImportKey = CamelCased<Pick<ImportEntity, 'account_id' | 'id'>>;

/** An import that this process takes in. */
export interface HeldKey extends ImportKey {
  token: string;
}

/** A lead that a row makes or changes. */
export interface LeadOfRow extends GivenLead {
  phone: string;
  /** The id of its dialog if it has to be opened. */
  newThreadId: string;
}

export interface ChunkCounts {
  created: number;
  moved: number;
  unchanged: number;
  faulty: number;
}

/** What becomes of some rows. */
export interface ChunkEnd extends ChunkCounts {
  faults: readonly ImportFault[];
  wouldRun?: number;
  wouldSend?: number;
}

/** A chunk whose leads are to be made or changed. */
export interface ChunkWork {
  held: HeldImport;
  rows: readonly ImportRow[];
  named: NamedInRows;
  /** Makes and changes them in the chunk's transaction. @returns by address what became of each, and which are new */
  apply: (leads: readonly LeadOfRow[]) => Promise<{ applied: AppliedLead[]; opened: ReadonlySet<string> }>;
}

/**
 * `more`: there are further rows; `ended`: it is done; `lost`: somebody else has it, or it was cancelled; `agent_changed`:
 * its bot speaks for another agent now.
 */
export type ChunkOutcome = 'more' | 'ended' | 'lost' | 'agent_changed';

/** A stage was archived, or a customer got another number, between two statements: the next try sees it. */
class ChunkOutdatedError extends RowBusyError {
  constructor() {
    super(new Error('a stage or a dialog was changed meanwhile'));
  }
}

/** Account by account, along the index. */
const DUE = statement('import-due').returns<ImportKey>(`
  WITH RECURSIVE accounts AS (
    (SELECT account_id FROM imports WHERE state = 'running' ORDER BY account_id, due_at LIMIT 1)
    UNION ALL
    SELECT (SELECT m.account_id FROM imports m WHERE m.state = 'running' AND m.account_id > a.account_id
             ORDER BY m.account_id, m.due_at LIMIT 1)
      FROM accounts a WHERE a.account_id IS NOT NULL)
  SELECT a.account_id AS "accountId", d.id
    FROM accounts a
    CROSS JOIN LATERAL (
      SELECT m.id, m.due_at FROM imports m
       WHERE m.account_id = a.account_id AND m.state = 'running' AND m.due_at <= now() AND ${leaseIsFree('m')}
       ORDER BY m.due_at LIMIT 10) d
   WHERE a.account_id IS NOT NULL
   ORDER BY d.due_at LIMIT 1000`);

const CLAIM = statement('import-claim').takes(...OF_IMPORT, 'token', 'leaseMs').returns<{ claimed: number }>(`
  WITH locked AS MATERIALIZED (
    SELECT account_id, id FROM imports m
     WHERE account_id = :accountId AND id = :id AND state = 'running' AND due_at <= clock_timestamp() AND ${leaseIsFree('m')}
       FOR NO KEY UPDATE SKIP LOCKED),
  leased AS MATERIALIZED (SELECT l.*, ${leaseFor(':leaseMs')} AS until FROM locked l)
  UPDATE imports m SET lease_token = :token, lease_until = l.until
    FROM leased l WHERE m.account_id = l.account_id AND m.id = l.id
  RETURNING 1 AS claimed`);

const IS_HELD = `account_id = :accountId AND id = :id AND lease_token = :token AND state = 'running'`;

const RELEASE = statement('import-release').takes(...OF_IMPORT, 'token', 'afterMs', 'failed').returns<
  Pick<ImportEntity, 'failures'>
>(`
  UPDATE imports
     SET lease_token = NULL, lease_until = NULL, due_at = ${leaseFor(':afterMs')},
         failures = failures + (:failed::boolean)::int
   WHERE ${IS_HELD} RETURNING failures`);

const BACKLOG = statement('import-backlog')
  .takes('accountId')
  .returns<WorkBacklog>(
    countBacklog(
      `SELECT m.account_id, m.due_at, NOT ${leaseIsFree('m')} AS held FROM imports m
      WHERE m.state = 'running' AND m.due_at <= clock_timestamp()`,
      `SELECT account_id FROM imports WHERE state = 'failed' AND finished_at > now() - interval '1 hour'`,
    ),
  );

/** Imports that are taken in, each by one process at a time, chunk by chunk. */
@Injectable()
export class ImportWorkRepository {
  constructor(
    private readonly database: Database,
    private readonly work: WorkDatabase,
  ) {}

  /** Imports that are due and that nobody takes in, the one that has waited longest first. */
  async due(): Promise<ImportKey[]> {
    return this.work.run(DUE);
  }

  async backlog(accountId: string | null): Promise<WorkBacklog | undefined> {
    return (await this.database.run(BACKLOG, { accountId }))[0];
  }

  /** @returns whether it is ours now: it is due, and nobody else has it. */
  async claim(held: HeldKey, leaseMs: number): Promise<boolean> {
    return (await this.work.run(CLAIM, { ...held, leaseMs })).length > 0;
  }

  /**
   * Gives it away.
   * @param afterMs from now until it is due again
   * @returns how often in a row it failed; null where it was not ours any more
   */
  async release(held: HeldKey, { afterMs = 0, failed = false } = {}): Promise<number | null> {
    return (await this.work.run(RELEASE, { ...held, afterMs, failed }))[0]?.failures ?? null;
  }

  /** Ends it as failed. */
  async fail({ accountId, id }: ImportKey, failure: ImportFailure): Promise<void> {
    await this.work.run(STOP, { accountId, id, state: 'failed', failure });
  }

  /**
   * Takes in the next rows, all of them or none: leads, events, counts and faults are committed together, so whoever is
   * killed has done a chunk once or not at all.
   * @param decide may be called again after a deadlock
   * @returns `dry_run` where the import changes nothing: see {@link peekChunk}
   */
  async takeChunk(
    { accountId, id, token }: HeldKey,
    leaseMs: number,
    decide: (work: ChunkWork) => Promise<ChunkEnd>,
  ): Promise<ChunkOutcome | 'dry_run'> {
    return this.database.transactFor(ownerOf(accountId), async (within) => {
      const [held] = await within.run(HOLD, { accountId, id, token, leaseMs });
      if (!held) return 'lost';
      if (held.bot_assistant_id !== held.assistant_id) return 'agent_changed';
      if (held.dry_run) return 'dry_run';
      const [chunk] = await within.run(NEXT_CHUNK, { accountId, id });
      if (!chunk) throw new Error('an import is under way that has no rows left');
      const named = await this.named(within, accountId, held.assistant_id);
      const end = await decide({
        ...{ held, rows: chunk.rows, named },
        apply: (leads) => apply(within, accountId, held, leads),
      });
      return advance(within, { accountId, id }, chunk.first_row, end);
    });
  }

  /** For an import that changes nothing: its next rows, and what they name. Null where it is not ours any more. */
  async peekChunk(
    { accountId, id, token }: HeldKey,
    leaseMs: number,
  ): Promise<{ held: HeldImport; firstRow: number; rows: readonly ImportRow[]; named: NamedInRows } | null> {
    return this.database.transactFor(ownerOf(accountId), async (within) => {
      const [held] = await within.run(HOLD, { accountId, id, token, leaseMs });
      const [chunk] = held ? await within.run(NEXT_CHUNK, { accountId, id }) : [];
      if (!held || !chunk) return null;
      return {
        held,
        firstRow: chunk.first_row,
        rows: chunk.rows,
        named: await this.named(within, accountId, held.assistant_id),
      };
    });
  }

  /** Leads with these addresses as they are now. */
  async present(
    accountId: string,
    { bot_id: botId, channel }: HeldImport,
    contacts: readonly string[],
  ): Promise<PresentLead[]> {
    return this.database.runFor(ownerOf(accountId), PRESENT_LEADS, { accountId, botId, channel, contacts });
  }

  /** Writes down what would become of a chunk. */
  async endPeeked(
    { accountId, id, token }: HeldKey,
    leaseMs: number,
    firstRow: number,
    end: ChunkEnd,
  ): Promise<ChunkOutcome> {
    return this.database.transactFor(ownerOf(accountId), async (within) => {
      const [held] = await within.run(HOLD, { accountId, id, token, leaseMs });
      return held ? advance(within, { accountId, id }, firstRow, end) : 'lost';
    });
  }

  private async named(within: Transaction, accountId: string, assistantId: string): Promise<NamedInRows> {
    const of = { accountId, assistantId };
    return { funnel: await within.run(FUNNEL, of), people: await within.run(PEOPLE, of) };
  }
}

/** Beside the slots of the account's calls, and not behind them. */
const ownerOf = (accountId: string): string => `imports of ${accountId}`;

async function apply(
  within: Transaction,
  accountId: string,
  held: HeldImport,
  leads: readonly LeadOfRow[],
): Promise<{ applied: AppliedLead[]; opened: ReadonlySet<string> }> {
  if (leads.length === 0) return { applied: [], opened: new Set() };
  const { bot_id: botId, channel, assistant_id: assistantId, set_by: setBy, request_id: requestId } = held;
  const of = { accountId, botId, channel, assistantId, setBy, requestId, actor: JSON.stringify(held.actor) };
  const opened = await within.run(OPEN_LEADS, {
    ...of,
    ids: leads.map(({ newThreadId }) => newThreadId),
    contacts: leads.map(({ contact }) => contact),
    phones: leads.map(({ phone }) => phone),
  });
  const given = leads.map(({ contact, status_id, name, assignee_id }): GivenLead => ({
    contact,
    status_id,
    name,
    assignee_id,
  }));
  const applied = await within.run(APPLY_LEADS, {
    ...of,
    leads: JSON.stringify(given),
    openedIds: opened.map(({ id }) => id),
    startScenarios: held.start_scenarios,
    cause: JSON.stringify({ ...held.actor, request_id: requestId } satisfies KeptCause),
  });
  if (applied.length < leads.length || applied.some(({ verdict }) => verdict === 'no_stage'))
    throw new ChunkOutdatedError();
  return { applied, opened: new Set(opened.map(({ contact }) => contact)) };
}

async function advance(
  within: Transaction,
  key: ImportKey,
  firstRow: number,
  { faults, wouldRun = 0, wouldSend = 0, created, moved, unchanged, faulty }: ChunkEnd,
): Promise<ChunkOutcome> {
  const kept = faults.length > 0 ? JSON.stringify(faults) : null;
  const [ended] = await within.run(END_CHUNK, { ...key, firstRow, faults: kept });
  if (!ended) return 'lost';
  const counts = { created, moved, unchanged, faulty, wouldRun, wouldSend };
  const [advanced] = await within.run(ADVANCE, { ...key, ...counts });
  return advanced?.state === 'done' ? 'ended' : 'more';
}
