import type { Visibility } from '@app/persistence/accounts/visibility.scope';
import { ThreadListRepository } from '@app/persistence/threads/thread-list.repository';
import type { ThreadFilter } from '@app/persistence/threads/thread.filter';
import { Injectable } from '@nestjs/common';
import { UserNotFoundError } from '../accounts/sign-in.errors';
import { StatusNotFoundError } from '../leads/lead.errors';
import { ScenarioNotFoundError } from '../scenarios/scenario.errors';

/** The stages, scenarios and people that filters name. */
@Injectable()
export class NamedThings {
  constructor(private readonly threads: ThreadListRepository) {}

  /** @throws StatusNotFoundError, ScenarioNotFoundError, UserNotFoundError for one that the caller does not see */
  async requireAll(of: Visibility, filter: ThreadFilter): Promise<void> {
    for (const id of [filter.statusId, ...(filter.statusIds ?? [])])
      if (typeof id === 'string' && !(await this.threads.stageExists(of, id)))
        throw new StatusNotFoundError();
    if (filter.scenarioId && !(await this.threads.scenarioExists(of, filter.scenarioId)))
      throw new ScenarioNotFoundError();
    if (filter.assigneeId && !(await this.threads.userExists(of, filter.assigneeId)))
      throw new UserNotFoundError();
  }
}
