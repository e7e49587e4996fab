import type { Client } from 'pg';
import { LISTS_ACCOUNT } from './lists.account';

const ID = `'${LISTS_ACCOUNT.id}'::uuid`;
/** The agent of half of the dialogs. */
const AGENT = `'${LISTS_ACCOUNT.agents[0]}'::uuid`;
const MARK = 'bench figures';

const STAYS = `
  INSERT INTO figure_stays (account_id, thread_id, seq, assistant_id, status_id, entered_at, left_at, counted, earlier_at, converted)
  SELECT ${ID}, e.thread_id, e.seq, ${AGENT}, e.status_id, e.at, lead(e.at) OVER dialog, true,
         max(e.at) OVER (PARTITION BY e.thread_id, e.status_id ORDER BY e.seq ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING),
         coalesce(max(e.seq) FILTER (WHERE s.kind = 'success')
                    OVER (PARTITION BY e.thread_id ORDER BY e.seq ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING) > e.seq, false)
    FROM (SELECT thread_id, seq, at, (body ->> 'to')::uuid AS status_id FROM events
           WHERE account_id = ${ID} AND assistant_id = ${AGENT} AND type IN ('opened', 'status')) e
    LEFT JOIN statuses s ON s.account_id = ${ID} AND s.id = e.status_id
  WINDOW dialog AS (PARTITION BY e.thread_id ORDER BY e.seq)`;

/** Every message of the dialogs either is the customer's or says something. */
const MESSAGES = `
  INSERT INTO figure_messages (account_id, message_id, assistant_id, bot_id, channel, at, role, status, counts, began_at,
                               template, language, replied, error_code, provider_code)
  SELECT ${ID}, id, ${AGENT}, bot_id, channel, created_at, role, status, counts,
         CASE WHEN counts THEN min(created_at) FILTER (WHERE role = 'USER') OVER (PARTITION BY thread_id, turn) END,
         CASE WHEN type = 'template' THEN content ->> 'name' END, CASE WHEN type = 'template' THEN content ->> 'language' END,
         type = 'template' AND coalesce(next_from_customer <= created_at + interval '24 hours', false), error_code, provider_code
    FROM (SELECT m.*, status NOT IN ('failed', 'dropped') AS counts,
                 count(*) FILTER (WHERE role <> 'USER' AND status NOT IN ('failed', 'dropped'))
                   OVER (PARTITION BY thread_id ORDER BY created_at, id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS turn,
                 min(created_at) FILTER (WHERE role = 'USER')
                   OVER (PARTITION BY thread_id ORDER BY created_at, id ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING) AS next_from_customer
            FROM messages m
           WHERE account_id = ${ID} AND bot_id = '${LISTS_ACCOUNT.bots[0]}'::uuid) m`;

/** The history as the worker would have counted it, which takes it a while: it counts some 10,000 events a second. */
export async function countHistory(db: Client): Promise<void> {
  const { rows } = await db.query<{ known: string | null }>(
    `SELECT obj_description('figure_stays'::regclass) AS known`,
  );
  if (rows[0]?.known === MARK) return;
  const begun = performance.now();
  await db.query(`SET work_mem = '512MB'`);
  await db.query('TRUNCATE figure_positions, figure_stays, figure_messages, figure_ranges');
  await db.query(STAYS);
  await db.query(`CREATE TEMPORARY TABLE counted AS SELECT * FROM figure_messages WITH NO DATA`);
  await db.query(MESSAGES.replace('INSERT INTO figure_messages', 'INSERT INTO counted'));
  await db.query(`INSERT INTO figure_messages SELECT * FROM counted WHERE role <> 'USER'`);
  await db.query(
    `INSERT INTO figure_positions (account_id, assistant_id, seq, success_ids)
     SELECT account_id, id, (SELECT max(seq) FROM events),
            (SELECT array_agg(s.id ORDER BY s.id) FROM statuses s
              WHERE s.account_id = a.account_id AND s.assistant_id = a.id AND s.kind = 'success')
       FROM assistants a WHERE account_id = ${ID}`,
  );
  await db.query(`COMMENT ON TABLE figure_stays IS '${MARK}'`);
  await db.query('VACUUM ANALYZE figure_stays, figure_messages');
  console.log(`its history counted in ${((performance.now() - begun) / 1_000).toFixed(0)} s`);
}
