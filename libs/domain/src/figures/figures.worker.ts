import { FigureCountRepository } from '@app/persistence/figures/figure-count.repository';
import { Injectable } from '@nestjs/common';
import { WORK_TIMES } from '../work/work.times';
import { Worker, type WorkItem } from '../work/worker';
import { FigureCounting } from './figure.counting';

/** The worker that counts the log for figures. An item is an agent. */
@Injectable()
export class FiguresWorker extends Worker {
  readonly name = 'figures';
  readonly concurrency = 1;
  readonly sweepEveryMs = WORK_TIMES.figuresMs;

  constructor(
    private readonly counts: FigureCountRepository,
    private readonly counting: FigureCounting,
  ) {
    super();
  }

  async findDue(): Promise<readonly WorkItem[]> {
    return this.counting.due();
  }

  backlog(accountId: string | null) {
    return this.counts.backlog(accountId);
  }

  async run({ accountId, id: assistantId }: WorkItem, stopping: AbortSignal): Promise<void> {
    if (accountId !== null) await this.counting.advance({ accountId, assistantId }, stopping);
  }
}
