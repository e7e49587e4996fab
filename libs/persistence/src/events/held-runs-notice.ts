import type { EntityManager } from 'typeorm';
import { statement } from '../database/sql.statements';
import { runWith } from '../database/transaction.statements';
import { tellBoardsOf } from './agent-notice';
import type { EventEntity } from './event.entity';

/** The type of an event that has no dialog: runs of scenarios are held, or go on. */
export const RUNS_HELD = 'runs_held';

const AGENTS = statement('held-runs-agents')
  .takes('accountId')
  .returns<Pick<EventEntity, 'assistant_id'>>(
    'SELECT id AS assistant_id FROM assistants WHERE account_id = :accountId ORDER BY id',
  );

/**
 * Tells boards that runs are shown as paused from now on, or no longer. An event for each agent: one for each dialog could
 * be hundreds of thousands.
 * @param assistantId null: all agents of the account
 */
export async function tellBoardsOfHeldRuns(
  manager: EntityManager,
  accountId: string,
  assistantId: string | null,
): Promise<void> {
  const ids =
    assistantId === null
      ? (await runWith(manager, AGENTS, { accountId })).map((agent) => agent.assistant_id)
      : [assistantId];
  // Cards say why they wait, so the automation of a whole account changes more than the runs.
  await tellBoardsOf(manager, accountId, ids, assistantId === null ? 'funnel' : RUNS_HELD);
}
