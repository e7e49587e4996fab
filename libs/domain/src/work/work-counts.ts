import { Injectable } from '@nestjs/common';
import { WORK_NAMES, type WorkName } from './worker';

interface WorkCount {
  /** Items that ended or failed since the process began. */
  done: number;
  failed: number;
  /** Items that are running now. */
  inFlight: number;
}

/** What this process has done of each kind of due work, for metrics. */
@Injectable()
export class WorkCounts {
  private readonly counts = new Map<WorkName, WorkCount>(
    WORK_NAMES.map((name) => [name, { done: 0, failed: 0, inFlight: 0 }]),
  );

  of(name: WorkName): WorkCount {
    const count = this.counts.get(name);
    if (!count) throw new Error(`there is no due work by the name ${name}`);
    return count;
  }

  all(): ReadonlyMap<WorkName, Readonly<WorkCount>> {
    return this.counts;
  }
}
