import { ReplyWorker } from '@app/domain/agent/reply.worker';
import { SendQueueWorker } from '@app/domain/messages/send-queue.worker';
import { RetentionWorker } from '@app/domain/retention/retention.worker';
import { InboundWebhookWorker } from '@app/domain/webhooks/inbound-webhook.worker';
import { WORKERS, WorkRunner } from '@app/domain/work/work.runner';
import type { Worker } from '@app/domain/work/worker';
import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { ReplyMetrics } from './reply.metrics';
import { WorkMetrics } from './work.metrics';

/** All kinds of due work, which run where ROLE is worker or all. */
export const ALL_WORKERS: readonly Type<Worker>[] = [
  ReplyWorker,
  SendQueueWorker,
  InboundWebhookWorker,
  RetentionWorker,
];

/** Due work: the workers that this process runs; none where ROLE is api. */
@Module({})
export class WorkModule {
  static running(workers: readonly Type<Worker>[]): DynamicModule {
    return {
      module: WorkModule,
      providers: [
        ...workers,
        { provide: WORKERS, useFactory: (...all: Worker[]) => all, inject: [...workers] },
        ReplyMetrics,
        WorkMetrics,
        WorkRunner,
      ],
    };
  }
}
