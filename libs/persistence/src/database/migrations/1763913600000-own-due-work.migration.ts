import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Due work needs no separate queue any more. Nothing is lost: the queue held notifications only, and due work is
 * found by its rows. A process of the former version works on without it, and finds its work by sweeps until it is
 * replaced.
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
