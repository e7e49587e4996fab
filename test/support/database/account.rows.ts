import { Client } from 'pg';
import type { AccountFixture } from './fixture';

/** The tables that grow with an account's dialogs. */
export const TABLES_OF_DIALOGS = ['threads', 'messages', 'events', 'replies', 'scenario_runs'] as const;

const idOf = (word: string): string => `md5('${word} ' || $1::uuid || n)::uuid`;
const EACH = 'generate_series(1, $2::int) n';

/** Dialogs of an agent, each with a message, an event, an answer and a run. Nothing of them is due. */
const INSERTS = [
  `INSERT INTO threads (account_id, id, assistant_id, bot_id, channel, contact, phone)
   SELECT b.account_id, ${idOf('thread')}, b.assistant_id, b.id, 'waba_coexistence', '+7702' || n, '+7702' || n
     FROM bots b, ${EACH} WHERE b.account_id = $1`,
  `INSERT INTO messages (account_id, id, thread_id, bot_id, channel, role, inbound, status, text, provider_id)
   SELECT b.account_id, ${idOf('message')}, ${idOf('thread')}, b.id, 'waba_coexistence', 'USER', true, 'received', 'text', 'wamid.' || n
     FROM bots b, ${EACH} WHERE b.account_id = $1`,
  `INSERT INTO events (account_id, thread_id, assistant_id, version, type, at, body)
   SELECT b.account_id, ${idOf('thread')}, b.assistant_id, 1, 'opened', clock_timestamp(), '{"by": "SYSTEM"}'
     FROM bots b, ${EACH} WHERE b.account_id = $1`,
  `INSERT INTO replies (account_id, thread_id, message_id, epoch, state, due_at)
   SELECT $1, ${idOf('thread')}, ${idOf('message')}, 0, 'answered', clock_timestamp() FROM ${EACH}`,
  `INSERT INTO scenario_runs (account_id, id, scenario_id, thread_id, status_id, entered_at, revision, state, cause,
                              due_since, started_at, finished_at)
   SELECT $1, ${idOf('run')}, $1, ${idOf('thread')}, $1, now(), 1, 'done', '{}', now(), now(), now() FROM ${EACH}`,
];

/** What a message makes due by itself: it is to be found by its words. */
const DROP_DUE = 'DELETE FROM search_queue WHERE account_id = $1';

/** Adds so many dialogs to accounts. */
export async function addDialogs(
  client: Client,
  accounts: readonly AccountFixture[],
  count: number,
): Promise<void> {
  for (const { id } of accounts) {
    for (const insert of INSERTS) await client.query(insert, [id, count]);
    await client.query(DROP_DUE, [id]);
  }
}

/** Rows that were read of each of the tables since the database was made, by sessions that are over. */
export async function rowsRead(client: Client): Promise<Record<string, number>> {
  const { rows } = await client.query<{ relname: string; read: number }>(
    `SELECT relname, (seq_tup_read + coalesce(idx_tup_fetch, 0))::float8 AS read FROM pg_stat_user_tables
      WHERE relname = ANY ($1)`,
    [TABLES_OF_DIALOGS],
  );
  return Object.fromEntries(rows.map(({ relname, read }) => [relname, read]));
}
