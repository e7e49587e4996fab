import { ThreadSearchRepository } from '@app/persistence/threads/thread-search.repository';
import type { WorkBacklog } from '@app/persistence/work/work.statements';
import { Injectable } from '@nestjs/common';
import { WORK_TIMES } from '../work/work-times';
import { Worker, type WorkItem } from '../work/worker';
import { describeDialogs } from './search.words';

/**
 * The worker that makes new messages and customers findable, within a second or two. An item is an account. Several
 * processes may do it at once: each takes other messages, and words are only added.
 */
@Injectable()
export class ThreadSearchWorker extends Worker {
  readonly name = 'thread-search';
  readonly actsOutside = false;
  readonly concurrency = 2;
  readonly sweepEveryMs = WORK_TIMES.sweepMs;
  readonly finds = ['search'] as const;

  constructor(private readonly search: ThreadSearchRepository) {
    super();
  }

  async findDue(): Promise<readonly WorkItem[]> {
    return (await this.search.dueAccounts()).map((id) => ({ accountId: id, id }));
  }

  backlog(accountId: string | null): Promise<WorkBacklog | undefined> {
    return this.search.backlog(accountId);
  }

  async run({ id }: WorkItem, stopping: AbortSignal): Promise<void> {
    let taken = 1;
    while (taken > 0 && !stopping.aborted)
      taken = await this.search.addSome(id, (dialogs) => describeDialogs(id, dialogs));
  }
}
