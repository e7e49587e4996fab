import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Due work needs no queue beside its own rows any more. Nothing is lost with it: it held notifications only, and what is
 * due is found by its row. A process of the version before works on without it, told of nothing, until it is replaced.
 */
export class OwnDueWork1763913600000 implements MigrationInterface {
  name = 'OwnDueWork1763913600000';

  async up(db: QueryRunner): Promise<void> {
    await db.query('DROP SCHEMA IF EXISTS pgboss CASCADE');
  }

  /** The version before makes its queue itself, at its start. */
  down(): Promise<void> {
    return Promise.resolve();
  }
}
