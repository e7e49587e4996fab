import { Module, type DynamicModule, type Type } from '@nestjs/common';
import type { JobEdge } from './job.edge';
import { JobMetrics } from './job.metrics';
import { JOB_EDGES, JobRunner } from './job.runner';

/** Background work: the edges that this process runs, and none where ROLE is api. */
@Module({})
export class JobsModule {
  static running(edges: readonly Type<JobEdge>[]): DynamicModule {
    return {
      module: JobsModule,
      providers: [
        ...edges,
        { provide: JOB_EDGES, useFactory: (...all: JobEdge[]) => all, inject: [...edges] },
        JobMetrics,
        JobRunner,
      ],
    };
  }
}
