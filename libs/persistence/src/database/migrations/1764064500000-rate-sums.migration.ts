import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Windows of whole seconds keep sums instead of counts: see `rate-bucket.fragments.ts`. What they counted stays counted. */
export class RateSums1764064500000 implements MigrationInterface {
  name = 'RateSums1764064500000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE rate_buckets ADD COLUMN sums bigint[];
      UPDATE rate_buckets SET sums = 0::bigint || ARRAY(
        SELECT sum(c) OVER (ORDER BY i DESC)::bigint FROM unnest(counts) WITH ORDINALITY AS u (c, i) ORDER BY i DESC);
      ALTER TABLE rate_buckets ALTER COLUMN sums SET NOT NULL, DROP COLUMN counts`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE rate_buckets ADD COLUMN counts integer[];
      UPDATE rate_buckets SET counts = ARRAY(SELECT (sums[i] - sums[i - 1])::int FROM generate_series(62, 2, -1) i);
      ALTER TABLE rate_buckets ALTER COLUMN counts SET NOT NULL, DROP COLUMN sums`);
  }
}
