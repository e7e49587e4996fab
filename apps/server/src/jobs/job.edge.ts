import type { JobIds, JobKind } from '@app/domain/jobs/job.queue';

/**
 * Where background work enters a feature, beside its controller: holds no rule, asks the domain. It is safe to run
 * twice and for nothing, on several processes at once. Listed in `server.module.ts`, it runs where ROLE is worker or all.
 */
export abstract class JobEdge {
  abstract readonly kind: JobKind;

  /** How many jobs of this kind one process runs at a time. */
  abstract readonly concurrency: number;

  /** In milliseconds, from one sweep's end to the next one's begin. */
  readonly sweepEveryMs: number = 1_000;

  /**
   * Does what the ids point to. What it throws is logged and counted, and the job is over: the sweep finds what is left.
   * @param stopping aborted when the process ends, which waits some seconds for what runs: begin nothing new then.
   */
  abstract handle(ids: JobIds, stopping: AbortSignal): Promise<void>;

  /** Finds the rows that nobody has been told of, as those of a process that died, and rings for them. */
  abstract sweep(): Promise<void>;
}
