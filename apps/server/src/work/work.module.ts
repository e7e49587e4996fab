import { ReplyWorker } from '@app/domain/agent/replies.service';
import { ArchivedStagesWorker } from '@app/domain/assistants/stage-emptying.service';
import { FiguresWorker } from '@app/domain/figures/figures.worker';
import { ScenarioWorker } from '@app/domain/scenarios/runs/scenario.worker';
import { SendQueueWorker } from '@app/domain/messages/batches/send-queue.worker';
import { MediaWorker } from '@app/domain/media/media-fetching.service';
import { TranscriptsWorker } from '@app/domain/media/transcription.service';
import { RetentionWorker } from '@app/domain/retention/retention.service';
import { ThreadSearchWorker } from '@app/domain/threads/thread-search.worker';
import { WebhooksOutWorker } from '@app/domain/webhooks-out/sending/webhooks-out.worker';
import { ImportWorker } from '@app/domain/transfer/import-turns.service';
import { InboundWebhookWorker } from '@app/domain/webhooks/inbound-webhook.worker';
import { WorkBacklogs } from '@app/domain/work/work-counts';
import { WorkRunner } from '@app/domain/work/work-runner';
import { WORKERS, type Worker } from '@app/domain/work/worker';
import type { Settings } from '@app/config/settings-config';
import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { EndpointMetrics, ReplyMetrics, ScenarioMetrics, WorkMetrics } from './work.metrics';
import { WorkController } from './work.controller';

/** All kinds of due work. */
export const ALL_WORKERS: readonly Type<Worker>[] = [
  ReplyWorker,
  ScenarioWorker,
  ArchivedStagesWorker,
  SendQueueWorker,
  InboundWebhookWorker,
  MediaWorker,
  TranscriptsWorker,
  RetentionWorker,
  FiguresWorker,
  ThreadSearchWorker,
  WebhooksOutWorker,
  ImportWorker,
];

/** Due work: what there is of it on all processes, and its workers, which run unless the role is api. */
@Module({})
export class WorkModule {
  static forRole(role: Settings['role'], workers: readonly Type<Worker>[]): DynamicModule {
    return {
      module: WorkModule,
      controllers: role === 'worker' ? [] : [WorkController],
      providers: [
        ...workers,
        { provide: WORKERS, useFactory: (...all: Worker[]) => all, inject: [...workers] },
        WorkBacklogs,
        EndpointMetrics,
        ReplyMetrics,
        ScenarioMetrics,
        WorkMetrics,
        ...(role === 'api' ? [] : [WorkRunner]),
      ],
    };
  }
}
