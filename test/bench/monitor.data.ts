import type { Client } from 'pg';
import { idOf } from './bench.ids';
import { tokenSql } from './bench.sessions';

export const LEADS = 10_000;
export const STAGES = 8;
/** Each may move 60 leads a minute, and 20 a second are to move. */
export const KEYS = 40;
export const MESSAGES = 5_000;

const ACCOUNT = idOf('account', 0);
export const ASSISTANT = idOf('agent', 0);
const BOT = idOf('bot', 0);
export const stageId = (stage: number): string => idOf('stage', `0 ${stage}`);
export const threadId = (thread: number): string => idOf('thread', thread);
/** It has all the messages. */
export const LONG_THREAD = threadId(LEADS - 1);
export const monitorKey = (index: number): string => `ll_monitor_${index}`;

const thread = `md5('thread ' || t)::uuid`;
const stage = `md5('stage 0 ' || (t % ${STAGES}))::uuid`;

/** One account with a board of 10,000 leads, one of them with 5,000 messages, a person and keys. */
const STATEMENTS = [
  `INSERT INTO accounts (id, name) VALUES ('${ACCOUNT}', 'Harbour Coffee')`,
  `INSERT INTO assistants (account_id, id, name) VALUES ('${ACCOUNT}', '${ASSISTANT}', 'Agent')`,
  `INSERT INTO bots (account_id, id, assistant_id, name) VALUES ('${ACCOUNT}', '${BOT}', '${ASSISTANT}', 'Number')`,
  `INSERT INTO statuses (account_id, id, assistant_id, name, name_folded, kind, "order")
   SELECT '${ACCOUNT}', md5('stage 0 ' || s)::uuid, '${ASSISTANT}', 'Stage ' || s, 'stage ' || s, 'active', s
     FROM generate_series(0, ${STAGES - 1}) s`,
  `INSERT INTO api_keys (id, account_id, name, prefix, key_hash, scopes, bot_ids, assistant_ids)
   SELECT md5('key ' || k)::uuid, '${ACCOUNT}', 'key ' || k, 'll_monitor', sha256(convert_to('ll_monitor_' || k, 'UTF8')),
          '{messages,leads}', '{${BOT}}', '{${ASSISTANT}}' FROM generate_series(0, ${KEYS - 1}) k`,
  `INSERT INTO users (account_id, id, email, email_key, name, role, locale)
   VALUES ('${ACCOUNT}', md5('person 0')::uuid, '0@example.com', '0@example.com', 'Person', 'admin', 'en')`,
  `INSERT INTO user_sessions (account_id, id, user_id, token_hash, network, ip, user_agent)
   VALUES ('${ACCOUNT}', gen_random_uuid(), md5('person 0')::uuid, sha256(convert_to(${tokenSql("'0'")}, 'UTF8')),
           '127.0.0.1', '127.0.0.1', 'bench')`,
  `INSERT INTO threads (account_id, id, assistant_id, bot_id, channel, contact, phone, customer_name, status_id,
          status_set_at, status_set_by, last_message_role, last_message_text, last_message_at, unread_count, last_activity_at)
   SELECT '${ACCOUNT}', ${thread}, '${ASSISTANT}', '${BOT}', 'waba', 'contact ' || t, '+7701' || lpad(t::text, 7, '0'),
          'Customer ' || t, ${stage}, clock_timestamp(), 'SYSTEM', 'USER',
          'Good afternoon! When can I receive the order, and is there delivery on Saturdays?', clock_timestamp(),
          CASE WHEN t % 5 = 0 THEN 2 ELSE 0 END, clock_timestamp() - t * interval '1 second'
     FROM generate_series(0, ${LEADS - 1}) t`,
  `INSERT INTO messages (account_id, id, thread_id, bot_id, channel, inbound, role, type, text, content, status, sent_at, created_at)
   SELECT '${ACCOUNT}', md5('message ' || m)::uuid, '${LONG_THREAD}', '${BOT}', 'waba', true, 'USER', 'text',
          'Message ' || m || repeat(' and some more words', m % 7), '{}', 'received', at, at
     FROM (SELECT m, clock_timestamp() - (${MESSAGES} - m) * interval '1 minute' AS at
             FROM generate_series(1, ${MESSAGES}) m) m`,
  'VACUUM ANALYZE',
];

export async function fillMonitor(db: Client): Promise<void> {
  for (const statement of STATEMENTS) await db.query(statement);
}
