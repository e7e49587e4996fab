import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { ApiClient, request } from '../../support/clients/api.client';
import { DatabaseProxy } from '../../support/faults/database.proxy';
import { eventually } from '../../support/eventually';
import { AccountFixture } from '../../support/database/fixture';
import { setScene } from '../../support/scenes/base.scene';
import { requestLiterally } from '../../support/clients/raw.request';
import { expectRefused } from '../../support/clients/refusal.expectation';
import { LONG_WAITS } from '../../support/programs/test.limits';
import { SECRETS } from '../../support/programs/server.process';
import { untilWaiting } from '../../support/faults/waiting.sessions';
import { gupshupTokenOf as tokenOf, signatureOf, WebhookSender } from '../../support/clients/webhook.sender';

const MIB = 1024 * 1024;
/** As many statements of accounts as a process runs at once. */
const SLOTS_OF_ACCOUNTS = 16;

/** No worker: what is stored stays as it came. */
const scene = setScene({ servers: 0, environment: { ROLE: 'api', LOG_LEVEL: 'trace', ...LONG_WAITS } });
let proxy: DatabaseProxy;
let sender: WebhookSender;

beforeAll(async () => {
  proxy = await DatabaseProxy.start(scene.database.url);
  sender = new WebhookSender(await scene.addServer({}, proxy.url));
});

afterAll(() => proxy?.stop());

interface Stored {
  provider: string;
  bot_id: string | null;
  body: Buffer;
  state: string;
}

/** What was stored of bodies that hold these words. */
const storedWith = async (words: string): Promise<Stored[]> => {
  const { rows } = await scene.database.pool.query<Stored>(
    `SELECT provider, bot_id, body, state FROM webhook_deliveries WHERE position($1 IN body) > 0`,
    [Buffer.from(words)],
  );
  return rows;
};
const named = (): string => `named ${randomUUIDv7()}`;

describe('the address for Meta', () => {
  const verify = (query: string) => request(`${scene.server.url}/webhooks/whatsapp?${query}`);
  const TOKEN = `hub.verify_token=${SECRETS.CLOUD_API_VERIFY_TOKEN}`;

  it('is confirmed with exactly the challenge, to a caller who knows the token', async () => {
    const { status, text, headers } = await verify(`hub.mode=subscribe&${TOKEN}&hub.challenge=1158201444`);
    expect([status, text, headers.get('content-type')]).toEqual([
      200,
      '1158201444',
      'text/plain; charset=utf-8',
    ]);
  });

  it.each([
    ['another token', 'hub.mode=subscribe&hub.verify_token=wrong&hub.challenge=1'],
    ['two tokens', `hub.mode=subscribe&${TOKEN}&${TOKEN}&hub.challenge=1`],
    ['a challenge with a meaning to browsers', `hub.mode=subscribe&${TOKEN}&hub.challenge=%3Cscript%3E`],
  ])('is not confirmed with %s', async (_, query) => {
    const { status, body, text } = await verify(query);
    expect([status, body.error?.code]).toEqual([403, 'FORBIDDEN']);
    expect(text).not.toContain(SECRETS.CLOUD_API_VERIFY_TOKEN);
  });

  it.each([
    ['escaped', (name: string) => String.raw`{"text":"\u0421\u0422\u041e\u041f ${name}"}`],
    ['in UTF-8, with blanks and a key twice', (name: string) => `{ "a" :1,"a":2, "text":"СТОП ${name}"}\n`],
    ['no JSON at all', (name: string) => `{"cut off ${name}`],
  ])('takes what Meta signed, byte for byte: %s', async (_, bodyOf) => {
    const name = named();
    const { status, text } = await sender.meta(bodyOf(name));
    expect([status, text]).toEqual([200, '']);
    expect(await storedWith(name)).toEqual([
      { provider: 'cloud', bot_id: null, body: Buffer.from(bodyOf(name)), state: 'due' },
    ]);
  });

  it('takes bytes that are no text', async () => {
    const bytes = randomBytes(64);
    expect((await sender.meta(bytes)).status).toBe(200);
    const { rows } = await scene.database.pool.query('SELECT FROM webhook_deliveries WHERE body = $1', [
      bytes,
    ]);
    expect(rows).toHaveLength(1);
  });

  it.each([
    ['no signature', {}],
    ['a signature by another secret', { 'X-Hub-Signature-256': signatureOf('{"a":1}', 'another secret') }],
    ['the signature of another body', { 'X-Hub-Signature-256': signatureOf('{"a":2}') }],
    ['the signature twice', { 'X-Hub-Signature-256': [signatureOf('{"a":1}'), signatureOf('{"a":1}')] }],
    ['the old kind of signature', { 'X-Hub-Signature': signatureOf('{"a":1}') }],
  ])('refuses a body with %s and stores nothing', async (_, headers) => {
    await expectRefused(scene.database.pool, () => sender.meta('{"a":1}', headers), [401, 'UNAUTHORIZED']);
  });

  it('takes a body of 3 MiB and none that is larger', async () => {
    const name = named();
    const whole = Buffer.alloc(3 * MIB, 'x');
    whole.write(name);
    expect((await sender.meta(whole)).status).toBe(200);
    expect((await storedWith(name)).map(({ body }) => body.length)).toEqual([3 * MIB]);
    // Each refusal is held to every row.
    await scene.database.pool.query('DELETE FROM webhook_deliveries WHERE length(body) = $1', [3 * MIB]);
    const larger = Buffer.alloc(3 * MIB + 1, 'x');
    for (const chunked of [false, true]) {
      const headers = { 'X-Hub-Signature-256': signatureOf(larger) };
      const path = '/webhooks/whatsapp';
      const call = () => requestLiterally(scene.server.url, { path, body: larger, headers, chunked });
      await expectRefused(scene.database.pool, call, [413, 'PAYLOAD_TOO_LARGE']);
    }
  });

  it('takes every one of twenty that come at once', async () => {
    const name = named();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => sender.meta(`${name} ${index}`)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(await storedWith(name)).toHaveLength(20);
  });
});

describe('the address for Gupshup', () => {
  it('takes what comes with the token, for the bot that it names, and answers without a body', async () => {
    const name = named();
    const { status, text } = await sender.gupshup(scene.account.botId, `{"a":"${name}"}`);
    expect([status, text]).toEqual([200, '']);
    expect(await storedWith(name)).toEqual([
      {
        provider: 'gupshup',
        bot_id: scene.account.botId,
        body: Buffer.from(`{"a":"${name}"}`),
        state: 'due',
      },
    ]);
  });

  it.each([
    [
      'of version 2',
      '{"app":"X","type":"user-event","payload":{"phone":"callbackSetPhone","type":"sandbox-start"}}',
    ],
    [
      'of version 3',
      '{"entry":[{"changes":[{"field":"messages","value":{"statuses":[{"type":"set-callback"}]}}]}]}',
    ],
    ['with nothing in it', ''],
  ])('answers a trial %s', async (_, body) => {
    const { status, text } = await sender.gupshup(scene.account.botId, body);
    expect([status, text]).toEqual([200, '']);
  });

  it.each([
    ['no token', ''],
    ['an empty token', 'token='],
    ['another token', `token=${SECRETS.GUPSHUP_WEBHOOK_TOKEN}0`],
    ['the token twice', `token=${SECRETS.GUPSHUP_WEBHOOK_TOKEN}&token=${SECRETS.GUPSHUP_WEBHOOK_TOKEN}`],
  ])('refuses %s and stores nothing', async (_, query) => {
    const call = () => sender.gupshup(scene.account.botId, '{"a":1}', query);
    await expectRefused(scene.database.pool, call, [401, 'UNAUTHORIZED']);
  });

  it('takes what comes with the token of its bot, and nothing with that of another bot', async () => {
    const [bot, other] = [scene.account.botId, await scene.account.addBot()];
    const name = named();
    const { status } = await sender.gupshup(bot, `{"a":"${name}"}`, `token=${tokenOf(bot)}`);
    expect([status, (await storedWith(name)).map(({ bot_id }) => bot_id)]).toEqual([200, [bot]]);
    for (const [at, of] of [
      [bot, other],
      [other, bot],
      [bot, randomUUIDv7()],
      [bot, ''],
    ] as const) {
      const call = () => sender.gupshup(at, '{"a":1}', `token=${tokenOf(of)}`);
      await expectRefused(scene.database.pool, call, [401, 'UNAUTHORIZED']);
    }
  });

  it('answers a wrong token alike for every bot: one that exists, one that does not, and no id', async () => {
    const told: unknown[][] = [];
    for (const bot of [scene.account.botId, randomUUIDv7(), 'malformed', '%00'])
      for (const token of ['wrong', tokenOf(await scene.account.addBot())]) {
        const { status, body } = await sender.gupshup(bot, '{"a":1}', `token=${token}`);
        told.push([status, body.error.code, body.error.message]);
      }
    expect(told).toEqual(told.map(() => [401, 'UNAUTHORIZED', told[0]?.[2]]));
  });

  it.each([randomUUIDv7(), 'malformed', '%00'])('of no bot (%s) does not exist', async (botId) => {
    await expectRefused(scene.database.pool, () => sender.gupshup(botId, '{"a":1}'), [404, 'NOT_FOUND']);
  });

  it('leaves no token in the log', async () => {
    await sender.gupshup(scene.account.botId, '{}');
    await sender.gupshup(scene.account.botId, '{}', `token=${tokenOf(scene.account.botId)}`);
    const path = `/webhooks/gupshup/${scene.account.botId}`;
    const line = `"path":"${path}"`;
    await eventually(async () => scene.server.output().includes(line), 5_000, 'no line of the request');
    for (const token of [SECRETS.GUPSHUP_WEBHOOK_TOKEN, tokenOf(scene.account.botId)])
      expect(scene.server.output()).not.toContain(token);
    expect(scene.server.output()).not.toContain(SECRETS.CLOUD_API_VERIFY_TOKEN);
  });
});

it('webhooks are stored at once while calls of many accounts have every slot and wait for locks', async () => {
  const { pool } = scene.database;
  const accounts = await Promise.all(
    Array.from({ length: SLOTS_OF_ACCOUNTS }, () => AccountFixture.create(pool)),
  );
  const threads = await Promise.all(accounts.map((account) => account.addThread()));
  const holder = await pool.connect();
  const calls: Promise<unknown>[] = [];
  try {
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM threads FOR UPDATE');
    for (const [index, { key }] of accounts.entries()) {
      const api = new ApiClient(scene.server.url, key);
      calls.push(...[1, 2, 3].map(() => api.setAi(String(threads[index]), true)));
    }
    await untilWaiting(pool, SLOTS_OF_ACCOUNTS, { application: 'leadline' });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2 === 0 ? sender.meta(named()) : sender.gupshup(scene.account.botId, named()),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
  } finally {
    await holder.query('ROLLBACK');
    holder.release();
    await Promise.all(calls);
  }
});

// The last: the server has no database after it.
it('a webhook that cannot be stored is asked for again', async () => {
  expect((await sender.meta('{}')).status).toBe(200);
  await proxy.stop();
  for (const { status, body, headers } of [
    await sender.meta('{}'),
    await sender.gupshup(scene.account.botId, '{}'),
  ]) {
    expect([status, body.error.code, headers.get('retry-after')]).toEqual([503, 'UNAVAILABLE', '1']);
  }
});
