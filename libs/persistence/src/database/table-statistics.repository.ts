import { Injectable } from '@nestjs/common';
import { WorkDatabase } from './database.service';
import { statement } from './sql.statement';

/** A table is analysed from so many rows on: with fewer, every plan is good. */
const ROWS_LEAST = 500;
/** An arbitrary constant that nothing else in this database uses. A process that finds it taken leaves the tables to the other. */
const ANALYSIS_LOCK = 4_711_002;

/** The table that has grown most since it was analysed: one a statement, for a large one takes up to a second. */
const ANALYSE = statement('table-statistics-renew').returns(`
  DO $$
  DECLARE
    grown record;
  BEGIN
    IF NOT pg_try_advisory_xact_lock(${ANALYSIS_LOCK}) THEN RETURN; END IF;
    FOR grown IN
      SELECT s.relid::regclass AS name FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid
       WHERE s.schemaname = current_schema() AND s.n_live_tup >= ${ROWS_LEAST} AND s.n_live_tup > 2 * greatest(c.reltuples, 0)
       ORDER BY s.n_live_tup / greatest(c.reltuples, 1) DESC LIMIT 1
    LOOP
      EXECUTE format('ANALYZE %s', grown.name);
    END LOOP;
  END $$`);

/** What PostgreSQL's planner knows of our tables. */
@Injectable()
export class TableStatisticsRepository {
  constructor(private readonly database: WorkDatabase) {}

  /**
   * Has a table analysed that has more than doubled since it was, so that no session keeps a plan for the size it had.
   * @throws DatabaseUnavailableError
   */
  async renew(): Promise<void> {
    await this.database.run(ANALYSE);
  }
}
