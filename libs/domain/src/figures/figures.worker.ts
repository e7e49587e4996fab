import { FigureCountRepository } from '@app/persistence/figures/figure-count.repository';
import { Injectable } from '@nestjs/common';
import { WorkNotifier } from '../work/work-notifier';
import { WORK_TIMES } from '../work/work-times';
import { Worker, type WorkItem } from '../work/worker';
import { FigureCounting } from './figure-counting';

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
