import { setTimeout as sleep } from 'node:timers/promises';
import { RunQueueRepository } from '@app/persistence/scenarios/runs/run-queue.repository';
import { Injectable } from '@nestjs/common';

const LOOK_EVERY_MS = 2;

/** Effects of scenarios outside, between their permit and their first byte. */
@Injectable()
export class RunPermits {
  constructor(private readonly queues: RunQueueRepository) {}

  /**
   * Resolves when no process holds the permit that is out now for an effect of a run in the dialog. That takes some
   * milliseconds, and a second at most, because an unused permit is void then. Call it after the commit that ends or
   * holds the run. Later permits are of runs that may go on, and are not waited for.
   */
  async untilNone(accountId: string, threadId: string): Promise<void> {
    const first = await this.queues.permitUnderWay(accountId, threadId);
    if (first === null) return;
    do await sleep(LOOK_EVERY_MS);
    while ((await this.queues.permitUnderWay(accountId, threadId)) === first);
  }
}
