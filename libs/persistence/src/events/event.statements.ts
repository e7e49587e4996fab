import type { AccountEventType } from '@app/contracts/board-events';
import { NIL_ID } from '@app/contracts/uuid.format';
import type { EntityManager } from 'typeorm';
import { statement, runWith } from '../database/sql.statements';
import type { Transaction } from '../database/database.service';
import { type EventBody, EventEntity } from './event.entity';

/*
 * Events get their numbers in one order and become visible in another. Whoever has a number below one that is visible took it
 * before, in a transaction older than any that begins now. So nothing can appear below a number once every transaction is over
 * that is older than one that began after the number was seen.
 */

/** A transaction that begins now. It writes to the database's log, so it is asked for only where a number is to be remembered. */
export const CURRENT_XID = statement('events-current-xid').returns<{ xid: string }>(
  'SELECT pg_current_xact_id()::text AS xid',
);

/** The oldest transaction that is not over, an expression. */
export const OLDEST_XID = 'pg_snapshot_xmin(pg_current_snapshot())::text';

/**
 * Appends events that are about no dialog: the clock tells one from another, as a dialog's version does. Boards, histories and
 * figures pass them by. No other statement inserts such events, but for those that are for boards.
 * @param events rows with account_id; assistant_id, null where it is about no agent; and body: its facts, by ids
 * @param type an expression
 */
export const appendAccountEvents = (
  events: string,
  type: `'${AccountEventType | 'funnel'}'` | ':type::text',
): string => `
    INSERT INTO events (account_id, thread_id, assistant_id, version, type, at, body)
    SELECT e.account_id, '${NIL_ID}', coalesce(e.assistant_id, '${NIL_ID}'),
           (extract(epoch FROM clock_timestamp()) * 1000)::bigint, ${type}, clock_timestamp(),
           jsonb_build_object('by', 'SYSTEM', 'actor', NULL, 'request_id', NULL) || e.body
      FROM ${events} e
    RETURNING seq`;

const APPEND_ACCOUNT_EVENT = statement('account-events-append').takes(
  'accountId',
  'assistantId',
  'type',
  'body',
).returns(`
  WITH given AS (SELECT :accountId::uuid AS account_id, :assistantId::uuid AS assistant_id, :body::jsonb AS body)
  ${appendAccountEvents('given', ':type::text')}`);

/** An event that is about no dialog. */
export interface AccountEvent {
  accountId: string;
  /** Null: it is about no agent. */
  assistantId: string | null;
  type: AccountEventType;
  /** Its facts, and who did it where that was not the service itself. */
  body: Partial<EventBody> & Record<string, unknown>;
}

/** Appends one in a transaction. */
export async function appendAccountEvent(within: Transaction, event: AccountEvent): Promise<void> {
  const { accountId, assistantId, type, body } = event;
  await within.run(APPEND_ACCOUNT_EVENT, { accountId, assistantId, type, body: JSON.stringify(body) });
}

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
