import { readdir } from 'node:fs/promises';
import { optOutKey } from '@app/persistence/messages/erased.fragments';
import { hiddenKey } from '@app/persistence/messages/hidden-key.fragments';
import type { PoolClient } from 'pg';
import { ApiClient, type Answer } from '../../support/clients/api.client';
import { UploadClient } from '../../support/clients/upload.client';
import { uuidOf } from '../../support/database/thread.uuid';
import { untilWaiting } from '../../support/faults/waiting.sessions';
import { image } from '../../support/media.samples';
import { SECRETS } from '../../support/programs/server.process';
import { findIn, setErasureScene } from '../../support/scenes/erasure.scene';
import { CloudNumber, cloudBody } from '../../support/stand-ins/cloud.webhooks';
import { S3Store } from '../../support/stand-ins/s3.store';

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

async function expectErased(...phones: string[]): Promise<void> {
  const kept = await scene.everything();
  expect(phones.map((phone) => findIn(kept, phone))).toEqual(phones.map(() => []));
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

it('a message that is being taken in opens no other dialog, and one that is written afterwards does', async () => {
  const phone = somePhone();
  const threadId = await begin(phone);
  const status = await eraseAfter(threadId, async (pid) => {
    await scene.post(cloudBody([scene.number.message({ phone, name: 'Asel' }, 'Too late')]));
    await untilWaiting(scene.database.pool, 2, { behind: pid });
  });
  expect(status).toBe(200);
  // A message of another customer is taken in after it.
  await scene.tell(scene.number.message({ phone: somePhone() }, 'Hello'));
  await expectErased(phone);
  await scene.tell(scene.number.message({ phone }, 'It is me again'));
  expect((await scene.dialog(`+${phone}`)).last_message_text).not.toBeNull();
});

it('an opt-out that is being taken in opens no other dialog', async () => {
  const phone = somePhone();
  const threadId = await begin(phone);
  const status = await eraseAfter(threadId, async (pid) => {
    await scene.post(cloudBody([scene.number.preference({ phone }, 'stop')]));
    await untilWaiting(scene.database.pool, 2, { behind: pid });
  });
  expect(status).toBe(200);
  await scene.tell(scene.number.message({ phone: somePhone() }, 'Hello'));
  await expectErased(phone);
});

it('what came before is taken in first, so its opt-out holds', async () => {
  const phone = somePhone();
  const threadId = await begin(phone);
  await scene.holdBack(scene.number.message({ phone }, 'STOP'));
  const erased = scene.erase(threadId);
  await scene.letGo();
  expect((await erased).status).toBe(200);
  await expectErased(phone);
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
  await expectErased(phone);
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
  await expectErased(phone);
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
  await expectErased(phone);
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
  await expectErased(one, other);
  expect(findIn(await scene.everything(), `Together ${third}`)).toContain('webhook_deliveries');
});

it('a webhook that was numbered before others, and stored after them, goes', async () => {
  const phone = somePhone();
  const threadId = await begin(phone);
  await within(async (session) => {
    await session.query(
      `INSERT INTO webhook_deliveries (provider, body, state) VALUES ('cloud', $1, 'done')`,
      [Buffer.from(cloudBody([scene.number.message({ phone }, 'Stored late')]))],
    );
    await scene.tell(scene.number.message({ phone: somePhone() }, 'Numbered later'));
    expect(await eraseAfter(threadId, () => session.query('COMMIT'))).toBe(200);
  });
  await expectErased(phone);
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
    await expectErased(former, between, last);
  });

  it('is erased without what is of the customer who has that number now', async () => {
    const former = somePhone();
    const [last, threadId] = await move(former);
    await scene.tell(scene.number.message({ phone: former }, 'It is my number now'));
    expect((await scene.erase(threadId)).status).toBe(200);
    await expectErased(last);
    expect(findIn(await scene.everything(), 'It is my number now')).toEqual(
      expect.arrayContaining(['messages', 'webhook_deliveries']),
    );
  });
});

describe.each(['on disk', 'in a bucket'])('files %s', (where) => {
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
    await expectErased(phone);
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

describe('afterwards', () => {
  const phone = somePhone();
  let threadId: string;

  beforeAll(async () => {
    await scene.tell(scene.number.message({ phone, name: 'Sayan' }, 'Hello', { id: 'wamid.erased-before' }));
    threadId = `thread_${(await scene.dialog(`+${phone}`)).id}`;
    await scene.untilSaid({ phone }, 1);
    expect((await scene.erase(threadId)).status).toBe(200);
  });

  it('boards and lists show the skeleton, closed', async () => {
    const { body } = await scene.api.getThreads({ assistant_id: scene.account.assistantId, limit: 100 });
    const shown = (body.data.threads as { thread_id: string }[]).find(
      (thread) => thread.thread_id === threadId,
    );
    expect(shown).toMatchObject({
      ...{
        phone: null,
        customer_name: null,
        erased_at: expect.any(String),
        ai_enabled: false,
        opted_out: true,
      },
      ...{ unread_count: 0, waiting: false, attention: null },
    });
    const history = await scene.api.getHistory({ thread_id: threadId });
    expect(history.body.data.entries[0]).toMatchObject({ type: 'erased', actor: { type: 'key' } });
  });

  it('the audit says who erased it, and erasing again answers the same and adds no entry', async () => {
    const first = await scene.erase(threadId);
    const second = await scene.erase(threadId);
    expect([second.status, second.body.data]).toEqual([200, first.body.data]);
    const sql = `SELECT action, subject_id, actor_type, after FROM audit_entries WHERE subject_id = $1`;
    const id = threadId.replace('thread_', '');
    const messages = (await scene.query('SELECT 1 FROM messages WHERE thread_id = $1', id)).length;
    expect(await scene.query(sql, id)).toEqual([
      { action: 'thread.erase', subject_id: id, actor_type: 'key', after: { messages, files: 0 } },
    ]);
  });

  it('nobody writes there: texts, names and notes are refused, and the agent cannot be switched on', async () => {
    const text = await scene.api.sendText(threadId, 'Hello?');
    expect([text.status, text.body.error.code]).toEqual([409, 'THREAD_ERASED']);
    for (const refused of [
      await scene.api.setName(threadId, 'Sayan'),
      await scene.api.addNote(threadId, 'Sayan'),
      await scene.api.setAi(threadId, true),
      await scene.api.call('messages/mark-read', {
        thread_id: threadId,
        up_to: threadId.slice('thread_'.length),
      }),
    ])
      expect([refused.status, refused.body.error.code]).toEqual([409, 'THREAD_ERASED']);
  });

  it('a webhook that comes again changes nothing, and a later message opens another dialog', async () => {
    const opened = async (): Promise<number> =>
      (await scene.query('SELECT 1 FROM threads WHERE phone = $1', `+${phone}`)).length;
    await scene.tell(scene.number.message({ phone }, 'Hello', { id: 'wamid.erased-before' }));
    expect(await opened()).toBe(0);
    await scene.tell(scene.number.message({ phone }, 'It is me again'));
    expect(await opened()).toBe(1);
    expect((await scene.dialog(`+${phone}`)).opted_out).toBe(false);
  });

  it('a dialog that does not exist is 404, and so is an id of another form', async () => {
    for (const id of ['thread_019a0000-0000-7000-8000-000000000000', 'nothing'])
      expect((await scene.erase(id)).body.error.code).toBe('THREAD_NOT_FOUND');
  });
});

it('an opt-out holds for the next dialog, whichever way it is opened, and a START ends it', async () => {
  const [writes, isSentTo] = [somePhone(), somePhone()];
  for (const phone of [writes, isSentTo]) {
    await scene.tell(scene.number.message({ phone }, 'STOP'));
    expect((await scene.erase(`thread_${(await scene.dialog(`+${phone}`)).id}`)).status).toBe(200);
  }
  const kept = await scene.everything();
  expect([findIn(kept, writes), findIn(kept, isSentTo)]).toEqual([[], []]);
  await scene.tell(scene.number.message({ phone: writes }, 'Hello'));
  await scene.api.sendTemplate({
    ...{ bot_id: scene.account.botId, channel: 'waba_coexistence', template_id: 'order_ready' },
    to: { phone: `+${isSentTo}` },
  });
  for (const phone of [writes, isSentTo])
    expect(await scene.dialog(`+${phone}`)).toMatchObject({ opted_out: true, ai_enabled: false });
  await scene.tell(scene.number.message({ phone: writes }, 'START'));
  expect((await scene.dialog(`+${writes}`)).opted_out).toBe(false);
  expect((await scene.erase(`thread_${(await scene.dialog(`+${writes}`)).id}`)).status).toBe(200);
  await scene.tell(scene.number.message({ phone: writes }, 'Hello once more'));
  expect((await scene.dialog(`+${writes}`)).opted_out).toBe(false);
});
