import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The tools of an agent besides the built-in ones. The schema keeps the order of its fields, because a model reads
 * them in that order. The headers, names and values, are one sealed text; their names are stored separately to be
 * shown.
 */
export class AssistantTools1763895600000 implements MigrationInterface {
  name = 'AssistantTools1763895600000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE assistant_tools (
        account_id uuid NOT NULL,
        id uuid NOT NULL,
        assistant_id uuid NOT NULL,
        name text NOT NULL CHECK (name ~ '^[a-z_][a-z0-9_]{0,63}$'),
        description text NOT NULL,
        method text NOT NULL CHECK (method IN ('GET', 'POST', 'PUT', 'PATCH', 'DELETE')),
        url text NOT NULL,
        parameters json NOT NULL,
        auto_fill jsonb NOT NULL,
        header_names text[] NOT NULL,
        headers_key_id text,
        headers bytea,
        timeout_ms integer NOT NULL CHECK (timeout_ms BETWEEN 1000 AND 30000),
        enabled boolean NOT NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (account_id, id),
        CHECK ((headers IS NULL) = (headers_key_id IS NULL)),
        FOREIGN KEY (account_id, assistant_id) REFERENCES assistants (account_id, id)
      );
      CREATE UNIQUE INDEX assistant_tools_name ON assistant_tools (account_id, assistant_id, name);
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE assistant_tools');
  }
}
