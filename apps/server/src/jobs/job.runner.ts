import { JobQueue, type JobIds } from '@app/domain/jobs/job.queue';
import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { JobEdge } from './job.edge';
import { JobMetrics } from './job.metrics';
import { RepeatedSweep } from './repeated.sweep';

/** All edges of the process. */
export const JOB_EDGES = Symbol('JOB_EDGES');

/** Runs the edges' handlers and sweeps from the start of the process until it is told to end. */
@Injectable()
export class JobRunner implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown {
  private readonly logger = new Logger(JobRunner.name);
  private readonly stopping = new AbortController();
  private readonly sweeps: RepeatedSweep[] = [];

  constructor(
    @Inject(JOB_EDGES) private readonly edges: readonly JobEdge[],
    private readonly queue: JobQueue,
    private readonly metrics: JobMetrics,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    for (const edge of this.edges) {
      await this.queue.work(edge.kind, edge.concurrency, (ids) => this.handle(edge, ids));
      const sweep = new RepeatedSweep(edge.kind, edge.sweepEveryMs, () => edge.sweep(), this.logger);
      this.sweeps.push(sweep);
      sweep.start();
    }
  }

  /** From here on nothing new begins; the queue waits for the handlers that run. */
  onModuleDestroy(): void {
    this.stopping.abort();
    for (const sweep of this.sweeps) sweep.end();
  }

  /** Before the pools end. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.sweeps.map((sweep) => sweep.over()));
  }

  private async handle(edge: JobEdge, ids: JobIds): Promise<void> {
    try {
      await edge.handle(ids, this.stopping.signal);
      this.metrics.jobDone(edge.kind, 'done');
    } catch (error) {
      this.metrics.jobDone(edge.kind, 'failed');
      this.logger.error(
        { err: error, kind: edge.kind, ids },
        'A job failed; the next sweep finds what is left.',
      );
    }
  }
}
