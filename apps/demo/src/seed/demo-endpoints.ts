import { demoId } from '@app/contracts/demo-ids';
import { NIL_ID } from '@app/contracts/uuid.format';
import { newSigningSecret } from '@app/domain/accounts/secret-cipher.port';
import { secretBoundTo } from '@app/domain/webhooks-out/endpoints/endpoint-secrets';
import { eventIdOf } from '@app/domain/webhooks-out/sending/log-reading';
import { AesChannelCipher } from '@app/integrations/cipher/aes-channel-cipher';
import type { Client } from 'pg';
import { BOTS, SHOP } from './demo-accounts';

const FIRST_MESSAGE = 1_001;
/** Dialogs that got a list of messages before anything else was said in them. */
const SENT_TO = [17, 18];

/** Rows of the import by which the shop's customers came. */
const IMPORTED = 30;

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

/**
 * Nothing of the demo leaves this machine, so they are on it, at a port where nothing listens. They take only what the demo does
 * not do by itself: so what happens there is your doing.
 */
const ENDPOINTS = [
  { n: 1, url: 'http://127.0.0.1:9/leadline', description: 'Accounting system', isEnabled: true },
  { n: 2, url: 'http://127.0.0.1:9/old', description: 'Former site', isEnabled: false },
];

const EVENT = {
  ...{ by: 'SYSTEM', actor: null, import_id: demoId('import', 1), state: 'done' },
  ...{ rows: IMPORTED, created: IMPORTED, moved: 0, unchanged: 0, faults: 0 },
};

const ATTEMPT = { status: 503, ms: 84, error: null, reason: null };

/** Endpoints that the documentation's examples name, with a delivery that failed. Their secrets are known to nobody. */
export async function seedEndpoints(db: Client, encryptionKey: string): Promise<void> {
  const cipher = new AesChannelCipher(encryptionKey);
  for (const { n, url, description, isEnabled } of ENDPOINTS) {
    const id = demoId('webhookEndpoint', n);
    const { keyId, sealed } = cipher.seal(newSigningSecret(), secretBoundTo({ account_id: SHOP, id }));
    await db.query(
      `INSERT INTO webhook_endpoints (account_id, id, url, events, description, key_id, secret, disabled_at, disabled_reason)
       VALUES ($1, $2, $3, '{import.finished}', $4, $5, $6, CASE WHEN NOT $7 THEN clock_timestamp() END,
               CASE WHEN NOT $7 THEN 'gone' END)`,
      [SHOP, id, url, description, keyId, sealed, isEnabled],
    );
    if (isEnabled)
      await db.query('INSERT INTO endpoint_queues (account_id, endpoint_id) VALUES ($1, $2)', [SHOP, id]);
  }
  const { rows } = await db.query<{ seq: string; at: Date }>(
    `INSERT INTO events (account_id, thread_id, assistant_id, version, type, at, body)
     SELECT $1, $2, $2, (extract(epoch FROM t.at) * 1000)::bigint, 'import', t.at, $3
       FROM (SELECT clock_timestamp() - interval '5 days' AS at) t
     RETURNING seq, at`,
    [SHOP, NIL_ID, JSON.stringify(EVENT)],
  );
  for (const { seq, at } of rows) {
    const eventId = eventIdOf({ accountId: SHOP, threadId: NIL_ID, seq: Number(seq), at });
    await db.query(
      `INSERT INTO endpoint_deliveries (account_id, id, endpoint_id, seq, thread_id, type, event_id, state, tries, attempts, created_at)
       VALUES ($1, $2, $3, $4, $5, 'import.finished', $6, 'failed', 10, $7, $8)`,
      [
        ...[SHOP, demoId('webhookDelivery', 1), demoId('webhookEndpoint', 1), seq, NIL_ID, eventId],
        ...[JSON.stringify([{ ...ATTEMPT, at }]), at],
      ],
    );
  }
}
