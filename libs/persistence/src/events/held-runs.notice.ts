import { NIL_ID } from '@app/contracts/uuid.format';
import type { EntityManager } from 'typeorm';
import { statement } from '../database/sql.statement';
import { runWith } from '../database/transaction.statements';
import { EventEntity } from './event.entity';

/** The type of an event that has no dialog: runs of scenarios are held, or go on. */
export const RUNS_HELD = 'runs_held';

const AGENTS = statement('held-runs-agents')
  .takes('accountId')
  .returns<Pick<EventEntity, 'assistant_id'>>(
    'SELECT id AS assistant_id FROM assistants WHERE account_id = :accountId ORDER BY id',
  );

/**
 * Tells boards that runs are shown as paused from now on, or no longer. An event for each agent: one for each dialog could
 * be hundreds of thousands. The clock tells one from another.
 * @param assistantId null: all agents of the account
 */
export async function tellBoardsOfHeldRuns(
  manager: EntityManager,
  accountId: string,
  assistantId: string | null,
): Promise<void> {
  const agents =
    assistantId === null ? await runWith(manager, AGENTS, { accountId }) : [{ assistant_id: assistantId }];
  if (agents.length === 0) return;
  await manager.insert(
    EventEntity,
    agents.map(({ assistant_id }) => ({
      ...{ account_id: accountId, assistant_id, thread_id: NIL_ID, type: RUNS_HELD },
      version: () => '(extract(epoch FROM statement_timestamp()) * 1000)::bigint',
      at: () => 'statement_timestamp()',
      body: { by: 'SYSTEM', actor: null },
    })),
  );
}
