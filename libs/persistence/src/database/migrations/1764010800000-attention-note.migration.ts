import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A card says why an operator is asked for, what the reason does not say, and since when. For dialogs in which one is
 * asked for already, the newest entry of the log says the latter two.
 */
export class AttentionNote1764010800000 implements MigrationInterface {
  name = 'AttentionNote1764010800000';

  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE threads ADD attention_note text, ADD attention_since timestamptz');
    await db.query(`
      UPDATE threads t SET attention_since = coalesce(e.at, t.last_activity_at), attention_note = e.note
        FROM threads asked LEFT JOIN LATERAL (
          SELECT h.at, h.body ->> 'note' AS note FROM events h
           WHERE h.account_id = asked.account_id AND h.thread_id = asked.id AND h.type = 'attention'
           ORDER BY h.seq DESC LIMIT 1) e ON true
       WHERE asked.attention IS NOT NULL AND t.account_id = asked.account_id AND t.id = asked.id`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE threads DROP attention_note, DROP attention_since');
  }
}
