import { demoId } from '@app/contracts/demo-ids';
import type { Client } from 'pg';
import { BOTS } from './demo-accounts';

const FIRST_MESSAGE = 1_001;
/** Dialogs that got a list of messages before anything else was said in them. */
const SENT_TO = [17, 18];

/** Rows of the import by which the shop's customers came. */
export const IMPORTED = 30;

/** A sent list and an import that has ended, which the examples of get-batch and get-import name. */
export async function seedExamples(db: Client): Promise<void> {
  const [bot] = BOTS;
  const [number] = bot?.channels ?? [];
  if (!bot || !number) return;
  await db.query(
    `INSERT INTO imports (account_id, id, assistant_id, bot_id, channel, dry_run, start_scenarios, set_by, actor, state,
       rows, done, created_rows, created_at, finished_at)
     SELECT $1, $2, $3, $4, $5, false, false, 'SYSTEM', $6, 'done', $7, $7, $7, t.at, t.at
       FROM (SELECT clock_timestamp() - interval '5 days' AS at) t`,
    [
      ...[bot.accountId, demoId('import', 1), bot.assistantId, bot.id, number.channel],
      ...[JSON.stringify({ type: 'key', id: demoId('apiKey', 1), name: 'Accounting system' }), IMPORTED],
    ],
  );
  const batchId = demoId('batch', 1);
  const messageIds = SENT_TO.map((_, index) => demoId('message', FIRST_MESSAGE + index));
  await db.query(
    `INSERT INTO batches (account_id, id, bot_id, channel, total, first_message_id, last_message_id, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, clock_timestamp() - interval '1 day')`,
    [bot.accountId, batchId, bot.id, number.channel, SENT_TO.length, messageIds[0], messageIds.at(-1)],
  );
  for (const [index, n] of SENT_TO.entries()) {
    await db.query(
      `INSERT INTO messages (account_id, id, thread_id, role, type, text, content, bot_id, channel, status, recipient,
         batch_id, batch_index, provider_id, accepted_at, delivered_at, read_at, created_at)
       SELECT $1, $2, $3, 'SYSTEM', 'template', 'Ваш заказ готов. Заберите его сегодня до 21:00.', $7, h.bot_id,
              h.channel, 'read', h.phone, $4, $5, $6, t.at, t.at, t.at, t.at
         FROM threads h, (SELECT clock_timestamp() - interval '1 day' AS at) t
        WHERE h.account_id = $1 AND h.id = $3`,
      [
        bot.accountId,
        messageIds[index],
        demoId('thread', n),
        batchId,
        index,
        `wamid.demo${n}`,
        JSON.stringify({ name: 'order_ready', language: 'ru' }),
      ],
    );
  }
}
