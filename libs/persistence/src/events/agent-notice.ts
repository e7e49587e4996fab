import { NIL_ID } from '@app/contracts/uuid.format';
import type { EntityManager } from 'typeorm';
import { appendAccountEvents } from './account-event.statements';
import { EventEntity } from './event.entity';

/**
 * Appends an event to each agent's feed that is about the agent, not about a dialog. Events of dialogs are told apart by the
 * dialog's version. These have no dialog, so the clock tells one from another.
 */
export async function tellBoardsOf(
  manager: EntityManager,
  accountId: string,
  assistantIds: readonly string[],
  type: string,
): Promise<void> {
  if (assistantIds.length === 0) return;
  await manager.insert(
    EventEntity,
    assistantIds.map((assistant_id) => ({
      ...{ account_id: accountId, assistant_id, thread_id: NIL_ID, type },
      version: () => '(extract(epoch FROM statement_timestamp()) * 1000)::bigint',
      at: () => 'statement_timestamp()',
      body: { by: 'SYSTEM', actor: null },
    })),
  );
}

/**
 * The same for the agents of bots whose numbers can send from now on, or no longer: each waiting card says so.
 * @param numbers rows with account_id and bot_id
 */
export const tellBoardsOfNumbers = (numbers: string): string =>
  appendAccountEvents(
    `(SELECT DISTINCT n.account_id, o.assistant_id, '{}'::jsonb AS body
        FROM ${numbers} n JOIN bots o ON o.account_id = n.account_id AND o.id = n.bot_id)`,
    `'funnel'`,
  );
