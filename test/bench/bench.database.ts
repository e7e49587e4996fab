import { Client } from 'pg';
import { startBenchCluster, type BenchCluster } from './bench.cluster';
import { idOf } from './bench.ids';
import { PEOPLE_PER_ACCOUNT, tokenSql } from './bench.sessions';
import { floorSchema } from './floor/floor.schema';

export const ACCOUNTS = 50;
export const STAGES = 6;
/** 4,000 in all, at their 60 calls a minute each: enough for 4,000 calls a second without one refusal. */
export const KEYS_PER_ACCOUNT = 80;

export interface BenchDatabase extends BenchCluster {
  threads: BenchThread[];
}

/** A dialog in the service's tables, and one in the floor's. */
export interface BenchThread {
  /** In the service's tables. */
  id: string;
  account: number;
  /** Index of its stage, in the service's tables. */
  stage: number;
  /** The number of the floor's. */
  floorNumber: number;
  /** How often the floor's was moved. */
  floorMoves: number;
}

/** Ids are made from words on both sides, so that nothing has to be carried over. */
const idSql = (word: string, number: string): string => `md5('${word} ' || ${number})::uuid`;

export const keyOf = (account: number, index: number): string =>
  `ll_bench_${account * KEYS_PER_ACCOUNT + index}`;

/** A throwaway PostgreSQL with every dialog in it, in the service's tables and in the floor's. */
export async function startBenchDatabase(threadsPerAccount: number): Promise<BenchDatabase> {
  const count = ACCOUNTS * threadsPerAccount;
  const cluster = await startBenchCluster();
  try {
    await load(cluster.url, count);
    return { ...cluster, threads: threadsOf(count) };
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

async function load(url: string, count: number): Promise<void> {
  const db = new Client({ connectionString: url });
  await db.connect();
  try {
    for (const statement of loadStatements(count)) await db.query(statement);
  } finally {
    await db.end();
  }
}

/** In the order of their ids, so that neighbours in time are no neighbours in a table. */
function threadsOf(count: number): BenchThread[] {
  const thread = (_: unknown, t: number): BenchThread => ({
    id: idOf('thread', t),
    account: t % ACCOUNTS,
    stage: t % STAGES,
    floorNumber: t + 1,
    floorMoves: 0,
  });
  return Array.from({ length: count }, thread).sort((one, other) => (one.id < other.id ? -1 : 1));
}

const account = (number: string): string => idSql('account', number);
const agent = (number: string): string => idSql('agent', number);
const bot = (number: string): string => idSql('bot', number);
const stage = (accountNumber: string, stageNumber: string): string =>
  idSql('stage', `${accountNumber} || ' ' || ${stageNumber}`);

const loadStatements = (count: number): string[] => [
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
  `INSERT INTO users (account_id, id, email, email_key, name, role, locale)
   SELECT ${account(`(p / ${PEOPLE_PER_ACCOUNT})`)}, ${idSql('person', 'p')}, p || '@example.com', p || '@example.com',
          'Person ' || p, 'operator', 'ru' FROM generate_series(0, ${ACCOUNTS * PEOPLE_PER_ACCOUNT - 1}) p`,
  `INSERT INTO user_sessions (account_id, id, user_id, token_hash, network, ip, user_agent)
   SELECT account_id, gen_random_uuid(), ${idSql('person', 'p')}, sha256(convert_to(${tokenSql('p')}, 'UTF8')),
          '127.0.0.1', '127.0.0.1', 'bench'
     FROM generate_series(0, ${ACCOUNTS * PEOPLE_PER_ACCOUNT - 1}) p JOIN users ON users.id = ${idSql('person', 'p')}`,
  `INSERT INTO threads (account_id, id, assistant_id, bot_id, channel, contact, phone, customer_name, status_id,
          status_set_at, status_set_by, last_message_role, last_message_text, last_message_at)
   SELECT ${account('a')}, ${idSql('thread', 't')}, ${agent('a')}, ${bot('a')}, 'waba', 'contact ' || t,
          '+7701' || lpad(t::text, 7, '0'), 'Customer ' || t, ${stage('a', 's')}, clock_timestamp(), 'SYSTEM', 'AI',
          'Good afternoon! Your order is ready, when would you like to receive it?', clock_timestamp()
     FROM (SELECT t, t % ${ACCOUNTS} AS a, t % ${STAGES} AS s
             FROM generate_series(0, ${count - 1}) t) t`,
  // The tables that the run will fill stay as a new installation has them.
  'VACUUM ANALYZE accounts, assistants, bots, statuses, api_keys, users, user_sessions, threads',
  ...floorSchema(count),
  'CHECKPOINT',
];
