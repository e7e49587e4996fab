import { Injectable } from '@nestjs/common';
import { WORK_TIMES } from '../work/work.times';
import { Worker, type WorkItem } from '../work/worker';
import { Replies } from './replies.service';

/** Answers customers. */
@Injectable()
export class ReplyWorker extends Worker {
  readonly name = 'replies';
  /** Of all accounts: most of the time a reply only waits for its model. */
  readonly concurrency = 1_000;
  readonly sweepEveryMs = WORK_TIMES.replySweepMs;

  constructor(private readonly replies: Replies) {
    super();
  }

  async findDue(): Promise<readonly WorkItem[]> {
    return this.replies.findDue();
  }

  async run(item: WorkItem, stopping: AbortSignal): Promise<void> {
    await this.replies.serve(item, stopping);
  }
}
