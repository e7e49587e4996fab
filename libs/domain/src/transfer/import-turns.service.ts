import { randomUUIDv7, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { CodedError } from '@app/contracts/coded.errors';
import type { ImportFault } from '@app/contracts/transfer.words';
import type { ImportRow } from '@app/persistence/transfer/import.entity';
import {
  type ChunkEnd,
  type LeadOfRow,
  ImportWorkRepository,
  type AppliedLead,
  type ChunkOutcome,
  type ChunkWork,
  type ClaimedImport,
  type HeldImport,
  type ImportKey,
  type PresentLead,
} from '@app/persistence/transfer/import-work.repository';
import { Injectable } from '@nestjs/common';
import { EventNotifier } from '../events/event-notifier.service';
import { StartForecast } from '../leads/start-forecast.port';
import { WorkNotifier } from '../work/work-notifier';
import { WORK_TIMES } from '../work/work-times';
import { Worker, type WorkItem } from '../work/worker';
import { rowFault } from './fault-texts';
import { LeadNames, type Named } from './lead-names';

/** A row with the lead that it makes or changes. */
interface PlannedRow {
  row: number;
  lead: LeadOfRow;
}

/** What is to be done with some rows. */
interface ChunkPlan {
  planned: PlannedRow[];
  faults: ImportFault[];
  faulty: number;
}

/** Finds what the rows name, and says what is wrong with those that cannot be taken in. */
function planOf(rows: readonly ImportRow[], names: LeadNames): ChunkPlan {
  const plan: ChunkPlan = { planned: [], faults: [], faulty: 0 };
  for (const each of rows) {
    const { row, phone, contact, name = null } = each;
    const status = each.status === undefined ? null : names.stage(each.status);
    const assignee = each.assignee === undefined ? null : names.person(each.assignee);
    const faults = [
      ...(each.faults ?? []),
      ...(status && 'fault' in status ? [rowFault('status', status.fault)] : []),
      ...(assignee && 'fault' in assignee ? [rowFault('assignee', assignee.fault)] : []),
    ];
    if (faults.length > 0 || phone === undefined || contact === undefined) {
      plan.faulty += 1;
      plan.faults.push(...faults.map((fault) => ({ row, ...fault })));
      continue;
    }
    const given = { status_id: idOf(status), name, assignee_id: idOf(assignee) };
    plan.planned.push({ row, lead: { contact, phone, ...given, newThreadId: randomUUIDv7() } });
  }
  return plan;
}

const idOf = (named: Named | null): string | null => (named && 'id' in named ? named.id : null);

/** What became, or would become, of a planned row. */
type RowOutcome = 'created' | 'moved' | 'unchanged' | 'other_agent';

/** Counts what became of a plan. */
function endOf({ planned, faults, faulty }: ChunkPlan, outcomeOf: (lead: LeadOfRow) => RowOutcome): ChunkEnd {
  const end = { created: 0, moved: 0, unchanged: 0, faulty };
  const further: ImportFault[] = [];
  for (const { row, lead } of planned) {
    const outcome = outcomeOf(lead);
    if (outcome !== 'other_agent') end[outcome] += 1;
    else {
      end.faulty += 1;
      further.push({ row, ...rowFault('phone', 'other_agent') });
    }
  }
  return { ...end, faults: [...faults, ...further].toSorted((a, b) => a.row - b.row) };
}

/** Then the import of another account has its turn. */
const TURN_MS = 2_000;
/** How long it waits after a chunk, by how long that took: whatever slows it down is busy, and gets more room. */
const PAUSE_SHARE = 2;
const PAUSE_MS_MAX = 2_000;
/** The database is away, or something else holds what it needs. */
const BUSY_MS = 1_000;
/** Between tries after a fault of ours. */
const BACK_OFF_MS = 3_000;
const FAILURES_MAX = 10;

const NOTHING = { runs: 0, messages: 0 };

/** Takes imports in, some chunks in a row. */
@Injectable()
export class ImportTurns {
  constructor(
    private readonly imports: ImportWorkRepository,
    private readonly forecast: StartForecast,
    private readonly eventNotifier: EventNotifier,
    private readonly work: WorkNotifier,
  ) {}

  /** Takes in some chunks of an import, if it is due and nobody else does. What is left is due again. */
  async take(key: ImportKey, stopping: AbortSignal): Promise<void> {
    const claimed = await this.imports.claim(key, randomUUID(), WORK_TIMES.leaseMs);
    if (!claimed) return;
    try {
      const outcome = await this.turn(claimed, stopping);
      if (outcome === 'agent_changed') await this.imports.fail(key, outcome);
      if (outcome !== 'more') return this.eventNotifier.notify(key.accountId);
      await this.imports.release(claimed);
    } catch (error) {
      await this.giveUp(claimed, error);
      throw error;
    }
    if (!stopping.aborted) this.work.notify('imports', key);
  }

  private async turn(claimed: ClaimedImport, stopping: AbortSignal): Promise<ChunkOutcome> {
    const end = performance.now() + TURN_MS;
    for (;;) {
      const begun = performance.now();
      const outcome = await (claimed.dryRun ? this.dryChunk(claimed) : this.chunk(claimed));
      if (outcome !== 'more') return outcome;
      const pauseMs = Math.min((performance.now() - begun) * PAUSE_SHARE, PAUSE_MS_MAX);
      await sleep(pauseMs, undefined, { signal: stopping }).catch(() => undefined);
      if (stopping.aborted || performance.now() > end) return outcome;
    }
  }

  /** What the database refuses is not a fault of the import, however often. */
  private async giveUp(claimed: ClaimedImport, error: unknown): Promise<void> {
    const isBusy = error instanceof CodedError && error.code === 'UNAVAILABLE';
    const again = isBusy ? { afterMs: BUSY_MS } : { afterMs: BACK_OFF_MS, failed: true };
    const failures = await this.imports.release(claimed, again);
    if (failures !== null && failures >= FAILURES_MAX) {
      await this.imports.fail(claimed, 'internal');
      this.eventNotifier.notify(claimed.accountId);
    }
  }

  private async chunk(claimed: ClaimedImport): Promise<ChunkOutcome> {
    const outcome = await this.imports.take(claimed, async (work) => {
      const plan = planOf(work.rows, new LeadNames(work.named));
      return endOf(plan, await applied(work, plan));
    });
    if (outcome === 'more') this.eventNotifier.notify(claimed.accountId);
    return outcome;
  }

  /** Changes nothing but how far it is. What the rows would do is read outside of the transaction that writes that. */
  private async dryChunk(claimed: ClaimedImport): Promise<ChunkOutcome> {
    const peeked = await this.imports.peek(claimed);
    if (typeof peeked === 'string') return peeked;
    const { held, firstRow, rows, named } = peeked;
    const { accountId } = claimed;
    const plan = planOf(rows, new LeadNames(named));
    const leads = plan.planned.map(({ lead }) => lead);
    const contacts = leads.map(({ contact }) => contact);
    const present = new Map(
      (await this.imports.present(accountId, held, contacts)).map((lead) => [lead.contact, lead]),
    );
    const end = endOf(plan, (lead) => outcomeFor(lead, present.get(lead.contact), held));
    const would = held.start_scenarios ? await this.wouldStart(accountId, held, leads, present) : NOTHING;
    const forecast = { wouldRun: would.runs, wouldSend: would.messages };
    return this.imports.endPeeked(claimed, firstRow, { ...end, ...forecast });
  }

  private wouldStart(
    accountId: string,
    held: HeldImport,
    leads: readonly LeadOfRow[],
    present: ReadonlyMap<string, PresentLead>,
  ) {
    const moves: { threadId: string; statusId: string }[] = [];
    const opening: string[] = [];
    for (const { contact, status_id: statusId } of leads) {
      const now = present.get(contact);
      if (statusId === null || now?.status_id === statusId) continue;
      if (!now) opening.push(statusId);
      else if (now.assistant_id === held.assistant_id) moves.push({ threadId: now.id, statusId });
    }
    return this.forecast.of(accountId, moves, opening);
  }
}

/** Makes and changes the leads of a plan. */
async function applied(work: ChunkWork, { planned }: ChunkPlan): Promise<(lead: LeadOfRow) => RowOutcome> {
  const { applied: rows, opened } = await work.apply(planned.map(({ lead }) => lead));
  const byContact = new Map<string, AppliedLead>(rows.map((row) => [row.contact, row]));
  return ({ contact }) => {
    if (opened.has(contact)) return 'created';
    const row = byContact.get(contact);
    if (row?.verdict === 'other_agent') return 'other_agent';
    return row?.changed ? 'moved' : 'unchanged';
  };
}

/** What would become of a row, by its lead as it is now. */
function outcomeFor(lead: LeadOfRow, now: PresentLead | undefined, held: HeldImport): RowOutcome {
  if (!now) return 'created';
  if (now.assistant_id !== held.assistant_id) return 'other_agent';
  const changes =
    (lead.status_id !== null && lead.status_id !== now.status_id) ||
    (lead.name !== null && lead.name !== now.customer_name) ||
    (lead.assignee_id !== null && lead.assignee_id !== now.assignee_id);
  return changes ? 'moved' : 'unchanged';
}

/** Takes in the rows of imports. */
@Injectable()
export class ImportWorker extends Worker {
  readonly name = 'imports';
  readonly actsOutside = true;
  /** Imports must leave room for everything else. Those of several accounts take turns. */
  readonly concurrency = 1;
  readonly sweepEveryMs = WORK_TIMES.sweepMs;
  readonly finds = ['imports'] as const;

  constructor(
    private readonly turns: ImportTurns,
    private readonly imports: ImportWorkRepository,
  ) {
    super();
  }

  findDue(): Promise<readonly WorkItem[]> {
    return this.imports.due();
  }

  backlog(accountId: string | null) {
    return this.imports.backlog(accountId);
  }

  async run({ accountId, id }: WorkItem, stopping: AbortSignal): Promise<void> {
    if (accountId !== null) await this.turns.take({ accountId, id }, stopping);
  }
}
