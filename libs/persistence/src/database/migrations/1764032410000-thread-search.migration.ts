import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Dialogs are found by the words of their customers, phones and messages. The words are folded by the service, not by the
 * database's locale, and written a second after the message. A trigger notes what is new, so that no statement that stores
 * a message can forget it, that of a former version included. Existing dialogs are added in the background.
 */
export class ThreadSearch1764032410000 implements MigrationInterface {
  name = 'ThreadSearch1764032410000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE thread_search (
        account_id uuid NOT NULL,
        thread_id uuid NOT NULL,
        customer_words tsvector NOT NULL,
        words tsvector NOT NULL,
        CONSTRAINT thread_search_pkey PRIMARY KEY (account_id, thread_id)
      )`);
    // A search reads the pending entries one by one, so there are few.
    await db.query(`
      CREATE INDEX thread_search_words ON thread_search USING gin ((customer_words || words))
        WITH (gin_pending_list_limit = 256)`);
    await db.query(`
      CREATE TABLE search_queue (
        account_id uuid NOT NULL,
        id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
        thread_id uuid NOT NULL,
        message_id uuid,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        CONSTRAINT search_queue_pkey PRIMARY KEY (account_id, id)
      )`);
    await db.query(
      'CREATE INDEX search_queue_dialogs ON search_queue (account_id, id) WHERE message_id IS NULL',
    );
    await db.query(`
      CREATE FUNCTION note_searched_messages() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO search_queue (account_id, thread_id, message_id) SELECT account_id, thread_id, id FROM stored;
        RETURN NULL;
      END $$`);
    await db.query(`
      CREATE TRIGGER messages_are_searched AFTER INSERT ON messages REFERENCING NEW TABLE AS stored
        FOR EACH STATEMENT EXECUTE FUNCTION note_searched_messages()`);
    await db.query(
      'INSERT INTO search_queue (account_id, thread_id) SELECT account_id, id FROM threads ORDER BY id DESC',
    );
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TRIGGER messages_are_searched ON messages');
    await db.query('DROP FUNCTION note_searched_messages()');
    await db.query('DROP TABLE search_queue');
    await db.query('DROP TABLE thread_search');
  }
}
