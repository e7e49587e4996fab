import type { AccountEventType } from '@app/contracts/board-events';
import { NIL_ID } from '@app/contracts/uuid.format';
import type { Transaction } from '../database/database.service';
import { statement } from '../database/sql.statements';
import type { EventBody } from './event.entity';

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
