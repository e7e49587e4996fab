import { Module, type DynamicModule, type Type } from '@nestjs/common';
import type { JobEdge } from './job.edge';
import { JobMetrics } from './job.metrics';
import { JOB_EDGES, JobRunner } from './job.runner';
import { ReplyMetrics } from './reply.metrics';
import { UpkeepRunner } from './upkeep.runner';

/** Background work: the edges that this process runs, and the upkeep; none where ROLE is api. */
@Module({})
export class JobsModule {
  static running(edges: readonly Type<JobEdge>[], keepsUp: boolean): DynamicModule {
    return {
      module: JobsModule,
      providers: [
        ...edges,
        { provide: JOB_EDGES, useFactory: (...all: JobEdge[]) => all, inject: [...edges] },
        ReplyMetrics,
        JobMetrics,
        JobRunner,
        ...(keepsUp ? [UpkeepRunner] : []),
      ],
    };
  }
}
