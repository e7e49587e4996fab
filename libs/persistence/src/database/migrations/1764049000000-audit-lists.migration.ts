import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lists of the audit over all accounts, and the refusals of the last minute. */
export class AuditLists1764049000000 implements MigrationInterface {
  name = 'AuditLists1764049000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query('CREATE INDEX IF NOT EXISTS audit_entries_any_actor ON audit_entries (actor_id, at, id)');
    await db.query('CREATE INDEX IF NOT EXISTS audit_entries_any_action ON audit_entries (action, at, id)');
    await db.query(
      'CREATE INDEX IF NOT EXISTS audit_entries_any_subject ON audit_entries (subject_id, at, id)',
    );
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP INDEX audit_entries_any_subject');
    await db.query('DROP INDEX audit_entries_any_action');
    await db.query('DROP INDEX audit_entries_any_actor');
  }
}
