import { idOrNothing } from '@app/contracts/uuid.format';
import type { Visibility } from '@app/persistence/accounts/visibility.scope';
import { ThreadListRepository } from '@app/persistence/threads/thread-list.repository';
import type { ThreadFilter } from '@app/persistence/threads/thread.filter';
import { Injectable } from '@nestjs/common';
import { UserNotFoundError } from '../accounts/sign-in.errors';
import { StatusNotFoundError } from '../leads/lead.errors';
import { ScenarioNotFoundError } from '../scenarios/scenario.errors';

type NamingFilter = Pick<ThreadFilter, 'statusId' | 'statusIds' | 'scenarioId' | 'assigneeId'>;

/** The stages, scenarios and people that filters name. */
@Injectable()
export class NamedThings {
  constructor(private readonly threads: ThreadListRepository) {}

  /**
   * Whatever the filter finds. A malformed id is an unknown one.
   * @throws StatusNotFoundError, ScenarioNotFoundError, UserNotFoundError for one that the caller does not see
   */
  async requireAll(
    of: Visibility,
    { statusId, statusIds = [], scenarioId, assigneeId }: NamingFilter,
  ): Promise<void> {
    const stages = [statusId, ...statusIds].filter((id) => typeof id === 'string').map(idOrNothing);
    const userId = typeof assigneeId === 'string' ? idOrNothing(assigneeId) : undefined;
    if (stages.length === 0 && scenarioId === undefined && userId === undefined) return;
    const named = {
      statusIds: stages,
      scenarioId: scenarioId === undefined ? undefined : idOrNothing(scenarioId),
      userId,
    };
    const found = await this.threads.named(of, named);
    if (!found?.has_stages) throw new StatusNotFoundError();
    if (!found.has_scenario) throw new ScenarioNotFoundError();
    if (!found.has_user) throw new UserNotFoundError();
  }
}
