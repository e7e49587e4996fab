/**
 * The statement part that takes up a waiting message: at most once, unless the earlier turn can no longer speak (it
 * belongs to a former epoch, or is over) and nothing of it went out. ON CONFLICT looks at the newest row, so two at once
 * take it up once.
 * @param rows a SELECT of id, waiting_message_id, ai_epoch, due_at; $1 of the statement is the account.
 */
export const turnFor = (rows: string): string => `
    INSERT INTO reply_turns AS r (account_id, thread_id, message_id, epoch, due_at)
    SELECT $1, a.id, a.waiting_message_id, a.ai_epoch, a.due_at FROM (${rows}) a
    ON CONFLICT (account_id, message_id) DO UPDATE
      SET epoch = excluded.epoch, due_at = excluded.due_at, state = 'due', lease_token = NULL, lease_until = NULL,
          attempts = 0, model_failures = 0, tool_calls = 0, created_at = clock_timestamp()
      WHERE NOT r.handed_off AND (r.epoch < excluded.epoch OR ${isOver('r')})
    RETURNING r.id`;

/** Whether a turn ended without having said anything. */
export const isOver = (turn: string): string => `${turn}.state IN ('discarded', 'failed')`;

/** Whether the stage of a dialog, `t`, lets its agent answer; one younger than the statement does not. */
export const stageLetsAnswer = (t: string, account = '$1'): string => `(${t}.status_id IS NULL OR coalesce(
  (SELECT st.ai_enabled FROM statuses st WHERE st.account_id = ${account} AND st.id = ${t}.status_id), false))`;
