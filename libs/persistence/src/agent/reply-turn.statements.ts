/**
 * The statement part that takes up a waiting message: at most once, unless the earlier turn can no longer speak (it
 * belongs to a former epoch) and nothing of it went out. ON CONFLICT looks at the newest row, so two at once take
 * it up once.
 * @param rows a SELECT of id, waiting_message_id, ai_epoch, at; $1 of the statement is the account.
 */
export const turnFor = (rows: string): string => `
    INSERT INTO reply_turns AS r (account_id, thread_id, message_id, epoch, due_at)
    SELECT $1, a.id, a.waiting_message_id, a.ai_epoch, a.at FROM (${rows}) a
    ON CONFLICT (account_id, message_id) DO UPDATE
      SET epoch = excluded.epoch, due_at = excluded.due_at, state = 'due'
      WHERE r.epoch < excluded.epoch AND NOT r.handed_off
    RETURNING r.id`;
