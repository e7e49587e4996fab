import type { TestDatabase } from '../database/test.database';

/**
 * Gives a database a clock that the test holds: connections that come later find these functions before PostgreSQL's
 * own. Call it before its servers start.
 * @returns sets the clock, which goes on from there
 */
export async function holdClock({ pool }: TestDatabase): Promise<(at: string) => Promise<void>> {
  await pool.query(`
    CREATE SCHEMA held;
    CREATE TABLE held.clock (ahead interval NOT NULL);
    INSERT INTO held.clock VALUES ('0');
    CREATE FUNCTION held.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE
      RETURN pg_catalog.clock_timestamp() + (SELECT ahead FROM held.clock);
    CREATE FUNCTION held.now() RETURNS timestamptz LANGUAGE sql STABLE
      RETURN pg_catalog.now() + (SELECT ahead FROM held.clock);
    CREATE FUNCTION held.transaction_timestamp() RETURNS timestamptz LANGUAGE sql STABLE RETURN held.now();
    DO $$ BEGIN
      EXECUTE format('ALTER DATABASE %I SET search_path = public, held, pg_catalog', current_database());
    END $$`);
  return async (at) => {
    await pool.query('UPDATE held.clock SET ahead = $1::timestamptz - pg_catalog.clock_timestamp()', [at]);
  };
}
