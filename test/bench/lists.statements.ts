import { AGENTS, LISTS_ACCOUNT } from './lists.account';

/** How many approved templates each bot has. */
export const TEMPLATES = 20;

/** Most messages of one dialog. */
const MESSAGES_MOST = 200;

const ID = `'${LISTS_ACCOUNT.id}'::uuid`;
const agent = (number: string): string => `md5('lists agent ' || ${number})::uuid`;
const bot = (number: string): string => `md5('lists bot ' || ${number})::uuid`;
const stage = (of: string, number: string): string =>
  `md5('lists stage ' || ${of} || ' ' || ${number})::uuid`;

/** A UUID of version 7: by a time, and the same in each run. */
const idAt = (at: string, word: string): string => `(
  lpad(to_hex((extract(epoch FROM ${at}) * 1000)::bigint), 12, '0') || '7' || substr(md5(${word}), 1, 3)
  || 'a' || substr(md5(${word}), 4, 15))::uuid`;

/** Of a dialog `d` and its message number `k`. Odd ones are the customer's. */
const messageAt = (k: string): string => `(d.created_at + (${k} - 1) * d.gap)`;
const messageId = (k: string): string => idAt(messageAt(k), `'message ' || d.t || ' ' || ${k}`);
const role = (
  k: string,
): string => `CASE WHEN ${k} % 2 = 1 THEN 'USER' WHEN (d.t + ${k}) % 10 = 0 THEN 'SYSTEM'
  WHEN (d.t + ${k}) % 10 < 3 THEN 'OPERATOR' ELSE 'AI' END`;
/** The number of its text. Every fifth names an order. */
const textNumber = (k: string, texts: number): string => `(d.t::bigint * 7919 + ${k} * 104729) % ${texts}`;
const withOrder = (text: string, k: string): string =>
  `${text} || CASE WHEN (d.t + ${k}) % 5 = 0 THEN ' № ' || 100000 + (d.t::bigint * 31 + ${k}) % 900000 ELSE '' END`;

/** How far one of ours came. */
const state = (k: string): string =>
  `(ARRAY['read', 'read', 'read', 'read', 'read', 'read', 'delivered', 'delivered', 'sent', 'failed'])[1 + (d.t / 10 + ${k}) % 10]`;
const since = (states: string, seconds: number): string =>
  `CASE WHEN m.status IN (${states}) THEN m.at + interval '${seconds} s' END`;

const moveAt = 'd.created_at + i * d.span / (d.moves + 1)';
const stageAfter = (move: string): string => stage('d.agent', `(d.t + ${move} * 7) % ${AGENTS}`);

/** Of an account, its agents, funnels, bots, templates and keys. */
const SETTINGS = [
  `INSERT INTO accounts (id, name) VALUES (${ID}, 'lists')`,
  `INSERT INTO assistants (account_id, id, name)
   SELECT ${ID}, ${agent('a')}, 'Agent ' || a FROM generate_series(0, ${AGENTS - 1}) a`,
  `INSERT INTO bots (account_id, id, assistant_id, name)
   SELECT ${ID}, ${bot('a')}, ${agent('a')}, 'Bot ' || a FROM generate_series(0, ${AGENTS - 1}) a`,
  `INSERT INTO bot_channels (account_id, bot_id, channel, sender)
   SELECT ${ID}, ${bot('a')}, 'waba', 'lists ' || a FROM generate_series(0, ${AGENTS - 1}) a`,
  `INSERT INTO statuses (account_id, id, assistant_id, name, name_folded, kind, "order")
   SELECT ${ID}, ${stage('a', 's')}, ${agent('a')}, 'Этап ' || s, 'этап ' || s,
          (ARRAY['active', 'qualified', 'awaiting_payment', 'success', 'failure'])[1 + s % 5], s
     FROM generate_series(0, ${AGENTS - 1}) a, generate_series(0, ${AGENTS - 1}) s`,
  `INSERT INTO templates (account_id, id, bot_id, channel, template_id, name, language, category, status, body, params_count)
   SELECT ${ID}, md5('lists template ' || a || ' ' || n)::uuid, ${bot('a')}, 'waba', 'template_' || n, 'template_' || n,
          'ru', 'MARKETING', 'approved', 'Ваш заказ готов', 0
     FROM generate_series(0, ${AGENTS - 1}) a, generate_series(0, ${TEMPLATES - 1}) n`,
  `INSERT INTO api_keys (id, account_id, name, prefix, key_hash, scopes, bot_ids, assistant_ids, limit_leads, limit_general)
   SELECT md5('lists key')::uuid, ${ID}, 'lists', 'll_bench', sha256(convert_to('${LISTS_ACCOUNT.key}', 'UTF8')),
          '{messages,leads}', array_agg(${bot('a')}), array_agg(${agent('a')}), 100000, 100000
     FROM generate_series(0, ${AGENTS - 1}) a`,
];

/**
 * What the rows of a dialog are made of. Each has been opened in its time of the last year, its messages are minutes to
 * days apart, and four of five end with a message of ours.
 */
const dialogs = (count: number): string[] => [
  'SELECT setseed(0.42)',
  `CREATE TEMPORARY TABLE dialogs AS
   SELECT t, ${idAt('created_at', `'thread ' || t`)} AS id, created_at, messages, moves,
          CASE WHEN t % 2 = 0 THEN 0 ELSE 1 + t / 2 % ${AGENTS - 1} END AS agent,
          least(gap, (now() - created_at) / messages) AS gap,
          least(greatest(gap * messages, interval '2 days'), now() - created_at) AS span,
          (random() * 1000)::int AS chance
     FROM (SELECT t, now() - interval '1 year' + t * (interval '1 year' / ${count}) AS created_at,
                  CASE WHEN random() < 0.6 THEN m + m % 2 ELSE m END AS messages, floor(random() * 6)::int AS moves,
                  interval '1 minute' + interval '5 hours' * -ln(1 - random()) AS gap
             FROM (SELECT t, least(${MESSAGES_MOST}, 1 + floor(-ln(1 - random()) * 9.2)::int) AS m
                     FROM generate_series(0, ${count - 1}) t OFFSET 0) g OFFSET 0) d`,
  'ANALYZE dialogs',
];

const threads = (texts: number): string => `
  INSERT INTO threads (account_id, id, assistant_id, bot_id, channel, contact, phone, customer_name, status_id,
         status_set_at, status_set_by, version, ai_enabled, opted_out, waiting_message_id, waiting_at, answer_count,
         last_message_role, last_message_text, last_message_at, unread_count, created_at, last_activity_at,
         last_inbound_at, replied_at, last_outbound_at, attention, attention_since)
  SELECT ${ID}, d.id, ${agent('d.agent')}, ${bot('d.agent')}, 'waba', p.phone, p.phone,
         CASE WHEN d.t % 7 > 0 THEN n.name END, CASE WHEN d.moves > 0 THEN ${stageAfter('d.moves')} END,
         CASE WHEN d.moves > 0 THEN d.created_at + d.moves * d.span / (d.moves + 1) END,
         CASE WHEN d.moves > 0 THEN 'AI' END, 1 + d.moves, d.chance >= 100, d.chance < 10,
         ${messageId('m.inbound')}, ${messageAt('m.inbound')}, d.messages - m.inbound,
         ${role('d.messages')}, ${withOrder('x.text', 'd.messages')}, ${messageAt('d.messages')},
         CASE WHEN d.chance % 5 = 0 THEN 1 + d.chance % 3 ELSE 0 END, d.created_at, ${messageAt('d.messages')},
         ${messageAt('m.inbound')}, ${messageAt('m.inbound')},
         CASE WHEN d.messages > 1 THEN ${messageAt('d.messages - d.messages % 2')} END,
         CASE WHEN d.chance % 100 = 7 THEN 'model' END, CASE WHEN d.chance % 100 = 7 THEN ${messageAt('d.messages')} END
    FROM dialogs d
    CROSS JOIN LATERAL (SELECT d.messages - 1 + d.messages % 2 AS inbound) m
    CROSS JOIN LATERAL (SELECT '+77' || lpad((d.t::bigint * 7368787 % 1000000000)::text, 9, '0') AS phone) p
    JOIN names n ON n.n = d.t % (SELECT count(*) FROM names)
    JOIN texts x ON x.n = ${textNumber('d.messages', texts)}
   ORDER BY d.t`;

const messages = (texts: number): string => `
  INSERT INTO messages (account_id, id, thread_id, bot_id, channel, inbound, role, type, text, content, status, sent_at,
         created_at, recipient, provider_id, accepted_at, delivered_at, read_at, failed_at, error_code)
  SELECT ${ID}, m.id, m.thread_id, m.bot_id, 'waba', m.inbound, m.role, m.type, m.text,
         CASE WHEN m.type = 'template' THEN jsonb_build_object('type', 'template', 'name', 'template_' || m.template,
                                                               'language', 'ru', 'params', '[]'::jsonb) ELSE '{}' END,
         m.status, CASE WHEN m.inbound THEN m.at END, m.at, CASE WHEN NOT m.inbound THEN m.phone END,
         'wamid.' || m.id, ${since(`'sent', 'delivered', 'read'`, 1)}, ${since(`'delivered', 'read'`, 3)},
         ${since(`'read'`, 60)}, ${since(`'failed'`, 2)}, CASE WHEN m.status = 'failed' THEN 'PROVIDER_ERROR' END
    FROM (SELECT ${messageId('k')} AS id, d.id AS thread_id, ${bot('d.agent')} AS bot_id, k % 2 = 1 AS inbound,
                 ${role('k')} AS role, ${messageAt('k')} AS at, ${withOrder('x.text', 'k')} AS text,
                 CASE WHEN k % 2 = 0 AND (d.t + k) % 10 = 0 THEN 'template' ELSE 'text' END AS type,
                 (d.t / 10 + k) % ${TEMPLATES} AS template, '+77' || lpad((d.t::bigint * 7368787 % 1000000000)::text, 9, '0') AS phone,
                 CASE WHEN k % 2 = 1 THEN 'received' ELSE ${state('k')} END AS status
            FROM dialogs d CROSS JOIN LATERAL generate_series(1, d.messages) k
            JOIN texts x ON x.n = ${textNumber('k', texts)}) m
   ORDER BY m.at`;

/** Each dialog was opened, and moved from stage to stage. Messages are not in the log, to be quick. */
const EVENTS = `
  INSERT INTO events (account_id, thread_id, assistant_id, version, type, at, body)
  SELECT ${ID}, d.id, ${agent('d.agent')}, 1 + i, CASE WHEN i = 0 THEN 'opened' ELSE 'status' END, ${moveAt},
         jsonb_build_object('by', CASE WHEN i = 0 THEN 'SYSTEM' ELSE 'AI' END, 'actor', NULL, 'request_id', NULL)
         || CASE WHEN i = 0 THEN '{}' ELSE jsonb_build_object(
              'from', CASE WHEN i > 1 THEN ${stageAfter('(i - 1)')} END, 'to', ${stageAfter('i')}) END
    FROM dialogs d CROSS JOIN LATERAL generate_series(0, d.moves) i
   ORDER BY ${moveAt}`;

/** Makes the indexes of a table again after it is filled, which is several times as fast. */
const filled = (table: string, fill: string): string[] => [
  `CREATE TEMPORARY TABLE indexes_of_${table} AS
   SELECT indexdef FROM pg_indexes i
    WHERE schemaname = 'public' AND tablename = '${table}'
      AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conname = i.indexname)`,
  `DO $$ DECLARE name text; BEGIN
     FOR name IN SELECT indexname FROM pg_indexes i WHERE schemaname = 'public' AND tablename = '${table}'
        AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conname = i.indexname)
     LOOP EXECUTE format('DROP INDEX public.%I', name); END LOOP; END $$`,
  fill,
  `DO $$ DECLARE definition text; BEGIN
     FOR definition IN SELECT indexdef FROM indexes_of_${table} LOOP EXECUTE definition; END LOOP; END $$`,
];

/**
 * Fills an empty database. It needs the temporary tables `texts (n, text)` and `names (n, name)`, both from 0.
 * @param texts how many texts there are
 */
export const loadStatements = (count: number, texts: number): string[] => [
  // A crash while it is filled loses nothing of worth.
  'ALTER SYSTEM SET fsync = off',
  `ALTER SYSTEM SET max_wal_size = '16GB'`,
  'SELECT pg_reload_conf()',
  `SET work_mem = '512MB'`,
  `SET maintenance_work_mem = '1GB'`,
  'SET synchronous_commit = off',
  // What refers to rows that are written here needs no check of each.
  'SET session_replication_role = replica',
  'ANALYZE texts, names',
  ...SETTINGS,
  ...dialogs(count),
  ...filled('threads', threads(texts)),
  ...filled('messages', messages(texts)),
  ...filled('events', EVENTS),
  // Triggers did not: the server makes the dialogs findable.
  'INSERT INTO search_queue (account_id, thread_id) SELECT account_id, id FROM threads ORDER BY id DESC',
  'VACUUM ANALYZE',
  'ALTER SYSTEM RESET ALL',
  'SELECT pg_reload_conf()',
  'CHECKPOINT',
];
