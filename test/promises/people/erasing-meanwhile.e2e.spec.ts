import { readdir } from 'node:fs/promises';
import { optOutKey } from '@app/persistence/messages/dialog/erased.statements';
import { hiddenKey } from '@app/persistence/messages/sending/idempotency.repository';
import type { PoolClient } from 'pg';
import { ApiClient, type Answer } from '../../support/clients/api.client';
import { UploadClient } from '../../support/clients/upload.client';
import { uuidOf } from '../../support/database/thread.uuid';
import { untilWaiting } from '../../support/faults/waiting.sessions';
import { IS_LONG } from '../../support/long.mode';
import { image } from '../../support/media.samples';
import { SECRETS } from '../../support/programs/server.process';
import { findIn, setErasureScene } from '../../support/scenes/erasure.scene';
import { CloudNumber, cloudBody, secondsAgo } from '../../support/stand-ins/cloud.webhooks';
import { AccountFixture } from '../../support/database/fixture';
import { S3Store } from '../../support/stand-ins/s3.store';
import { testAfterwards } from './erasing-afterwards.tests';

/** A number that nobody has connected. */
const STRANGERS = new CloudNumber('300000000000017');

const scene = setErasureScene();

let lastPhone = 77016660000;
const somePhone = (): string => String((lastPhone += 1));

async function begin(phone: string): Promise<string> {
  // In one part: between parts the agent pauses.
  await scene.model.reply({ text: 'Hello, how can I help?', when: 'Hello' });
  await scene.tell(scene.number.message({ phone, name: 'Asel' }, 'Hello'));
  const { id } = await scene.dialog(`+${phone}`);
  await scene.untilSaid({ phone }, 1);
  await scene.untilQuiet(id);
  return `thread_${id}`;
}

/** Somebody's transaction, rolled back if the test fails. */
async function within(act: (session: PoolClient, pid: number) => Promise<void>): Promise<void> {
  const session = await scene.database.pool.connect();
  try {
    await session.query('BEGIN');
    const { rows } = await session.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await act(session, rows[0]?.pid ?? NaN);
  } finally {
    await session.query('ROLLBACK');
    session.release();
  }
}

/**
 * Erases a dialog that somebody holds, and does something else while the erasure waits for it. Then lets the dialog go.
 * @returns the erasure's status
 */
async function eraseAfter(threadId: string, act: (pid: number) => Promise<unknown>): Promise<number> {
  const erased: ReturnType<typeof scene.erase>[] = [];
  await within(async (session, pid) => {
    await session.query('SELECT 1 FROM threads WHERE id = $1 FOR NO KEY UPDATE', [uuidOf(threadId)]);
    erased.push(scene.erase(threadId));
    await untilWaiting(scene.database.pool, 1, { behind: pid });
    await act(pid);
  });
  return (await Promise.all(erased))[0]?.status ?? 0;
}

it('what is being taken in opens no other dialog, and what is written afterwards does', async () => {
  const phone = somePhone();
  const threadId = await begin(phone);
  const status = await eraseAfter(threadId, async (pid) => {
    const message = scene.number.message({ phone, name: 'Asel' }, 'Too late');
    await scene.post(cloudBody([message, scene.number.preference({ phone }, 'stop')]));
    await untilWaiting(scene.database.pool, 2, { behind: pid });
  });
  expect(status).toBe(200);
  // A message of another customer is taken in after it.
  await scene.tell(scene.number.message({ phone: somePhone() }, 'Hello'));
  expect(await scene.tracesOf(phone)).toEqual([]);
  await scene.tell(scene.number.message({ phone }, 'It is me again'));
  expect((await scene.dialog(`+${phone}`)).last_message_text).not.toBeNull();
});

it('what came before is taken in first, so its opt-out holds', async () => {
  const phone = somePhone();
  const threadId = await begin(phone);
  await scene.holdBack(scene.number.message({ phone }, 'STOP'));
  const erased = scene.erase(threadId);
  await scene.letGo();
  expect((await erased).status).toBe(200);
  expect(await scene.tracesOf(phone)).toEqual([]);
  await scene.tell(scene.number.message({ phone }, 'Hello once more'));
  expect((await scene.dialog(`+${phone}`)).opted_out).toBe(true);
});

it('a text that cannot be taken in, and is being kept aside, is not kept', async () => {
  const phone = somePhone();
  const threadId = await begin(phone);
  await within(async (keeping, keepingPid) => {
    await keeping.query('LOCK TABLE webhook_rejects IN SHARE MODE');
    const status = await eraseAfter(threadId, async () => {
      await scene.post(cloudBody([STRANGERS.message({ phone }, 'Of an unknown number')]));
      await untilWaiting(scene.database.pool, 1, { behind: keepingPid });
    });
    expect(status).toBe(200);
  });
  await scene.tell(scene.number.message({ phone: somePhone() }, 'Hello'));
  expect(await scene.tracesOf(phone)).toEqual([]);
});

it('what could not be taken in, and is tried again meanwhile, opens no other dialog', async () => {
  const phone = somePhone();
  const threadId = await begin(phone);
  const whole = Buffer.from(cloudBody([scene.number.message({ phone }, 'Could not be read')]));
  const { rows } = await scene.database.pool.query<{ id: string }>(
    `INSERT INTO webhook_rejects (id, account_id, provider, delivery_id, path, reason, item, received_at)
     VALUES (gen_random_uuid(), $1, 'cloud', 0, '', 'as a whole', $2, now()) RETURNING id`,
    [scene.account.id, whole],
  );
  const retried: Promise<Answer>[] = [];
  const status = await eraseAfter(threadId, async (pid) => {
    retried.push(scene.admin.admin('POST', `webhook-rejects/${rows[0]?.id}/retry`, {}));
    await untilWaiting(scene.database.pool, 2, { behind: pid });
  });
  expect(status).toBe(200);
  await Promise.all(retried);
  expect(await scene.tracesOf(phone)).toEqual([]);
});

it('a webhook that is claimed at this moment goes', async () => {
  const phone = somePhone();
  const threadId = await begin(phone);
  await scene.holdBack(scene.number.message({ phone }, 'Claimed'));
  await within(async (session, pid) => {
    await session.query(
      `UPDATE webhook_deliveries SET lease_token = gen_random_uuid(), lease_until = now() + interval '1 minute'
        WHERE due_at = 'infinity'`,
    );
    const erased = scene.erase(threadId);
    await untilWaiting(scene.database.pool, 1, { behind: pid });
    await session.query('COMMIT');
    expect((await erased).status).toBe(200);
  });
  expect(await scene.tracesOf(phone)).toEqual([]);
});

it('two customers of one webhook are erased at once, and neither erasure brings the other customer back', async () => {
  const phones = [somePhone(), somePhone(), somePhone()] as const;
  const [one, other, third] = phones;
  const threads = [await begin(one), await begin(other)];
  await scene.tell(...phones.map((phone) => scene.number.message({ phone }, `Together ${phone}`)));
  await within(async (session, pid) => {
    await session.query(
      `SELECT 1 FROM webhook_deliveries WHERE position('\\x546f676574686572'::bytea IN body) > 0 FOR UPDATE`,
    );
    const erased = threads.map((threadId) => scene.erase(threadId));
    await untilWaiting(scene.database.pool, 2, { behind: pid });
    await session.query('COMMIT');
    for (const { status } of await Promise.all(erased)) expect(status).toBe(200);
  });
  expect(await scene.tracesOf(one, other)).toEqual([]);
  expect(findIn(await scene.everything(), `Together ${third}`)).toContain('webhook_deliveries');
});

it('a webhook that was numbered before others and stored after them goes, and so does what could not be taken in meanwhile', async () => {
  const phone = somePhone();
  const threadId = await begin(phone);
  await within(async (session) => {
    await session.query(
      `INSERT INTO webhook_deliveries (provider, body, state) VALUES ('cloud', $1, 'done')`,
      [Buffer.from(cloudBody([scene.number.message({ phone }, 'Stored late')]))],
    );
    await session.query(
      `INSERT INTO webhook_rejects (id, provider, delivery_id, path, reason, item, received_at)
       VALUES (gen_random_uuid(), 'cloud', 1, '', 'unread', $1, now())`,
      [Buffer.from(JSON.stringify({ from: phone }))],
    );
    await scene.tell(scene.number.message({ phone: somePhone() }, 'Numbered later'));
    expect(await eraseAfter(threadId, () => session.query('COMMIT'))).toBe(200);
  });
  expect(await scene.tracesOf(phone)).toEqual([]);
});

describe('a customer with a former number', () => {
  const move = async (from: string): Promise<[string, string]> => {
    const to = somePhone();
    await scene.tell(scene.number.message({ phone: from }, 'STOP'));
    const system = { type: 'user_changed_number', body: 'changed', wa_id: to };
    await scene.tell(scene.number.message({ phone: from }, { type: 'system', system }));
    return [to, `thread_${(await scene.dialog(`+${to}`)).id}`];
  };

  it('is erased with it', async () => {
    const former = somePhone();
    const [between] = await move(former);
    const [last, threadId] = await move(between);
    expect((await scene.erase(threadId)).status).toBe(200);
    expect(await scene.tracesOf(former, between, last)).toEqual([]);
  });

  it('is erased without what is of the customer who has that number now', async () => {
    const former = somePhone();
    const [last, threadId] = await move(former);
    await scene.tell(scene.number.message({ phone: former }, 'It is my number now'));
    expect((await scene.erase(threadId)).status).toBe(200);
    expect(await scene.tracesOf(last)).toEqual([]);
    expect(findIn(await scene.everything(), 'It is my number now')).toEqual(
      expect.arrayContaining(['messages', 'webhook_deliveries']),
    );
  });
});

// What each store does is in media-stores.e2e.spec.ts.
describe.each(IS_LONG ? ['on disk', 'in a bucket'] : ['on disk'])('files %s', (where) => {
  let bucket: S3Store | null = null;

  afterAll(() => bucket?.stop());

  it('are gone with their previews', async () => {
    bucket = where === 'in a bucket' ? await S3Store.start() : null;
    const { url } = bucket ? await scene.addServer(bucket.environment) : scene.server;
    const phone = somePhone();
    await scene.tell(scene.number.message({ phone }, 'STOP'));
    const { id } = await scene.dialog(`+${phone}`);
    const uploads = new UploadClient(url, { 'X-API-Key': scene.account.key });
    const { media } = (await uploads.upload({ bytes: await image('png', 64, 64), name: `${phone}.png` })).body
      .data;
    // The provider of this scene takes no files.
    await scene.query('UPDATE messages SET media_id = $1 WHERE thread_id = $2', media.id, id);
    const preview = await fetch(`${url}${media.url}?preview=1`, {
      headers: { 'X-API-Key': scene.account.key },
    });
    expect(preview.status).toBe(200);
    const kept = async (): Promise<number> => {
      const paths = await readdir(bucket?.folder ?? scene.folder, { recursive: true });
      return paths.filter((path) => path.includes(String(media.sha256))).length;
    };
    expect(await kept()).toBeGreaterThanOrEqual(2);
    expect((await scene.erase(`thread_${id}`, new ApiClient(url, scene.admin.key))).status).toBe(200);
    expect(await kept()).toBe(0);
    expect(await scene.tracesOf(phone)).toEqual([]);
  });
});

it('a long audit is emptied before the dialog is held, and what was added to it meanwhile within', async () => {
  const phone = somePhone();
  const threadId = await begin(phone);
  const plant = (count: number) =>
    scene.query(
      `INSERT INTO audit_entries (account_id, id, action, subject_type, after, request_id)
       SELECT $1, gen_random_uuid(), 'key.update', 'key', jsonb_build_object('name', $2::text), $2 FROM generate_series(1, $3)`,
      scene.account.id,
      `of ${phone}`,
      count,
    );
  const left = async () =>
    (await scene.query('SELECT 1 FROM audit_entries e WHERE strpos(e::text, $1) > 0', phone)).length;
  await plant(1_001);
  const status = await eraseAfter(threadId, async () => {
    expect(await left()).toBe(0);
    await plant(1);
  });
  expect([status, await left()]).toEqual([200, 0]);
});

it('a call whose key is hidden while it is being stored sends nothing', async () => {
  const [phone, key] = [somePhone(), 'hidden-meanwhile'];
  const order = { bot_id: scene.account.botId, channel: 'waba_coexistence', template_id: 'order_ready' };
  await within(async (session, pid) => {
    await session.query(
      `INSERT INTO idempotency_keys (account_id, operation, key, fingerprint, message_id)
       VALUES ($1, 'send-template', $2, '', gen_random_uuid())`,
      [scene.account.id, key],
    );
    const sent = scene.api.sendTemplate({ ...order, to: { phone: `+${phone}` } }, { 'Idempotency-Key': key });
    await untilWaiting(scene.database.pool, 1, { behind: pid });
    const [setting, value] = optOutKey(SECRETS.ENCRYPTION_KEY).split('=');
    await session.query('SELECT set_config($1, $2, true)', [setting, value]);
    await session.query(`UPDATE idempotency_keys SET key = ${hiddenKey('key')} WHERE key = $1`, [key]);
    await session.query('COMMIT');
    expect((await sent).status).toBe(422);
  });
  expect(scene.said({ phone })).toEqual([]);
});

/** A customer of this name is there, and erased after something has come. */
async function eraseNamed(name: string, act: () => Promise<unknown>): Promise<void> {
  const phone = somePhone();
  await scene.tell(scene.number.message({ phone, name }, 'STOP'));
  const { id } = await scene.dialog(`+${phone}`);
  await act();
  expect((await scene.erase(`thread_${id}`)).status).toBe(200);
}

/** A message that does not say who wrote it: only a name stands beside it. It cannot be taken in. */
const ofNobody = (name: string, text: string, number = scene.number): ReturnType<CloudNumber['change']> =>
  number.change('messages', {
    contacts: [{ profile: { name } }],
    messages: [{ id: `wamid.${text}`, timestamp: String(secondsAgo(0)), type: 'text', text: { body: text } }],
  });

const rejectsWith = async (text: string): Promise<number> =>
  (await scene.rejects()).filter(({ item }) => item.includes(text)).length;

/** Meta escapes every letter that is not ASCII; others do not. */
const unescaped = (body: string): string => JSON.stringify(JSON.parse(body));

const keptOf = async (text: string): Promise<string[]> => findIn(await scene.everything(), text);

// Whose item it is, whichever way the name is written in it, is in customer-bodies.spec.ts: here it is found by it.
describe('what has no more of a customer than the name', () => {
  it('goes with its webhook, whichever way the name is written; what others wrote in that stays, those of the same name too, and what came to another account', async () => {
    const [other, namesake] = [somePhone(), somePhone()];
    const number = await scene.addNumber(await AccountFixture.create(scene.database.pool));
    await eraseNamed('Салтанат', async () => {
      await scene.tell(ofNobody('САЛТАНАТ', 'of the erased one in capitals'));
      await scene.tellRaw(unescaped(cloudBody([ofNobody('Салтанат', 'of the erased one unescaped')])));
      await scene.tell(
        ofNobody('Салтанат', 'of the erased one'),
        ofNobody('Салтанат', 'to another account', number),
        ofNobody('Салтанат Бек', 'of another one'),
        scene.number.message({ phone: other, name: 'Bota' }, 'STOP'),
        // Their address stands beside the name in one of them, in the message in the other.
        scene.number.change('messages', {
          contacts: [{ wa_id: namesake, profile: { name: 'Салтанат' } }],
          messages: [{ timestamp: String(secondsAgo(0)), text: { body: 'of a namesake' } }],
        }),
        scene.number.change('messages', {
          contacts: [{ profile: { name: 'Салтанат' } }],
          messages: [{ from: namesake, timestamp: String(secondsAgo(0)), text: { body: 'of the namesake' } }],
        }),
      );
      expect(await rejectsWith('of the erased one')).toBe(3);
    });
    const kept = await scene.everything();
    expect(findIn(kept, 'of the erased one')).toEqual([]);
    for (const text of ['of another one', 'of a namesake', 'of the namesake', 'to another account']) {
      expect(await rejectsWith(text)).toBe(1);
      expect([text, findIn(kept, text)]).toEqual([text, expect.arrayContaining(['webhook_deliveries'])]);
    }
    expect(findIn(kept, other)).toContain('webhook_deliveries');
  });

  it('names of two letters take nothing along', async () => {
    await eraseNamed('Al', () => scene.tell(ofNobody('Al', 'of some Al')));
    expect(await rejectsWith('of some Al')).toBe(1);
  });

  it('they are found behind many that name others', async () => {
    await eraseNamed('Dinara', async () => {
      const others = Array.from({ length: 120 }, (_, n) => ofNobody('Somebody', `of somebody ${n}.`));
      await scene.tell(...others);
      await scene.tell(ofNobody('Dinara', 'behind all others'));
      await scene.tell(...others.map((_, n) => ofNobody('Somebody', `of somebody later ${n}.`)));
      // What is new is looked at once more, in one piece.
      await scene.query(`UPDATE webhook_rejects SET created_at = created_at - interval '1 hour'`);
    });
    expect(await keptOf('behind all others')).toEqual([]);
    expect(await rejectsWith('of somebody 119.')).toBe(1);
    expect(await rejectsWith('of somebody later 0.')).toBe(1);
  });
});

// Behind the others: a number that is nobody's is connected there.
describe('afterwards', () => testAfterwards(scene));
