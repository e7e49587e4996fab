import type { KeptCause } from '@app/contracts/scenario.words';
import type { ImportFailure, ImportFault } from '@app/contracts/transfer.words';
import { Injectable } from '@nestjs/common';
import { RowBusyError } from '../database/database.errors';
import { Database, WorkDatabase, type Transaction } from '../database/database.service';
import type { CamelCased } from '../database/row-types';
import type { WorkBacklog } from '../work/work.statements';
import type { ImportRow, ImportEntity } from './import.entity';
import {
  BACKLOG,
  CLAIM,
  DUE,
  RELEASE,
  APPLY_LEADS,
  type AppliedLead,
  type GivenLead,
  OPEN_LEADS,
} from './import-work.statements';
import {
  ADVANCE,
  END_CHUNK,
  FUNNEL,
  HOLD,
  LOCK_CHUNK,
  NEXT_CHUNK,
  PEOPLE,
  PRESENT_LEADS,
  STOP,
  type HeldImport,
  type KnownPerson,
  type NamedInRows,
  type PresentLead,
} from './import.statements';

export type { AppliedLead, HeldImport, KnownPerson, NamedInRows, PresentLead };

export type ImportKey = CamelCased<Pick<ImportEntity, 'account_id' | 'id'>>;

/** An import that this process takes in, for as long as it renews the lease. */
export interface ClaimedImport extends ImportKey {
  token: string;
  leaseMs: number;
  /** It changes nothing: {@link ImportWorkRepository.peek} takes the place of {@link ImportWorkRepository.take}. */
  dryRun: boolean;
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

/** Rows, and what they name. */
export interface PeekedChunk {
  held: HeldImport;
  firstRow: number;
  rows: readonly ImportRow[];
  named: NamedInRows;
}

/** A chunk whose leads are to be made or changed. */
export interface ChunkWork extends Omit<PeekedChunk, 'firstRow'> {
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

  /** @returns null where it is not ours: it is not due any more, or somebody else has it. */
  async claim(key: ImportKey, token: string, leaseMs: number): Promise<ClaimedImport | null> {
    const [claimed] = await this.work.run(CLAIM, { ...key, token, leaseMs });
    return claimed ? { ...key, token, leaseMs, dryRun: claimed.dry_run } : null;
  }

  /**
   * Gives it away.
   * @param afterMs from now until it is due again
   * @returns how often in a row it failed; null where it was not ours any more
   */
  async release(claimed: ClaimedImport, { afterMs = 0, failed = false } = {}): Promise<number | null> {
    return (await this.work.run(RELEASE, { ...claimed, afterMs, failed }))[0]?.failures ?? null;
  }

  /** Ends it as failed. */
  async fail({ accountId, id }: ImportKey, failure: ImportFailure): Promise<void> {
    await this.work.run(STOP, { accountId, id, state: 'failed', failure });
  }

  /**
   * Takes in the next rows, all of them or none: leads, events, counts and faults are committed together, so whoever is
   * killed has done a chunk once or not at all.
   * @param decide may be called again after a deadlock
   */
  async take(claimed: ClaimedImport, decide: (work: ChunkWork) => Promise<ChunkEnd>): Promise<ChunkOutcome> {
    const { accountId, id } = claimed;
    return this.database.transactFor(ownerOf(accountId), async (within) => {
      const [held] = await within.run(HOLD, claimed);
      if (!held) return 'lost';
      if (isOfOtherAgent(held)) return 'agent_changed';
      const [chunk] = await within.run(LOCK_CHUNK, { accountId, id });
      if (!chunk) throw new Error('an import is under way that has no rows left');
      const of = { accountId, assistantId: held.assistant_id };
      const named = { funnel: await within.run(FUNNEL, of), people: await within.run(PEOPLE, of) };
      const end = await decide({
        ...{ held, rows: chunk.rows, named },
        apply: (leads) => apply(within, accountId, held, leads),
      });
      return advance(within, { accountId, id }, chunk.first_row, end);
    });
  }

  /** The next rows of an import that changes nothing, without a lock: what they would do takes a while to find out. */
  async peek(claimed: ClaimedImport): Promise<PeekedChunk | 'lost' | 'agent_changed'> {
    const { accountId, id } = claimed;
    const owner = ownerOf(accountId);
    const [held] = await this.database.runFor(owner, HOLD, claimed);
    if (held && isOfOtherAgent(held)) return 'agent_changed';
    const [chunk] = held ? await this.database.runFor(owner, NEXT_CHUNK, { accountId, id }) : [];
    if (!held || !chunk) return 'lost';
    const of = { accountId, assistantId: held.assistant_id };
    const named = {
      funnel: await this.database.runFor(owner, FUNNEL, of),
      people: await this.database.runFor(owner, PEOPLE, of),
    };
    return { held, firstRow: chunk.first_row, rows: chunk.rows, named };
  }

  /** Leads with these addresses as they are now. */
  async present(
    accountId: string,
    { bot_id: botId, channel }: HeldImport,
    contacts: readonly string[],
  ): Promise<PresentLead[]> {
    return this.database.runFor(ownerOf(accountId), PRESENT_LEADS, { accountId, botId, channel, contacts });
  }

  /** Writes down what would become of rows that were peeked at. */
  async endPeeked(claimed: ClaimedImport, firstRow: number, end: ChunkEnd): Promise<ChunkOutcome> {
    const { accountId, id } = claimed;
    return this.database.transactFor(ownerOf(accountId), async (within) => {
      const [held] = await within.run(HOLD, claimed);
      return held ? advance(within, { accountId, id }, firstRow, end) : 'lost';
    });
  }
}

const isOfOtherAgent = (held: HeldImport): boolean => held.bot_assistant_id !== held.assistant_id;

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
