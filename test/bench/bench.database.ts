import { Client } from 'pg';
import { startBenchCluster, type BenchCluster } from './bench.cluster';

export const ACCOUNTS = 50;
export const THREADS_PER_ACCOUNT = 2_000;
export const STAGES = 6;
/** At 60 calls a minute each, enough for 8,000 calls a second without one refusal. */
export const KEYS_PER_ACCOUNT = 160;

export interface BenchDatabase extends BenchCluster {
  threads: BenchThread[];
}

export interface BenchThread {
  id: string;
  account: number;
  /** Index of the stage it stands at. */
  stage: number;
}

/** Ids are made from words on both sides, so that nothing has to be carried over. */
const idSql = (word: string, number: string): string => `md5('${word} ' || ${number})::uuid`;

export const keyOf = (account: number, index: number): string =>
  `ll_bench_${account * KEYS_PER_ACCOUNT + index}`;

/** A throwaway PostgreSQL with every dialog in it. */
export async function startBenchDatabase(): Promise<BenchDatabase> {
  const cluster = await startBenchCluster();
  try {
    return { ...cluster, threads: await load(cluster.url) };
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

async function load(url: string): Promise<BenchThread[]> {
  const db = new Client({ connectionString: url });
  await db.connect();
  try {
    for (const statement of LOAD) await db.query(statement);
    const { rows } = await db.query<BenchThread>(
      `SELECT id, substr(contact, 1, 2)::int AS account, substr(contact, 4, 1)::int AS stage FROM threads ORDER BY id`,
    );
    return rows;
  } finally {
    await db.end();
  }
}

const account = (number: string): string => idSql('account', number);
const agent = (number: string): string => idSql('agent', number);
const bot = (number: string): string => idSql('bot', number);
const stage = (accountNumber: string, stageNumber: string): string =>
  idSql('stage', `${accountNumber} || ' ' || ${stageNumber}`);

const LOAD = [
  `INSERT INTO accounts (id, name) SELECT ${account('a')}, 'account ' || a FROM generate_series(0, ${ACCOUNTS - 1}) a`,
  `INSERT INTO assistants (account_id, id, name)
   SELECT ${account('a')}, ${agent('a')}, 'agent' FROM generate_series(0, ${ACCOUNTS - 1}) a`,
  `INSERT INTO bots (account_id, id, assistant_id, name)
   SELECT ${account('a')}, ${bot('a')}, ${agent('a')}, 'bot' FROM generate_series(0, ${ACCOUNTS - 1}) a`,
  `INSERT INTO statuses (account_id, id, assistant_id, name, name_folded, kind, "order")
   SELECT ${account('a')}, ${stage('a', 's')}, ${agent('a')}, 'Stage ' || s, 'stage ' || s, 'active', s
     FROM generate_series(0, ${ACCOUNTS - 1}) a, generate_series(0, ${STAGES - 1}) s`,
  `INSERT INTO api_keys (id, account_id, name, prefix, key_hash, scopes, bot_ids, assistant_ids)
   SELECT ${idSql('key', 'k')}, ${account('a')}, 'key ' || k, 'll_bench', sha256(convert_to('ll_bench_' || k, 'UTF8')),
          '{messages,leads}', ARRAY[${bot('a')}], ARRAY[${agent('a')}]
     FROM (SELECT k, k / ${KEYS_PER_ACCOUNT} AS a FROM generate_series(0, ${ACCOUNTS * KEYS_PER_ACCOUNT - 1}) k) k`,
  `INSERT INTO threads (account_id, id, assistant_id, bot_id, channel, contact, phone, customer_name, status_id,
          status_set_at, status_set_by, last_message_role, last_message_text, last_message_at)
   SELECT ${account('a')}, ${idSql('thread', 't')}, ${agent('a')}, ${bot('a')}, 'waba', to_char(a, 'FM00') || ' ' || s || ' ' || t,
          '+7701' || lpad(t::text, 7, '0'), 'Customer ' || t, ${stage('a', 's')}, clock_timestamp(), 'SYSTEM', 'AI',
          'Good afternoon! Your order is ready, when would you like to receive it?', clock_timestamp()
     FROM (SELECT t, t % ${ACCOUNTS} AS a, t % ${STAGES} AS s
             FROM generate_series(0, ${ACCOUNTS * THREADS_PER_ACCOUNT - 1}) t) t`,
  // The tables that the run will fill stay as a new installation has them.
  'VACUUM ANALYZE accounts, assistants, bots, statuses, api_keys, threads',
  'CHECKPOINT',
];
