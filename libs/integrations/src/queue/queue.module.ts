import { JobQueue } from '@app/domain/jobs/job.queue';
import { Module, type DynamicModule } from '@nestjs/common';
import { PgBossQueue, type QueueOptions } from './pg-boss.queue';

/** The queue of background work, for whoever rings. */
@Module({})
export class QueueModule {
  static forDatabase(options: QueueOptions): DynamicModule {
    return {
      module: QueueModule,
      global: true,
      providers: [
        { provide: PgBossQueue, useFactory: () => new PgBossQueue(options) },
        { provide: JobQueue, useExisting: PgBossQueue },
      ],
      exports: [JobQueue, PgBossQueue],
    };
  }
}
