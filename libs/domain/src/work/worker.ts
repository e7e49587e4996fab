/** Kinds of due work. */
export const WORK_NAMES = ['replies', 'send-queues', 'inbound-webhooks', 'retention'] as const;

export type WorkName = (typeof WORK_NAMES)[number];

/** What is due: ids, never data. What is to be done stands in our own rows. */
export interface WorkItem {
  /** Whose it is, for fairness; null: nobody's yet, or everybody's. */
  readonly accountId: string | null;
  readonly id: string;
}

/**
 * One kind of due work: a statement that finds it and a handler that does it. The worker claims its row in one statement,
 * by a lease with a token; that decides who may act, and a killed process's lease runs out. So an item may come twice, for
 * nothing, and on several processes at once.
 */
export abstract class Worker {
  abstract readonly name: WorkName;

  /** How many items one process has in its hands at a time. */
  abstract readonly concurrency: number;

  /** In milliseconds, from one sweep's end to the next one's beginning. */
  abstract readonly sweepEveryMs: number;

  /** Finds what is due by the database's clock and in nobody's hands, with or without a notification. */
  abstract findDue(): Promise<readonly WorkItem[]>;

  /**
   * Claims an item and does it; does nothing when it is not to be had. What it throws is logged and counted, and the next
   * sweep finds what is left.
   * @param stopping aborted when the process ends, which waits some seconds for what runs: begin nothing new then.
   */
  abstract run(item: WorkItem, stopping: AbortSignal): Promise<void>;
}
