import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How many of our messages count behind the customer's newest: a dialog waits while there is none. A message counts from
 * when it is stored, and no more once it has failed, so what is on its way now is counted here.
 */
export class AnswerCount1763992800000 implements MigrationInterface {
  name = 'AnswerCount1763992800000';

  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE threads ADD answer_count integer NOT NULL DEFAULT 0');
    await db.query(`
      UPDATE threads t SET answer_count = o.count, last_outbound_at = greatest(t.last_outbound_at, o.newest)
        FROM (SELECT m.account_id, m.thread_id, count(*)::int AS count, max(m.created_at) AS newest
                FROM messages m JOIN threads w ON w.account_id = m.account_id AND w.id = m.thread_id
               WHERE w.waiting_message_id IS NOT NULL AND m.status IN ('queued', 'sending', 'unknown') AND NOT m.inbound
                 AND coalesce(w.last_inbound_at < m.created_at, true)
               GROUP BY m.account_id, m.thread_id) o
       WHERE t.account_id = o.account_id AND t.id = o.thread_id`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(
      'UPDATE threads SET waiting_message_id = NULL, waiting_at = NULL WHERE waiting_message_id IS NOT NULL AND answer_count > 0',
    );
    await db.query('ALTER TABLE threads DROP answer_count');
  }
}
