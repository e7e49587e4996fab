import { randomUUIDv7 } from 'node:crypto';
import { request, type Answer } from '../clients/api.client';
import { PASSWORD, type SessionClient } from '../clients/session.client';
import { UploadClient } from '../clients/upload.client';
import { lastingRowsOf } from '../database/database.dump';
import { addAdminKey, type AccountFixture } from '../database/fixture';
import { uuidOf } from '../database/thread.uuid';
import { image } from '../media.samples';
import { cloudNumbersAsked } from '../stand-ins/provider.numbers';
import { StandInProvider } from '../stand-ins/provider.stand-in';
import { CHEAP_HASHES } from '../programs/test.limits';
import { extend, makeScene, type SceneOptions } from './base.scene';
import { sceneOf } from './scene.opening';

/** One of each thing that an identifier may name, of one agent of an account; a dialog by its id with the prefix. */
export interface Things {
  account: string;
  assistant: string;
  batch: string;
  bot: string;
  delivery: string;
  endpoint: string;
  import: string;
  key: string;
  media: string;
  message: string;
  reject: string;
  run: string;
  scenario: string;
  session: string;
  stage: string;
  template: string;
  thread: string;
  tool: string;
  user: string;
}

/** Limits of every key here, by which an answer shows on what it was counted. */
export const COUNTERS = { leads: 100_003, general: 100_007 };
const LIMITS = { limitLeads: COUNTERS.leads, limitGeneral: COUNTERS.general };

/** Who calls, and what shows it. */
export interface Principal {
  name: string;
  headers: Record<string, string>;
  type: 'nobody' | 'key' | 'person';
  scopes: string[];
  role: 'operator' | 'admin' | null;
  /** Whether its person gave the password again. */
  confirmed: boolean;
  /** A page of another site: what it reads is the person's, what it changes is refused. */
  crossSite?: true;
  session?: SessionClient;
}

/** Stands wherever an answer would show what is a twin's. */
export const TWINS_WORD = 'of a twin';
const WITH_NAMES = ['assistants', 'bots', 'statuses', 'scenarios'];
const NOT_OF_TWINS = ['events', 'audit_entries', 'endpoint_queues'];

/** What each file of the scene has. */
export const FILE = image('png');

/** What the provider answers to whatever is asked of it: it takes all, and lists a template. */
const THEIRS = { id: '7001', name: 'theirs', language: 'ru', status: 'APPROVED', category: 'UTILITY' };
const behave: StandInProvider['behave'] = (response, { method, url }) => {
  const numbers = cloudNumbersAsked(url);
  if (numbers) return void response.end(JSON.stringify(numbers));
  const sent = { messages: [{ id: `wamid.${randomUUIDv7()}` }] };
  const templates =
    method === 'GET'
      ? { data: [{ ...THEIRS, components: [{ type: 'BODY', text: 'Здравствуйте!' }] }] }
      : { id: String(Math.floor(Math.random() * 1e9)), status: 'PENDING', category: 'UTILITY' };
  response.end(JSON.stringify(url.includes('message_templates') ? templates : sent));
};

/** A server, a provider that takes everything, principals of each kind, and things of accounts. */
function makeAccessScene(options?: SceneOptions) {
  // All that is in its database is looked at.
  const base = makeScene({ ...options, ownServer: true });

  const scene = extend(base, {
    async thingsOf(account = base.account, assistant = account.assistantId): Promise<Things> {
      const { db, id } = account;
      const bot =
        assistant === account.assistantId ? account.botId : await account.addBot(undefined, assistant);
      const [stage = ''] = await account.addStages(assistant, [{}]);
      const connected = 'SELECT FROM bot_channels WHERE account_id = $1 AND bot_id = $2';
      if ((await db.query(connected, [id, bot])).rowCount === 0)
        await account.connect('waba_coexistence', { botId: bot });
      const thread = await account.addThread({ statusId: stage }, assistant, bot);
      const [message, sent] = [
        await account.addMessage(thread),
        await account.addMessage(thread, { role: 'AI' }),
      ];
      const [batch, imported] = [await account.addBatch(bot), await account.addImport(bot, assistant)];
      const [scenario, user] = [await account.addScenario(stage), await account.addUser()];
      const [key, tool, template] = [randomUUIDv7(), randomUUIDv7(), randomUUIDv7()];
      const [run, reject, endpoint, delivery] = Array.from({ length: 4 }, () => randomUUIDv7());
      const inserts: [string, unknown[]][] = [
        [
          `INSERT INTO api_keys (account_id, id, name, prefix, key_hash, scopes)
         VALUES ($1, $2, 'key', 'll_', sha256($3), '{leads}')`,
          [key, Buffer.from(key)],
        ],
        [
          `INSERT INTO assistant_tools (account_id, assistant_id, id, name, description, method, url, parameters, auto_fill, header_names, timeout_ms, enabled)
         VALUES ($1, $2, $3, 'tool_' || right($3::uuid::text, 12), 'd', 'GET', 'https://example.com/', '{}', '{}', '{}', 5000, true)`,
          [assistant, tool],
        ],
        [
          `INSERT INTO templates (account_id, id, bot_id, channel, template_id, name, language, category, status, body, params_count)
         VALUES ($1, $2, $3, 'waba_coexistence', 'hello_' || right($2::uuid::text, 12), 'hello_' || right($2::uuid::text, 12), 'ru', 'utility', 'draft', 'Hello', 0)`,
          [template, bot],
        ],
        [
          `INSERT INTO scenario_runs (account_id, id, scenario_id, thread_id, status_id, entered_at, revision, state, cause, due_since, started_at, finished_at)
         VALUES ($1, $2, $3, $5, $4, now(), 1, 'done', '{}', now(), now(), now())`,
          [run, scenario, stage, uuidOf(thread)],
        ],
        [
          `UPDATE messages SET batch_id = $3, batch_index = 0, recipient = '+77015550000' WHERE account_id = $1 AND id = $2`,
          [sent, batch],
        ],
        [
          `INSERT INTO webhook_rejects (id, account_id, bot_id, provider, delivery_id, path, reason, item, received_at)
         VALUES ($2, $1, $3, 'cloud', -1, $4, 'r', convert_to($4, 'UTF8'), now())`,
          [reject, bot, reject],
        ],
        // An endpoint with a delivery that failed.
        [
          `WITH made AS (
           INSERT INTO webhook_endpoints (account_id, id, url, events, key_id, secret)
           VALUES ($1, $2, 'https://receiver.invalid/', '{import.finished}', 'none', '')),
         queued AS (INSERT INTO endpoint_queues (account_id, endpoint_id) VALUES ($1, $2))
         INSERT INTO endpoint_deliveries (account_id, id, endpoint_id, seq, thread_id, type, event_id, state)
         VALUES ($1, $3, $2, 1, '00000000-0000-0000-0000-000000000000', 'import.finished', gen_random_uuid(), 'failed')`,
          [endpoint, delivery],
        ],
      ];
      for (const [sql, values] of inserts) await db.query(sql, [id, ...values]);
      return {
        ...{ account: id, assistant, bot, stage, thread, message, batch, import: imported, scenario, user },
        ...({ key, tool, template, run, reject, endpoint, delivery } as Pick<
          Things,
          'key' | 'tool' | 'template' | 'run' | 'reject' | 'endpoint' | 'delivery'
        >),
        media: await addFile(account, bot, message),
        session: await scene.addSession(id, user),
      };
    },

    /**
     * Another account whose things have the same identifiers, as of a copy of a business: a statement that forgets the
     * account meets both. What a provider, a key or a sign-in finds before the account is known is not copied.
     */
    async addTwin(account: AccountFixture): Promise<string> {
      const id = randomUUIDv7();
      const client = await scene.database.pool.connect();
      try {
        // Rows refer to others that are not copied.
        await client.query("SET session_replication_role = 'replica'");
        await client.query('INSERT INTO accounts (id, name) VALUES ($1, $2)', [id, TWINS_WORD]);
        const { rows } = await client.query<{ name: string }>(
          `SELECT c.table_name AS name FROM information_schema.columns c JOIN information_schema.tables USING (table_schema, table_name)
          WHERE table_schema = 'public' AND column_name = 'account_id' AND table_type = 'BASE TABLE' AND table_name <> ALL ($1)`,
          [NOT_OF_TWINS],
        );
        for (const { name } of rows)
          await client.query(
            `INSERT INTO ${name} OVERRIDING SYSTEM VALUE SELECT (jsonb_populate_record(t, to_jsonb(t) || $3 || jsonb_build_object('account_id', $1::uuid) ||
               (SELECT coalesce(jsonb_object_agg(key, $4::text), '{}') FROM jsonb_each(to_jsonb(t)) WHERE key IN ('text', 'body', 'description')))).*
             FROM ${name} t WHERE account_id = $2 ON CONFLICT DO NOTHING`,
            [id, account.id, WITH_NAMES.includes(name) ? { name: TWINS_WORD } : {}, TWINS_WORD],
          );
      } finally {
        client.release(true);
      }
      return id;
    },

    /** All rows of an account, by table, but for what works in the background. */
    async rowsOfAccount(id: string): Promise<[table: string, rows: string[]][]> {
      const dump = await lastingRowsOf(scene.database.pool);
      return Object.entries(dump).map(([table, rows]) => [
        table,
        rows.split('\n').filter((row) => row.includes(id)),
      ]);
    },

    /** A session that a person has besides those that sign in here. */
    async addSession(accountId: string, userId: string): Promise<string> {
      const id = randomUUIDv7();
      await scene.database.pool.query(
        `INSERT INTO user_sessions (account_id, id, user_id, token_hash, network, ip, user_agent)
       VALUES ($1, $2, $3, sha256($4), '127.0.0.1', '127.0.0.1', 'a browser')`,
        [accountId, id, userId, Buffer.from(id)],
      );
      return id;
    },

    /** A call with the principal's headers; a text goes as it is. */
    call(
      { headers }: Pick<Principal, 'headers'>,
      method: string,
      path: string,
      body: unknown,
    ): Promise<Answer> {
      return request(scene.server.url + path, {
        method,
        headers: { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
        body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
      });
    },

    async key(
      name: string,
      scopes: string[],
      given: object = {},
      account = base.account,
    ): Promise<Principal> {
      const key = scopes.includes('admin')
        ? await addAdminKey(scene.database.pool, { ...LIMITS, ...given })
        : await account.addKey({ ...LIMITS, scopes, ...given });
      return { name, headers: { 'X-API-Key': key }, type: 'key', scopes, role: null, confirmed: true };
    },

    async person(
      name: string,
      role: 'operator' | 'admin',
      given: object = {},
      confirmed = true,
    ): Promise<Principal & { session: SessionClient }> {
      const session = await scene.join({ role, ...given });
      if (confirmed) await session.call('auth/confirm', { password: PASSWORD });
      const { 'Content-Type': _, ...headers } = session.headers;
      return { name, headers, type: 'person', scopes: [], role, confirmed, session };
    },

    /** Those whom the service does not know, or not any more. */
    async nobodies(): Promise<Principal[]> {
      const past = { expiresAt: new Date(Date.now() - 60_000) };
      const [disabled, expired, ...keys] = await Promise.all([
        scene.person('a disabled admin', 'admin'),
        scene.person('an admin whose session expired', 'admin'),
        scene.key('an expired key', ['leads', 'messages'], past),
        scene.key('an expired admin key', ['admin'], past),
      ]);
      await scene.admin.admin('PATCH', `users/${disabled.session.userId}`, { disabled: true });
      await scene.database.pool.query(
        `UPDATE user_sessions SET last_seen_at = clock_timestamp() - interval '12 hours 1 second' WHERE user_id = $1`,
        [expired.session.userId],
      );
      const nobody = { name: 'nobody', headers: {}, scopes: [], role: null, confirmed: false };
      return [nobody, disabled, expired, ...keys].map((each) => ({ ...each, type: 'nobody' }));
    },
  });

  /** A file that a customer sent to a bot: whoever sees the message sees it. */
  async function addFile({ id, key, db }: AccountFixture, bot: string, message: string): Promise<string> {
    const uploads = new UploadClient(scene.server.url, { 'X-API-Key': key });
    const { body, text } = await uploads.upload({ bytes: await FILE, name: 'file.png' });
    if (!body.ok) throw new Error(text);
    const media = body.data.media.id as string;
    await db.query('UPDATE media SET bot_id = $3 WHERE account_id = $1 AND id = $2', [id, media, bot]);
    await db.query('UPDATE messages SET media_id = $3 WHERE account_id = $1 AND id = $2', [
      id,
      message,
      media,
    ]);
    return media;
  }

  scene.withStandIns(async () => {
    const provider = await StandInProvider.open();
    scene.whenClosed(() => provider.close());
    provider.behave = behave;
    const addresses = { CLOUD_API_URL: provider.url, GUPSHUP_API_URL: provider.url };
    return { ...addresses, LOG_LEVEL: 'info', ...CHEAP_HASHES };
  });
  return scene;
}

export const { set: setAccessScene } = sceneOf(makeAccessScene);
