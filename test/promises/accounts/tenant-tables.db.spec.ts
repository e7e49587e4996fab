import { CLUSTERS, createDatabase, type TestDatabase } from '../../support/database/test.database';

/** Tables without an account, with the reason. */
const OF_NO_ACCOUNT: Record<string, string> = {
  accounts: 'is the list of accounts itself',
  rate_windows: 'belongs to a key, which is found before its account is known',
  rate_counters: 'likewise, or to a person, who is found by a session',
  rate_buckets: 'is used by nobody, and goes with a later version',
  process_heartbeats: 'is of processes, which serve all accounts',
  sending_holds: 'holds what the whole installation would send',
  sign_in_tries: 'counts tries for addresses that may belong to nobody',
  webhook_deliveries: 'keeps what providers send before it is known whose it is',
  migrations: 'is the history of the schema',
};

/** Keys and indexes of a tenant's table that do not begin with the account, with the reason. */
const ACROSS_ACCOUNTS: Record<string, string> = {
  api_keys_pkey: 'an admin key has no account',
  api_keys_hash: 'the account is what a key tells',
  api_keys_old_hash: 'likewise',
  audit_entries_age:
    'retention looks for old entries, and admins of the installation list those of all accounts',
  audit_entries_any_actor: 'likewise',
  audit_entries_any_action: 'likewise',
  audit_entries_any_subject: 'likewise',
  endpoint_deliveries_created: 'retention looks for old deliveries of all accounts',
  endpoint_deliveries_failed: 'what failed in the last hour is counted, of all accounts',
  events_feed: 'each process tails all events in order',
  bots_id: 'whether a bot exists is told to strangers, too: the specification wants it so',
  bot_channels_sender: 'a webhook names a number, which is one bot’s alone',
  bot_channels_app_secrets: 'a webhook names only the number by whose secret it is signed',
  bot_channels_by_sender: 'it may be about a number that is not connected any more',
  media_failed: 'what failed in the last hour is counted, of all accounts',
  media_transcripts_failed: 'what failed in the last hour is counted, of all accounts',
  media_unsent: 'retention looks for uploads that nobody has sent, of all accounts',
  messages_claimed: 'the sweep looks for claims past their deadline, of all accounts',
  messages_failed: 'what failed in the last hour is counted, of all accounts',
  idempotency_keys_age: 'what is forgotten is swept, of all accounts',
  imports_old: 'retention looks for old imports of all accounts',
  parked_states_age: 'what nobody will ask for any more is swept, of all accounts',
  parked_states_due: 'the sweep looks for messages of all accounts',
  webhook_marks_age: 'what nobody will send again is swept, of all accounts',
  webhook_rejects_age: 'what nobody looks at any more is swept, of all accounts',
  webhook_rejects_delivery: 'the rejects of a delivery are found when it is tried again, whosever they are',
  webhook_rejects_once: 'each item is kept once, and whose it is may not be known',
  webhook_rejects_pkey: 'what cannot be understood may belong to nobody known',
  replies_over: 'what nobody can answer any more is swept, of all accounts',
  thread_search_words: 'each word begins with a mark of its account',
  threads_takeovers: 'the sweep looks for takeovers that are over, of all accounts',
  users_email: 'sign-in tells an address, and the account is what the address tells',
  users_id: 'an admin key names a person of any account',
  user_sessions_token: 'the account is what a session tells',
  user_sessions_age: 'old sessions of all accounts are removed',
  invitations_token: 'the account is what a link tells',
  scenarios_wakes: 'the sweep looks for scenarios that changed, of all accounts',
  scenario_runs_finished: 'retention looks for old runs of all accounts',
};

interface Index {
  table: string;
  name: string;
  primary: boolean;
  columns: string[];
}

interface Reference {
  table: string;
  name: string;
  columns: string[];
  referenced: string;
  referenced_columns: string[];
}

const NAMES = (relation: string, numbers: string): string =>
  `ARRAY(SELECT coalesce(a.attname, '(expression)')::text FROM unnest(${numbers}) WITH ORDINALITY n (attnum, place)
     LEFT JOIN pg_attribute a ON a.attrelid = ${relation} AND a.attnum = n.attnum ORDER BY n.place)`;

describe.each(CLUSTERS.map(({ name }) => name))('on PostgreSQL %s', (version) => {
  let database: TestDatabase;
  let tables: { name: string; has_account: boolean; nullable: boolean }[];
  let indexes: Index[];
  let references: Reference[];

  beforeAll(async () => {
    database = await createDatabase(version);
    const read = async <T extends object>(sql: string): Promise<T[]> =>
      (await database.pool.query<T>(sql)).rows;
    tables = await read(
      `SELECT c.relname AS name, a.attname IS NOT NULL AS has_account, NOT coalesce(a.attnotnull, true) AS nullable
         FROM pg_class c LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'account_id'
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')`,
    );
    indexes = await read(
      `SELECT t.relname AS table, c.relname AS name, i.indisprimary AS primary, ${NAMES('t.oid', 'i.indkey::int2[]')} AS columns
         FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid
        WHERE t.relnamespace = 'public'::regnamespace`,
    );
    references = await read(
      `SELECT t.relname AS table, k.conname AS name, ${NAMES('k.conrelid', 'k.conkey')} AS columns,
              r.relname AS referenced, ${NAMES('k.confrelid', 'k.confkey')} AS referenced_columns
         FROM pg_constraint k JOIN pg_class t ON t.oid = k.conrelid JOIN pg_class r ON r.oid = k.confrelid
        WHERE k.contype = 'f' AND t.relnamespace = 'public'::regnamespace`,
    );
  });

  afterAll(() => database?.drop());

  const isTenants = (table: string): boolean =>
    tables.some(({ name, has_account: hasAccount }) => name === table && hasAccount);

  it('every table has an account, but for those that are listed with a reason', () => {
    const without = tables.filter((table) => !table.has_account).map(({ name }) => name);
    expect(without.sort()).toEqual(Object.keys(OF_NO_ACCOUNT).sort());
  });

  it('every row has its account, except admin keys and webhooks of unknown numbers', () => {
    const nullable = tables.filter((table) => table.nullable).map(({ name }) => name);
    expect(nullable.sort()).toEqual(['api_keys', 'webhook_rejects']);
  });

  it('every primary key and every index of a tenant’s table begins with the account, but for those listed', () => {
    const others = indexes.filter(({ table, columns }) => isTenants(table) && columns[0] !== 'account_id');
    expect(others.map(({ name }) => name).sort()).toEqual(Object.keys(ACROSS_ACCOUNTS).sort());
  });

  it('every tenant’s table has a primary key', () => {
    const keyed = indexes.filter(({ primary }) => primary).map(({ table }) => table);
    expect(tables.filter(({ name }) => !keyed.includes(name))).toEqual([]);
  });

  it('every reference stays within one account', () => {
    const loose = references.filter(
      ({ columns, referenced, referenced_columns: target }) =>
        columns[0] !== 'account_id' || target[0] !== (referenced === 'accounts' ? 'id' : 'account_id'),
    );
    expect(loose).toEqual([]);
    expect(references.length).toBeGreaterThan(0);
  });
});
