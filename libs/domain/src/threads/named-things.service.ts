import { threadIdOrNothing } from '@app/contracts/uuid.format';
import type { Visibility } from '@app/persistence/accounts/reach-scope';
import { ThreadListRepository } from '@app/persistence/threads/thread-list.repository';
import { Injectable } from '@nestjs/common';
import { UserNotFoundError } from '../accounts/people/people.errors';
import { StatusNotFoundError, ThreadsNotFoundError } from '../leads/lead.errors';
import { ScenarioNotFoundError } from '../scenarios/definition/scenario.errors';
import type { NamedIds } from './thread-filter.rules';

/** The stages, scenarios, people and dialogs that filters name. */
@Injectable()
export class NamedThings {
  constructor(private readonly threads: ThreadListRepository) {}

  /**
   * What a filter names must be of agents that the caller sees, whatever the filter finds.
   * @throws StatusNotFoundError, ScenarioNotFoundError, UserNotFoundError
   */
  async requireAll(
    of: Visibility,
    { statusId, statusIds = [], scenarioId, assigneeId }: NamedIds,
  ): Promise<void> {
    const stages = [statusId, ...statusIds].filter((id) => typeof id === 'string');
    if (stages.length === 0 && scenarioId === undefined && typeof assigneeId !== 'string') return;
    const named = { statusIds: stages, scenarioId, userId: assigneeId ?? undefined };
    const found = await this.threads.named(of, named);
    if (!found?.has_stages) throw new StatusNotFoundError();
    if (!found.has_scenario) throw new ScenarioNotFoundError();
    if (!found.has_user) throw new UserNotFoundError();
  }

  /** @throws ThreadsNotFoundError which names all that are wrong */
  async requireThreads(of: Visibility, threadIds: readonly string[]): Promise<void> {
    if (threadIds.length === 0) return;
    const ids = threadIds.map(threadIdOrNothing);
    const found = new Set<string>(await this.threads.matching(of, {}, ids));
    const wrong = ids.flatMap((id, index) => (found.has(id) ? [] : [`thread_ids[${index}]`]));
    if (wrong.length > 0) throw new ThreadsNotFoundError(wrong);
  }
}
