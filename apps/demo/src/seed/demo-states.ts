import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { demoId } from '@app/contracts/demo-ids';
import type { MediaKind } from '@app/contracts/media.words';
import type { MessageRole } from '@app/contracts/message.words';
import type { MediaStore } from '@app/domain/media/media-store.port';
import type { Client } from 'pg';
import { sampleOf } from '../../../sandbox/src/files/file-kinds';
import { SHOP } from './demo-accounts';
import { OPERATOR } from './demo-users';

interface DemoMedia {
  id: string;
  kind: MediaKind;
  bytes: Buffer;
  mimeType: string;
  name: string;
}

/** The uploaded file that the documentation sends and reads as an example. */
const PRICE_LIST: DemoMedia = {
  id: demoId('media', 1),
  kind: 'document',
  bytes: Buffer.from('Espresso 900\nFlat white 1,300\nCold brew 1,500\n'),
  mimeType: 'text/plain',
  name: 'price-list.txt',
};

/** Keeps what the documentation needs, at each start. */
export const seedFiles = (db: Client, store: MediaStore): Promise<void> => keepFile(db, store, PRICE_LIST);

/** Keeps a file of the shop, as one that was uploaded or fetched. */
async function keepFile(
  db: Client,
  store: MediaStore,
  { id, kind, bytes, mimeType, name }: DemoMedia,
): Promise<void> {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const file = await store.spool(Readable.from([bytes]), bytes.length);
  try {
    await store.put({ accountId: SHOP, sha256 }, file);
  } finally {
    await file.discard();
  }
  const { rowCount } = await db.query(
    `INSERT INTO media_files (account_id, sha256, size, claim_until)
     VALUES ($1, $2, $3, clock_timestamp()) ON CONFLICT DO NOTHING`,
    [SHOP, sha256, bytes.length],
  );
  await db.query(
    `INSERT INTO media_usage AS u (account_id, bytes) VALUES ($1, $2)
     ON CONFLICT (account_id) DO UPDATE SET bytes = u.bytes + excluded.bytes`,
    [SHOP, rowCount === 1 ? bytes.length : 0],
  );
  await db.query(
    `INSERT INTO media (account_id, id, kind, state, sha256, size, mime_type, file_name, ended_at)
     VALUES ($1, $2, $3, 'stored', $4, $5, $6, $7, clock_timestamp())
     ON CONFLICT DO NOTHING`,
    [SHOP, id, kind, sha256, bytes.length, mimeType, name],
  );
}

const FIRST_MESSAGE = 1_101;

/** A message of a dialog whose state a first visit should show. */
interface Said {
  role: Extract<MessageRole, 'USER' | 'AI' | 'OPERATOR'>;
  text: string;
  file?: { media: number; kind: 'image' | 'document' };
  /** The messenger could not deliver it. */
  failed?: true;
}

interface DialogState {
  /** The number of the dialog: none that the documentation's examples name. */
  n: number;
  said: readonly Said[];
  /** Columns of the thread that make the state, as SQL. */
  set: string;
}

const inMinutes = (minutes: number): string => `clock_timestamp() + interval '${minutes} minutes'`;

/** One of each state that a dialog can be in and that no other seeded one has. */
const STATES: readonly DialogState[] = [
  {
    // The messenger refused the agent's answer.
    n: 10,
    said: [
      { role: 'USER', text: 'Покажите' },
      { role: 'AI', text: 'Вот она: тише прежней и моет себя сама.', failed: true },
    ],
    set: `attention = 'messenger', attention_since = t.last_activity_at`,
  },
  {
    // An operator answers, for some time yet.
    n: 23,
    said: [
      { role: 'USER', text: 'А можно дешевле, если возьму две?' },
      { role: 'OPERATOR', text: 'Добрый день! Это Алия. Уточню у директора и напишу вам сегодня.' },
    ],
    set: `takeover_until = ${inMinutes(27)}, assignee_id = '${OPERATOR.id}'`,
  },
  {
    // Files of a customer.
    n: 24,
    said: [
      { role: 'USER', text: 'Вот такую хочу', file: { media: 2, kind: 'image' } },
      { role: 'USER', text: 'И реквизиты для счёта', file: { media: 3, kind: 'document' } },
      { role: 'AI', text: 'Фото и реквизиты получил, спасибо! Такая есть, чёрная.' },
    ],
    set: `has_runs = t.has_runs`,
  },
  {
    // Switched off until somebody switches on; the customer waits.
    n: 27,
    said: [{ role: 'USER', text: 'Перезвоните мне, пожалуйста, после шести' }],
    set: `ai_enabled = false, ai_epoch = t.ai_epoch + 1`,
  },
  {
    // The agent has handed the dialog over, and a person is asked for.
    n: 28,
    said: [
      { role: 'USER', text: 'Позовите менеджера, хочу обсудить договор' },
      { role: 'AI', text: 'Зову коллегу: он ответит вам здесь.' },
    ],
    set: `takeover_until = ${inMinutes(19)}, attention = 'hand_over', attention_since = t.last_activity_at,
          attention_note = 'Клиент хочет обсудить договор'`,
  },
];

/** Lets some dialogs of a new demo go on, so that a board shows every state at the first visit. */
export async function seedStates(db: Client, store: MediaStore): Promise<void> {
  for (const [media, kind] of [
    [2, 'image'],
    [3, 'document'],
  ] as const) {
    const { bytes, mimeType, name } = sampleOf(kind);
    await keepFile(db, store, { id: demoId('media', media), kind, bytes, mimeType, name });
  }
  let next = FIRST_MESSAGE;
  for (const { n, said, set } of STATES) {
    for (const [index, one] of said.entries()) await say(db, n, next++, one, said.length - index);
    await db.query(`UPDATE threads t SET ${set} WHERE t.account_id = $1 AND t.id = $2`, [
      SHOP,
      demoId('thread', n),
    ]);
  }
}

/** Adds a message after the dialog's last one, in the same minute: lists keep their order. */
async function say(db: Client, n: number, message: number, said: Said, left: number): Promise<void> {
  const { role, text, file, failed = false } = said;
  const ids = [SHOP, demoId('thread', n), demoId('message', message)];
  const isCustomers = role === 'USER';
  const state = isCustomers ? 'received' : failed ? 'failed' : 'read';
  await db.query(
    `WITH at AS (
       SELECT h.bot_id, h.channel, h.phone, h.last_activity_at + interval '40 seconds' / $8::int AS at
         FROM threads h WHERE h.account_id = $1 AND h.id = $2),
     made AS (
       INSERT INTO messages (account_id, id, thread_id, role, type, text, bot_id, channel, status, inbound, recipient,
         media_id, sent_at, created_at, accepted_at, failed_at, error_code, error_message, provider_code)
       SELECT $1, $3, $2, $4, $5, $6, a.bot_id, a.channel, $7, $4 = 'USER', CASE WHEN $4 <> 'USER' THEN a.phone END,
              $9, a.at, a.at, CASE WHEN $4 <> 'USER' THEN a.at END, CASE WHEN $7 = 'failed' THEN a.at END,
              CASE WHEN $7 = 'failed' THEN 'PROVIDER_ERROR' END,
              CASE WHEN $7 = 'failed' THEN 'Message undeliverable' END, CASE WHEN $7 = 'failed' THEN 131026 END
         FROM at a RETURNING created_at)
     UPDATE threads h
        SET last_message_role = $4, last_message_text = $6, last_message_at = m.created_at, last_activity_at = m.created_at,
            unread_count = CASE WHEN $4 = 'USER' THEN h.unread_count + 1 WHEN $4 = 'OPERATOR' THEN 0 ELSE h.unread_count END,
            waiting_message_id = CASE WHEN $4 = 'USER' THEN $3 ELSE h.waiting_message_id END,
            waiting_at = CASE WHEN $4 = 'USER' THEN m.created_at ELSE h.waiting_at END,
            last_inbound_at = CASE WHEN $4 = 'USER' THEN m.created_at ELSE h.last_inbound_at END,
            last_outbound_at = CASE WHEN $4 = 'USER' THEN h.last_outbound_at ELSE m.created_at END,
            answer_count = CASE WHEN $4 = 'USER' THEN 0 ELSE h.answer_count + ($7 <> 'failed')::int END
       FROM made m WHERE h.account_id = $1 AND h.id = $2`,
    [...ids, role, file?.kind ?? 'text', text, state, left + 1, file ? demoId('media', file.media) : null],
  );
}
