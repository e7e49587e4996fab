import { Injectable } from '@nestjs/common';
import { WorkDatabase } from './database.service';
import { statement } from './sql.statements';

/** A table is analysed from so many rows on: with fewer, every plan is good. */
const ROWS_LEAST = 500;
/** Up to so many: a larger one takes a second, and grows by the tenth that autovacuum waits for before it doubles. */
const ROWS_MOST = 1_000_000;
/** Well within the time limit of a statement. */
const ROUND_SECONDS = 2;

/** A table that somebody has locked, or another process analyses, is passed over. */
const ANALYSE = statement('table-statistics-renew').returns(`
  DO $$
  DECLARE
    grown record;
  BEGIN
    FOR grown IN
      SELECT c.oid::regclass AS name FROM pg_class c JOIN pg_stat_user_tables s ON s.relid = c.oid
       WHERE s.schemaname = current_schema() AND pg_has_role(c.relowner, 'USAGE')
         AND s.n_live_tup BETWEEN ${ROWS_LEAST} AND ${ROWS_MOST} AND s.n_live_tup > 2 * greatest(c.reltuples, 0)
       ORDER BY random()
    LOOP
      EXECUTE format('ANALYZE (SKIP_LOCKED) %s', grown.name);
      EXIT WHEN clock_timestamp() > now() + interval '${ROUND_SECONDS} s';
    END LOOP;
  END $$`);

/** What PostgreSQL's planner knows of our tables. */
@Injectable()
export class TableStatisticsRepository {
  constructor(private readonly database: WorkDatabase) {}

  /**
   * Has tables analysed that have more than doubled since they were, so that no session keeps a plan for the size they had.
   * @throws DatabaseUnavailableError
   */
  async renew(): Promise<void> {
    await this.database.run(ANALYSE);
  }
}
