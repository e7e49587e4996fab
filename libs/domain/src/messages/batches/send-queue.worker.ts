import { QuotaNoticeRepository } from '@app/persistence/messages/batches/quota-notice.repository';
import { SendQueueRepository } from '@app/persistence/messages/batches/send-queue.repository';
import { Injectable } from '@nestjs/common';
import { EventNotifier } from '../../events/event-notifier.service';
import { WORK_TIMES } from '../../work/work-times';
import { Worker, type WorkItem } from '../../work/worker';
import { BotTroubles } from '../delivery/bot-troubles.service';
import { BatchClosing } from './batch-progress.service';
import { SendQueues } from './send-queues.service';

/** It reads a row of each account, so less often than each second. */
const LOOK_EVERY_MS = 5_000;

/** Tells that an account's messages of the month run out. Sends do nothing for it. */
@Injectable()
export class QuotaNotices {
  private lookedAt = -Infinity;

  constructor(
    private readonly notices: QuotaNoticeRepository,
    private readonly eventNotifier: EventNotifier,
  ) {}

  /** May be called more often than it looks. */
  async sweep(): Promise<void> {
    if (performance.now() - this.lookedAt < LOOK_EVERY_MS) return;
    this.lookedAt = performance.now();
    if ((await this.notices.tell()) > 0) this.eventNotifier.notify(null);
  }
}

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
