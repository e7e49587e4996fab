import type { WorkBacklog } from '@app/persistence/work/work.statements';
import type { WaitingKind } from '@app/persistence/sweeps/waiting-rows.repository';
import type { SpanStart } from '@app/contracts/trace-recorder';

/** Kinds of due work. */
export const WORK_NAMES = [
  'replies',
  'send-queues',
  'inbound-webhooks',
  'media',
  'transcripts',
  'scenarios',
  'webhooks-out',
  'archived-stages',
  'thread-search',
  'retention',
  'figures',
  'imports',
] as const;

/** The workers that the process knows, and unless its role is api runs. */
export const WORKERS = Symbol('WORKERS');

export type WorkName = (typeof WORK_NAMES)[number];

/** Where an item is under way: in this process, in another one as far as is known here, or nowhere that is known. */
export type ItemPlace = 'here' | 'elsewhere' | 'unknown';

/** An item that is due: ids, never data. The data is in our own rows. */
export interface WorkItem {
  /** The account that it belongs to, for fairness; null: no account, or all of them. */
  readonly accountId: string | null;
  readonly id: string;
}

/** What a worker does again and again, besides finding items. */
interface Maintenance {
  /** Rows without which there is nothing to do; null: it looks for itself. */
  readonly of: readonly WaitingKind[] | null;
  act(): Promise<void>;
}

/**
 * One kind of due work: a statement that finds it and a handler that does it. The worker claims its row in one
 * statement, by a lease with a token. The claim decides who may act, and the lease of a killed process runs out. So
 * an item may be run more than once, also on several processes, and must then do nothing.
 */
export abstract class Worker {
  abstract readonly name: WorkName;

  /**
   * Whether it acts on the outside: calls providers, models or others, or deletes files. Then none of its items begins while
   * sending is held (`sending-hold.service.ts`). It maintains its rows all the same.
   */
  abstract readonly actsOutside: boolean;

  /** How many items one process runs at a time. */
  abstract readonly concurrency: number;

  /** Whether its items record themselves, as in the traces of what caused them; the others begin a trace each. */
  readonly tracesItself: boolean = false;

  /** From one sweep to the next, in milliseconds. */
  abstract readonly sweepEveryMs: number;

  /** Rows without which {@link findDue} finds nothing, so that it is not called; null: it looks for itself. */
  abstract readonly finds: readonly WaitingKind[] | null;

  /** Done as often as {@link findDue}, each apart from it and from the others: none delays another, nor fails it. */
  readonly maintenance: readonly Maintenance[] = [];

  /** Loads what the first item needs, before the process takes calls: later it would hold these up. */
  prepare?(): void;

  /** Finds items that are due by the database's clock and not leased, with or without a notification. */
  abstract findDue(): Promise<readonly WorkItem[]>;

  /**
   * Called with each notification of an item. One that is under way here takes notice itself. Neither such an item is run
   * here, nor one that is under way elsewhere: it is left to the process that has it.
   * @param isUntold whether no other process is notified of it
   */
  notified?(item: WorkItem, isUntold: boolean): ItemPlace;

  /** Called when items wait that may not begin yet, with how many: what is under way may make room for them. */
  makeRoom?(waiting: number): void;

  /**
   * How much there is, on all processes together; undefined for work that never waits.
   * @param accountId null: of all accounts
   */
  abstract backlog(accountId: string | null): Promise<WorkBacklog | undefined>;

  /**
   * Claims an item and does it. Does nothing when it cannot be claimed. An error is logged and counted, and the next
   * sweep finds what is left.
   * @param stopping aborted when the process stops, which waits some seconds for running items: begin nothing new
   * then
   */
  abstract run(item: WorkItem, stopping: AbortSignal): Promise<void>;

  /** Resolves when nothing is under way that outlasts its item's run. Called once when no item runs any more. */
  over?(): Promise<void>;
}

/** An item of due work in a trace. @param accountId null: of no account, or of all */
export const spanOfWork = (name: WorkName, accountId: string | null): SpanStart => ({
  ...{ name: `process ${name}`, kind: 'consumer' },
  facts: { 'leadline.work': name, 'leadline.account_id': accountId ?? undefined },
});
