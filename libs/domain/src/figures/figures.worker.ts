import { FigureCountRepository, type FigureAgent } from '@app/persistence/figures/figure-count.repository';
import { FigureRangeRepository } from '@app/persistence/figures/figure-range.repository';
import { Injectable } from '@nestjs/common';
import { WorkNotifier } from '../work/work-notifier';
import { WORK_TIMES } from '../work/work-times';
import { Worker, type WorkItem } from '../work/worker';

/** Counted within a call at most: some 0.4 s of work. More is only left where a long history is counted, or decided anew. */
const TRANSACTIONS_OF_CALL = 5;

/** Counted of an agent in its turn at most: a second of work. Meanwhile others wait. */
const STEPS_OF_TURN = 10;

/** Counts the log for figures, in the background, and what is newer within a call that asks for figures. */
@Injectable()
export class FigureCounting {
  constructor(
    private readonly counts: FigureCountRepository,
    private readonly ranges: FigureRangeRepository,
  ) {}

  /** Agents of which something is to be counted. */
  async due(): Promise<{ accountId: string; id: string }[]> {
    const due = [...(await this.counts.behind()), ...(await this.ranges.due())];
    return [...new Map(due.map((agent) => [`${agent.accountId} ${agent.id}`, agent])).values()];
  }

  /**
   * Counts some of what can be counted for good, and then of the ranges that calls would have to read again and again.
   * @param stopping aborted when the process stops; another one goes on
   * @returns whether something is left for the agent's next turn
   */
  async advance(agent: FigureAgent, stopping: AbortSignal): Promise<boolean> {
    await this.counts.chooseNext(agent);
    let isBehind = true;
    for (let step = 0; step < STEPS_OF_TURN && !stopping.aborted; step += 1) {
      isBehind &&= (await this.counts.countNext(agent)) === 'more';
      if (!isBehind && !(await this.ranges.keepNext(agent))) return false;
    }
    return true;
  }

  /**
   * Counts everything that was committed before the call.
   * @returns whether nothing is left
   */
  async bringUpToDate(agent: FigureAgent): Promise<boolean> {
    return this.counts.countVisible(agent, TRANSACTIONS_OF_CALL);
  }
}

/** The worker that counts the log for figures. An item is an agent. */
@Injectable()
export class FiguresWorker extends Worker {
  readonly name = 'figures';
  readonly actsOutside = false;
  readonly concurrency = 1;
  readonly sweepEveryMs = WORK_TIMES.figuresMs;
  readonly finds = null;

  constructor(
    private readonly counts: FigureCountRepository,
    private readonly counting: FigureCounting,
    private readonly work: WorkNotifier,
  ) {
    super();
  }

  async findDue(): Promise<readonly WorkItem[]> {
    return this.counting.due();
  }

  backlog(accountId: string | null) {
    return this.counts.backlog(accountId);
  }

  /** An agent with a long history goes behind the others after each turn. */
  async run(item: WorkItem, stopping: AbortSignal): Promise<void> {
    const { accountId, id: assistantId } = item;
    if (accountId === null) return;
    if (await this.counting.advance({ accountId, assistantId }, stopping))
      this.work.notifyIn(this.name, item, 0);
  }
}
