import { migrate } from '@app/persistence/database/migration-runner';
import { notificationConnection } from '@app/persistence/work/notifications-connection';
import { Pool } from 'pg';
import { eventually } from '../../support/eventually';
import { OWN_DATABASE_TIMES } from '../../support/programs/test.limits';
import { setScene } from '../../support/scenes/base.scene';
import { createDatabase } from '../../support/database/test.database';

/** What a hosting provider may write into its addresses, and what somebody may who read about time limits. */
const PARAMETERS = new URLSearchParams({
  options:
    '-c search_path=hosted,public -c statement_timeout=0 -c synchronous_commit=on -c plan_cache_mode=auto',
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  // A millisecond: no statement of ours is answered so soon.
  query_timeout: '1',
  application_name: 'hosted',
});

describe('parameters of DATABASE_URL', () => {
  const scene = setScene({ parameters: PARAMETERS, environment: OWN_DATABASE_TIMES });

  beforeAll(async () => {
    // What the session that writes is set to: no other session can ask.
    await scene.database.pool.query(`
      CREATE TABLE seen (written text, setting text, value text);
      CREATE FUNCTION look() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO public.seen SELECT TG_TABLE_NAME, name, current_setting(name) FROM unnest(ARRAY[
          'statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'synchronous_commit',
          'plan_cache_mode', 'enable_seqscan', 'search_path', 'application_name']) name;
        RETURN NULL; END $$;
      CREATE TRIGGER looking AFTER INSERT ON rate_windows FOR EACH ROW EXECUTE FUNCTION look();
      CREATE TRIGGER looking AFTER INSERT ON events FOR EACH ROW EXECUTE FUNCTION look()`);
    const key = await scene.account.addKey({ limitLeads: null });
    const moved = await scene
      .apiAt(0, key)
      .setStatus({ thread_id: await scene.account.addThread(), status_id: scene.stage(0) });
    expect(moved.status).toBe(200);
  });

  const seenBy = async (table: string): Promise<object> => {
    const { rows } = await scene.database.pool.query<{ setting: string; value: string }>(
      'SELECT DISTINCT setting, value FROM seen WHERE written = $1',
      [table],
    );
    return Object.fromEntries(rows.map(({ setting, value }) => [setting, value]));
  };

  const LIMITS = {
    statement_timeout: '5s',
    lock_timeout: '2s',
    idle_in_transaction_session_timeout: '5s',
  };

  it('leave the limits of the connections as they are, and what else they set as they say', async () => {
    expect(await seenBy('events')).toMatchObject({
      ...LIMITS,
      application_name: 'leadline',
      search_path: 'hosted,public',
      synchronous_commit: 'on',
    });
  });

  it('take nothing from what the counting of calls sets for itself', async () => {
    expect(await seenBy('rate_windows')).toMatchObject({
      ...LIMITS,
      application_name: 'leadline admission',
      search_path: 'hosted,public',
      synchronous_commit: 'off',
      plan_cache_mode: 'force_generic_plan',
      enable_seqscan: 'off',
    });
  });

  it('take nothing from the limits of the connection for notifications', async () => {
    const pool = new Pool(notificationConnection(`${scene.database.url}?${PARAMETERS.toString()}`));
    try {
      const { rows } = await pool.query<{ name: string; value: string }>(
        `SELECT name, current_setting(name) AS value FROM unnest($1::text[]) name`,
        [[...Object.keys(LIMITS), 'application_name', 'search_path']],
      );
      expect(Object.fromEntries(rows.map(({ name, value }) => [name, value]))).toEqual({
        ...LIMITS,
        application_name: 'leadline listener',
        search_path: 'hosted,public',
      });
    } finally {
      await pool.end();
    }
  });

  it('rename no connection', async () => {
    const names = async (): Promise<string[]> => {
      const { rows } = await scene.database.pool.query<{ name: string }>(
        `SELECT DISTINCT application_name AS name FROM pg_stat_activity
          WHERE datname = current_database() AND application_name <> 'leadline test' ORDER BY 1`,
      );
      return rows.map(({ name }) => name);
    };
    await eventually(async () => (await names()).includes('leadline listener'), 5_000, 'nobody listened');
    expect(await names()).not.toContain('hosted');
  });

  it('end no migration that takes its time', async () => {
    const empty = await createDatabase('18', { empty: true });
    const holder = await empty.pool.connect();
    try {
      await holder.query('BEGIN');
      // The migration waits for this name to be free.
      await holder.query('CREATE TABLE migrations (id int)');
      const limited = new URLSearchParams(PARAMETERS);
      limited.set('options', '-c statement_timeout=300');
      const outcome = migrate(`${empty.url}?${limited.toString()}`).then(
        (ran) => ran.length,
        (error: Error) => error.message,
      );
      const waitsLong = async (): Promise<boolean> => {
        const { rows } = await empty.pool.query<{ long: boolean }>(
          `SELECT bool_or(clock_timestamp() - query_start > interval '0.6 s') AS long FROM pg_stat_activity
            WHERE datname = current_database() AND application_name = 'leadline migrations' AND wait_event_type = 'Lock'`,
        );
        return rows[0]?.long ?? false;
      };
      const waited = eventually(waitsLong, 10_000, 'the migration did not wait').then(() => 'waited');
      expect(await Promise.race([outcome, waited])).toBe('waited');
      await holder.query('ROLLBACK');
      expect(await outcome).toBeGreaterThan(0);
    } finally {
      holder.release();
      await empty.drop();
    }
  });
});
