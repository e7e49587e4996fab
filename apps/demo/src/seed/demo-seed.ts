import { demoId } from '@app/contracts/demo-ids';
import { foldStatusName } from '@app/contracts/stage.words';
import { hashKey } from '@app/domain/accounts/keys/admission.service';
import { shownPrefix } from '@app/domain/accounts/keys/api-keys.service';
import type { MediaStore } from '@app/domain/media/media-store.port';
import type { Client } from 'pg';
import { deriveKey, type DemoSecrets } from '../data-folder';
import { withClient } from '../embedded-postgres/database-connection';
import { SHOP, ASSISTANTS, BOTS, CLINIC, type DemoBot } from './demo-accounts';
import { phoneOfDialog, placeOfNumber, PACKING, type DemoStage } from './demo-funnels';
import { seedEndpoints, seedExamples } from './demo-endpoints';
import { seedFiles, seedStates } from './demo-states';
import { DEMO_KEYS, KEY_TO_REVOKE, KEY_TO_ROTATE } from './demo-keys';
import { seedNumbers } from './demo-numbers';
import { seedRejects } from './demo-rejects';
import { seedRuns, seedScenarios } from './demo-scenarios';
import { DRAFTS, TEMPLATES } from './demo-templates';
import { seedUsers } from './demo-users';

const PARAMETERS = {
  type: 'object',
  properties: { machine: { type: 'string', description: 'Name of the machine, as the customer wrote it' } },
  required: ['machine'],
};

/** An example of a tool. The shop does not exist, so the tool is switched off. */
async function seedTools(db: Client): Promise<void> {
  await db.query(
    `INSERT INTO assistant_tools (account_id, id, assistant_id, name, description, method, url, parameters, auto_fill,
       header_names, timeout_ms, enabled)
     VALUES ($1, $2, $3, 'find_stock', 'How many of a machine are in stock.', 'GET', 'https://shop.example.com/stock', $4,
       '{"customer": "phone"}', '{}', 10000, false)`,
    [SHOP, demoId('tool', 1), demoId('assistant', 1), JSON.stringify(PARAMETERS)],
  );
}

/** Customers of the demo and the last thing each of them, or the agent, said. */
interface DemoCustomer {
  name: string;
  said: string;
  /** The answer, if there was one. Without it the customer's message waits. */
  answered?: string;
}

const CUSTOMERS: DemoCustomer[] = [
  { name: 'Айгерим', said: 'Здравствуйте! Сколько стоит кофемашина?' },
  { name: 'Данияр', said: 'Есть доставка в Караганду?', answered: 'Да, два–три дня.' },
  { name: 'Мария', said: 'Спасибо, подумаю', answered: 'Буду на связи.' },
  { name: 'Олег', said: 'Можно счёт на ИП?' },
  { name: 'Зарина', said: 'Оплатила, вот чек', answered: 'Получили, спасибо!' },
  { name: 'Тимур', said: 'Когда приедет мастер?' },
  { name: 'Елена', said: 'Какие есть цвета?', answered: 'Чёрный, серый и красный.' },
  { name: 'Руслан', said: 'А рассрочка есть?', answered: 'До двенадцати месяцев.' },
  { name: 'Асель', said: 'Пришлите каталог', answered: 'Отправили на почту.' },
  { name: 'Никита', said: 'Дорого', answered: 'Есть модель попроще, показать?' },
];

const SHOP_DIALOGS = 30;
const SERVICE_DIALOGS = 4;
const CLINIC_DIALOGS = 6;
const WITHOUT_STAGE_EVERY = 8;
const OPTED_OUT_DIALOG = 30;
/** The age of a message that is too old to be answered: the agent never answers what is older than a day. */
const STALE_DIALOG = 26;
/** The one dialog at the stage after payment. */
const PACKING_DIALOG = 15;
const DEMO_QUOTA = 10_000;

/**
 * Fills an empty database with the demo, in one transaction. A database that has the demo keeps what people did in
 * it. The keys are set at each start, because they are derived from the secrets.
 */
export async function seedDemo(
  databaseUrl: string,
  secrets: DemoSecrets,
  encryptionKey: string,
  store: MediaStore,
): Promise<void> {
  await withClient(databaseUrl, 'leadline demo seed', async (db) => {
    await db.query('BEGIN');
    const { rowCount } = await db.query('SELECT 1 FROM accounts WHERE id = $1', [SHOP]);
    const isNew = rowCount === 0;
    if (isNew) await seedAccounts(db);
    await seedNumbers(db, secrets, encryptionKey);
    await seedTemplates(db);
    if (isNew) await seedExamples(db);
    if (isNew) await seedRuns(db);
    if (isNew) await seedTools(db);
    if (isNew) await seedEndpoints(db, encryptionKey);
    await seedKeys(db, secrets);
    await seedUsers(db, secrets);
    await seedRejects(db);
    await seedFiles(db, store);
    if (isNew) await seedStates(db, store);
    await db.query('COMMIT');
  });
}

async function seedAccounts(db: Client): Promise<void> {
  await db.query('INSERT INTO accounts (id, name, monthly_message_quota) VALUES ($1, $2, $5), ($3, $4, $5)', [
    SHOP,
    'Harbour Coffee',
    CLINIC,
    'Northwind Dental',
    DEMO_QUOTA,
  ]);
  for (const { accountId, id, name, instructions, funnel } of ASSISTANTS) {
    await db.query('INSERT INTO assistants (account_id, id, name, instructions) VALUES ($1, $2, $3, $4)', [
      accountId,
      id,
      name,
      instructions,
    ]);
    for (const [index, stage] of funnel.entries()) await seedStage(db, accountId, id, stage, index + 1);
  }
  await seedScenarios(db);
  for (const { accountId, id, assistantId, name } of BOTS) {
    const bot = [accountId, id, assistantId, name];
    await db.query('INSERT INTO bots (account_id, id, assistant_id, name) VALUES ($1, $2, $3, $4)', bot);
  }
  let n = 0;
  const counts = [SHOP_DIALOGS, SERVICE_DIALOGS, CLINIC_DIALOGS];
  for (const [index, bot] of BOTS.entries()) {
    const stages = (ASSISTANTS[index]?.funnel ?? []).filter((stage) => stage !== PACKING);
    for (let i = 0; i < (counts[index] ?? 0); i++) {
      n += 1;
      const customer = CUSTOMERS[i % CUSTOMERS.length];
      const stage = n === PACKING_DIALOG ? PACKING : stages[i % stages.length];
      if (customer) await seedDialog(db, bot, n, stage, customer);
    }
  }
}

async function seedStage(
  db: Client,
  accountId: string,
  assistantId: string,
  stage: DemoStage,
  order: number,
): Promise<void> {
  const { id, name, kind, description, aiEnabled = true, locked = false } = stage;
  await db.query(
    `INSERT INTO statuses (account_id, id, assistant_id, name, name_folded, kind, "order", description, ai_enabled, ai_transition_locked)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [accountId, id, assistantId, name, foldStatusName(name), kind, order, description, aiEnabled, locked],
  );
}

async function seedDialog(
  db: Client,
  bot: DemoBot,
  n: number,
  stage: DemoStage | undefined,
  { name, said, answered }: DemoCustomer,
): Promise<void> {
  const threadId = demoId('thread', n);
  const channel = bot.channels[placeOfNumber(n, bot.channels.length)]?.channel;
  const phone = phoneOfDialog(n);
  const statusId = n % WITHOUT_STAGE_EVERY === 0 ? null : stage?.id;
  const optedOut = n === OPTED_OUT_DIALOG;
  const saidMinutesAgo = n === STALE_DIALOG ? 2 * 24 * 60 : n * 7;
  const asked = demoId('message', n * 2);
  const reply = optedOut ? undefined : answered;
  await db.query(
    `INSERT INTO threads (account_id, id, assistant_id, bot_id, channel, contact, phone, customer_name, status_id,
       status_set_at, status_set_by, ai_enabled, opted_out, waiting_message_id, waiting_at, last_message_role,
       last_message_text, last_message_at, unread_count, created_at, last_activity_at, replied_at)
     SELECT $1, $2, $3, $4, $5, $6, $6, $7, $8::uuid, CASE WHEN $8::uuid IS NULL THEN NULL ELSE t.at END,
            CASE WHEN $8::uuid IS NULL THEN NULL ELSE 'AI' END, NOT $9::boolean, $9, CASE WHEN $10 THEN $11::uuid END,
            CASE WHEN $10 THEN t.at END, CASE WHEN $10 THEN 'USER' ELSE 'AI' END, $12, t.at, CASE WHEN $10 THEN 1 ELSE 0 END,
            clock_timestamp() - interval '3 days' + make_interval(mins => $15), t.at, CASE WHEN NOT $9 THEN t.at - make_interval(mins => $14) END
       FROM (SELECT clock_timestamp() - make_interval(mins => $13) AS at) t`,
    [
      bot.accountId,
      threadId,
      bot.assistantId,
      bot.id,
      channel,
      phone,
      name,
      statusId,
      optedOut,
      reply === undefined,
      asked,
      optedOut ? 'STOP' : (reply ?? said),
      saidMinutesAgo,
      reply === undefined ? 0 : 1,
      // Ids rise with it: a list is in the order of both.
      n,
    ],
  );
  const message = `INSERT INTO messages (account_id, id, thread_id, role, text, bot_id, channel, status, inbound, sent_at, created_at)
    SELECT $1, $2, $3, $4, $5, h.bot_id, h.channel, CASE $4 WHEN 'USER' THEN 'received' ELSE 'read' END, $4 = 'USER', t.at, t.at
      FROM threads h, (SELECT clock_timestamp() - make_interval(mins => $6) AS at) t
     WHERE h.account_id = $1 AND h.id = $3`;
  const text = optedOut ? 'STOP' : said;
  await db.query(message, [
    bot.accountId,
    asked,
    threadId,
    'USER',
    text,
    reply === undefined ? saidMinutesAgo : saidMinutesAgo + 1,
  ]);
  if (reply !== undefined) {
    await db.query(message, [
      bot.accountId,
      demoId('message', n * 2 + 1),
      threadId,
      'AI',
      reply,
      saidMinutesAgo,
    ]);
  }
}

/** Adds missing ones, so that a demo of an earlier version gets them too. */
async function seedTemplates(db: Client): Promise<void> {
  for (const { id, bot, channel, ...template } of [...TEMPLATES, ...DRAFTS]) {
    await db.query(
      `INSERT INTO templates (account_id, id, bot_id, channel, template_id, name, language, category, status, provider_id,
         body, footer, buttons, examples, params_count)
       VALUES ($1, $2, $3, $4, $5, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) ON CONFLICT DO NOTHING`,
      [
        bot.accountId,
        id,
        bot.id,
        channel,
        template.name,
        template.language,
        template.category,
        template.status,
        template.providerId,
        template.body,
        template.footer,
        JSON.stringify(template.buttons),
        JSON.stringify({ body: template.examples }),
        template.paramsCount,
      ],
    );
  }
}

async function seedKeys(db: Client, secrets: DemoSecrets): Promise<void> {
  for (const key of [...DEMO_KEYS, KEY_TO_REVOKE, KEY_TO_ROTATE]) {
    const { id, name, accountId, scopes, botIds, assistantIds, limitGeneral = null } = key;
    const secret = deriveKey(secrets, name);
    await db.query(
      `INSERT INTO api_keys (id, account_id, name, prefix, key_hash, scopes, bot_ids, assistant_ids, limit_general)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
       ON CONFLICT (id) DO UPDATE SET key_hash = excluded.key_hash, prefix = excluded.prefix,
         limit_general = coalesce(api_keys.limit_general, excluded.limit_general)`,
      [id, accountId, name, shownPrefix(secret), hashKey(secret), scopes, botIds, assistantIds, limitGeneral],
    );
  }
}
