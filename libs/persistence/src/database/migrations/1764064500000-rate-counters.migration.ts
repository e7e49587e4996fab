import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Calls of people, and of keys with a raised limit, are counted by sums: see `rate-counter.statements.ts`. What was counted
 * stays counted. Processes of the former version go on with `rate_buckets` as long as they run, and a later version drops it:
 * until they have stopped, a limit holds for each version by itself.
 */
export class RateCounters1764064500000 implements MigrationInterface {
  name = 'RateCounters1764064500000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE rate_counters (
        key_id uuid NOT NULL,
        scope text NOT NULL,
        head bigint NOT NULL,
        sums bigint[] NOT NULL,
        CONSTRAINT rate_counters_pkey PRIMARY KEY (key_id, scope)
      ) WITH (fillfactor = 40, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 200)`);
    await db.query(`
      INSERT INTO rate_counters (key_id, scope, head, sums)
      SELECT key_id, scope, head, 0::bigint || ARRAY(
               SELECT sum(c) OVER (ORDER BY i DESC)::bigint FROM unnest(counts) WITH ORDINALITY AS u (c, i) ORDER BY i DESC)
        FROM rate_buckets`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE rate_counters');
  }
}
