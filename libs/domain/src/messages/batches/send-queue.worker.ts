import { SendQueueRepository } from '@app/persistence/messages/batches/send-queue.repository';
import { Injectable } from '@nestjs/common';
import { WORK_TIMES } from '../../work/work-times';
import { Worker, type WorkItem } from '../../work/worker';
import { BatchClosing } from './batch-closing.service';
import { BotTroubles } from '../delivery/bot-troubles.service';
import { QuotaNotices } from './quota-notices.service';
import { SendQueues } from './send-queues.service';

/** Sends what a number has queued, and tells of lists that are done, numbers in trouble and quotas that run out. */
@Injectable()
export class SendQueueWorker extends Worker {
  readonly name = 'send-queues';
  override readonly tracesItself = true;
  readonly actsOutside = true;
  /** Numbers that one process sends by at a time, at most 200 of one account: those that hang hold up no others. */
  readonly concurrency = 400;
  readonly sweepEveryMs = WORK_TIMES.sweepMs;
  readonly finds = ['queued'] as const;
  override readonly maintenance = [
    { of: ['claimed'] as const, act: () => this.queues.expireClaims() },
    { of: ['batches'] as const, act: () => this.batches.sweep() },
    { of: ['troubles'] as const, act: () => this.troubles.sweep() },
    { of: null, act: () => this.quotas.sweep() },
  ];

  constructor(
    private readonly queues: SendQueues,
    private readonly repository: SendQueueRepository,
    private readonly batches: BatchClosing,
    private readonly troubles: BotTroubles,
    private readonly quotas: QuotaNotices,
  ) {
    super();
  }

  async findDue(): Promise<readonly WorkItem[]> {
    return this.queues.findDue();
  }

  async backlog(accountId: string | null) {
    return this.repository.backlog(accountId);
  }

  async run(item: WorkItem, stopping: AbortSignal): Promise<void> {
    await this.queues.serve(item, stopping);
  }
}
