import { ApiClient } from '../support/api.client';
import { AccountFixture } from '../support/fixture';
import { startServer, type ServerProcess } from '../support/server.process';
import { createDatabase, type TestDatabase } from '../support/test.database';

/** What a hosting provider may write into its addresses, and what somebody may who read about time limits. */
const PARAMETERS = new URLSearchParams({
  options:
    '-c search_path=hosted,public -c statement_timeout=0 -c synchronous_commit=on -c plan_cache_mode=auto',
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  application_name: 'hosted',
});

describe('parameters of DATABASE_URL', () => {
  let database: TestDatabase;
  let server: ServerProcess;

  beforeAll(async () => {
    database = await createDatabase();
    // What the session that writes is set to: no other session can ask.
    await database.pool.query(`
      CREATE TABLE seen (written text, setting text, value text);
      CREATE FUNCTION look() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO public.seen SELECT TG_TABLE_NAME, name, current_setting(name) FROM unnest(ARRAY[
          'statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'synchronous_commit',
          'plan_cache_mode', 'enable_seqscan', 'search_path', 'application_name']) name;
        RETURN NULL; END $$;
      CREATE TRIGGER looking AFTER INSERT ON rate_windows FOR EACH ROW EXECUTE FUNCTION look();
      CREATE TRIGGER looking AFTER INSERT ON events FOR EACH ROW EXECUTE FUNCTION look()`);
    server = await startServer(`${database.url}?${PARAMETERS.toString()}`);
    const account = await AccountFixture.create(database.pool, [{}], { limitLeads: null });
    const api = new ApiClient(server.url, account.key);
    const moved = await api.setStatus({ thread_id: await account.addThread(), status_id: account.stages[0] });
    expect(moved.status).toBe(200);
  });

  afterAll(async () => {
    await server?.stop();
    await database?.drop();
  });

  const seenBy = async (table: string): Promise<object> => {
    const { rows } = await database.pool.query<{ setting: string; value: string }>(
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
});
