import { NIL_ID } from '@app/contracts/uuid.format';
import { ACCOUNT_TYPES, type AccountEventType, type BoardReplay } from '@app/contracts/board-events';
import { BotTroubleRepository } from '@app/persistence/bots/bot-trouble.repository';
import { QuotaNoticeRepository } from '@app/persistence/messages/batches/quota-notice.repository';
import { Database, WorkDatabase } from '@app/persistence/database/database.service';
import { BatchRepository } from '@app/persistence/messages/batches/batch.repository';
import { WebhookChannelRepository } from '@app/persistence/webhooks/webhook-channel.repository';
import { InFlightLimiter } from '@app/contracts/in-flight-limiter';
import { randomUUIDv7 } from 'node:crypto';
import { ApiClient } from '../../support/clients/api.client';
import { BoardClient } from '../../support/clients/board.client';
import { AccountFixture, addAdminKey } from '../../support/database/fixture';
import { eventually } from '../../support/eventually';
import { newPhone, newPhones, setSendScene } from '../../support/scenes/send.scene';
import {
  cloudBody,
  CloudNumber,
  postCloud,
  secondsAgo,
  type Change,
} from '../../support/stand-ins/cloud.webhooks';
import { refuse } from '../../support/stand-ins/scripted.provider';

const CHANNEL = 'waba_coexistence';
const scene = setSendScene({ servers: 2, stages: [{ name: 'New' }, { name: 'Paid' }] });
let admin: ApiClient;

interface Told {
  assistant_id: string;
  body: Record<string, unknown>;
}

/** What the log tells of an account, or of one thing of it, in order. */
async function told(type: AccountEventType, about: object = {}, account = scene.account): Promise<Told[]> {
  const { rows } = await scene.database.pool.query<Told>(
    `SELECT assistant_id, body FROM events
      WHERE account_id = $1 AND thread_id = $2 AND type = $3 AND body @> $4 ORDER BY seq`,
    [account.id, NIL_ID, type, JSON.stringify(about)],
  );
  return rows;
}

/** The bodies, as soon as there are so many. */
async function untilTold(...[count, ...what]: [number, ...Parameters<typeof told>]): Promise<object[]> {
  const found = await eventually(
    async () => {
      const rows = await told(...what);
      return rows.length >= count ? rows : null;
    },
    15_000,
    `it was not told ${count} times`,
  );
  return found.map(({ body }) => body);
}

const by = (by: string) => ({ by, actor: null, request_id: null });

beforeAll(async () => {
  admin = new ApiClient(scene.server.url, await addAdminKey(scene.database.pool));
});

describe('a list', () => {
  const list = (phones: readonly string[], more: object = {}) =>
    scene.send(
      phones.map((phone) => ({ phone })),
      more,
    );

  it('tells once that nothing of it is left to be sent, with the counts of get-batch', async () => {
    const phones = newPhones(9);
    const [refused = '', lost = '', doubled = ''] = phones;
    scene.provider.on(refused, refuse(400, 131026));
    scene.provider.on(lost, (response) => void response.destroy());
    const { body } = await list([...phones, doubled], { skip_duplicates: true });
    const { results: _, ...counts } = body.data;
    expect(counts).toMatchObject({ total: 10, sent: 7, failed: 2, queued: 0, unknown: 1 });
    const about = { bot_id: scene.account.botId, channel: CHANNEL };
    expect(await untilTold(1, 'batch', { batch_id: counts.batch_id })).toEqual([
      { ...by('SYSTEM'), ...about, ...counts },
    ]);
    const [{ assistant_id } = {}] = await told('batch', { batch_id: counts.batch_id });
    expect(assistant_id).toBe(scene.account.assistantId);
  });

  it('tells once though each of many processes looks at it at once, and nothing before its last message', async () => {
    const { body } = await list(newPhones(4));
    const id = body.data.batch_id as string;
    await untilTold(1, 'batch', { batch_id: id });
    const db = scene.database.pool;
    // As it was before its first message was settled.
    await db.query(
      `UPDATE messages SET status = 'sending', claim_token = gen_random_uuid(), claim_until = now() + interval '1 hour'
        WHERE account_id = $1 AND id = (SELECT first_message_id FROM batches WHERE account_id = $1 AND id = $2)`,
      [scene.account.id, id],
    );
    await db.query('UPDATE batches SET finished_at = NULL WHERE account_id = $1 AND id = $2', [
      scene.account.id,
      id,
    ]);
    const repositories = Array.from({ length: 6 }, () => new BatchRepository(new WorkDatabase(db)));
    const closed = () =>
      Promise.all([
        ...repositories.map((batches) => batches.closeDone()),
        ...repositories.map((batches) => batches.close(scene.account.id, [id])),
      ]);
    expect(await closed()).toEqual(Array(12).fill(0));
    expect(await told('batch', { batch_id: id })).toHaveLength(1);
    const { rows } = await db.query(
      `UPDATE messages SET status = 'sent', claim_token = NULL, claim_until = NULL
        WHERE account_id = $1 AND batch_id = $2 AND status = 'sending'
       RETURNING id = (SELECT open_message_id FROM batches WHERE account_id = $1 AND id = $2) AS known`,
      [scene.account.id, id],
    );
    expect(rows).toEqual([{ known: true }]);
    await closed();
    await untilTold(2, 'batch', { batch_id: id });
    await closed();
    expect(await told('batch', { batch_id: id })).toHaveLength(2);
  });
});

describe('a number', () => {
  let number: CloudNumber;
  let botId: string;
  /** Of its own, so that the scene's stays as it is. */
  let account: AccountFixture;
  let about: object;

  beforeEach(async () => {
    account = await AccountFixture.create(scene.database.pool);
    botId = account.botId;
    const sender = await account.connect();
    number = new CloudNumber(sender);
    about = { bot_id: botId, channel: CHANNEL };
  });

  const send = async (phone = newPhone(), server = 0) => {
    const order = { bot_id: botId, channel: CHANNEL, template_id: 'order_ready' };
    return scene.apiAt(server, account.key).sendTemplate({ ...order, to: { phone } });
  };
  const tell = async (change: Change, time?: number): Promise<void> => {
    const body = cloudBody([change], time);
    expect((await postCloud(scene.server, body)).status).toBe(200);
  };
  const troubles = (count: number) => untilTold(count, 'bot_trouble', {}, account);
  const BEGUN = (code: string) => ({
    ...by('SYSTEM'),
    ...about,
    code,
    message: expect.any(String),
    resolved: false,
  });
  const OVER = (code: string) => ({ ...by('SYSTEM'), ...about, code, message: null, resolved: true });
  const arrives = (id: string) => tell(number.status(`wamid.${id}`, 'delivered'));

  it('tells once that its credential is refused, on any process, and once that it was connected anew', async () => {
    const phones = newPhones(6);
    for (const phone of phones) scene.provider.on(phone, refuse(401, 190));
    await Promise.all(phones.map((phone, n) => send(phone, n)));
    expect(await told('bot_trouble', {}, account)).toMatchObject([
      { assistant_id: account.assistantId, body: BEGUN('CREDENTIAL') },
    ]);
    const { sender, settings } = (
      await scene.database.pool.query('SELECT sender, settings FROM bot_channels WHERE bot_id = $1', [botId])
    ).rows[0];
    const connected = await admin.admin('PUT', `bots/${botId}/channels/${CHANNEL}`, {
      ...{ sender, settings, credential: 'EAAanother' },
    });
    expect(connected.status).toBe(200);
    expect(await troubles(2)).toEqual([BEGUN('CREDENTIAL'), OVER('CREDENTIAL')]);
    await send(phones[0]);
    expect(await troubles(3)).toMatchObject([{}, {}, BEGUN('CREDENTIAL')]);
  });

  it('tells once of what its provider reports besides, after which it sends on', async () => {
    const report = number.change('account_update', { event: 'ACCOUNT_VIOLATION' });
    await tell(report, secondsAgo(30));
    await tell(report, secondsAgo(30));
    const [notice] = await troubles(1);
    expect(notice).toEqual({
      ...BEGUN('NOTICE'),
      message: 'The provider reports: ACCOUNT_VIOLATION.',
    });
    expect((await send()).status).toBe(200);
    expect(await troubles(1)).toHaveLength(1);
  });

  it('tells that it is not paid when the provider says so later, and that a message of after that has arrived', async () => {
    const { id: early } = (await send()).body.data;
    const { id: unpaid } = (await send()).body.data;
    const failed = number.status(`wamid.${unpaid}`, 'failed', {
      errors: [{ code: 131042, title: 'Business eligibility payment issue' }],
    });
    await tell(failed);
    await troubles(1);
    await tell(failed);
    await arrives(early as string);
    const { id } = (await send()).body.data;
    await eventually(
      async () => {
        await arrives(id as string);
        await tell(number.status(`wamid.${id}`, 'read'));
        return (await told('bot_trouble', {}, account)).length > 1;
      },
      15_000,
      'the trouble did not end',
    );
    expect(await troubles(2)).toEqual([BEGUN('BILLING_ERROR'), OVER('BILLING_ERROR')]);
  });

  it('tells once that its provider has closed it, however often it is said, and once that it is open again', async () => {
    const account_update = (event: string, change = {}) => {
      const { field, value } = number.change('account_update', { event, ...change });
      return { field, value };
    };
    const banned = account_update('DISABLED_UPDATE', { ban_info: { waba_ban_state: 'DISABLE' } });
    const back = account_update('DISABLED_UPDATE', { ban_info: { waba_ban_state: 'REINSTATE' } });
    await tell(banned, secondsAgo(60));
    await tell(banned, secondsAgo(60));
    await tell(account_update('ACCOUNT_DELETED'), secondsAgo(50));
    expect(await troubles(1)).toEqual([BEGUN('STOPPED')]);
    await tell(back, secondsAgo(30));
    await tell(back, secondsAgo(30));
    expect(await troubles(2)).toEqual([BEGUN('STOPPED'), OVER('STOPPED')]);
    await tell(banned, secondsAgo(20));
    expect(await troubles(3)).toEqual([BEGUN('STOPPED'), OVER('STOPPED'), BEGUN('STOPPED')]);
  });
});

it('a template tells each change of its state once, with the reason that the provider gave', async () => {
  const { account, database } = scene;
  const id = randomUUIDv7();
  await database.pool.query(
    `INSERT INTO templates (account_id, id, bot_id, channel, template_id, name, language, category, status, provider_id,
                            body, params_count)
     VALUES ($1, $2, $3, $4, 'hello', 'hello_2', 'ru', 'utility', 'pending', '601', 'Здравствуйте', 0)`,
    [account.id, id, account.botId, CHANNEL],
  );
  const report = async (event: string, reason: string, ago: number): Promise<void> => {
    const change = new CloudNumber(scene.sender).change('message_template_status_update', {
      ...{ event, reason, message_template_id: 601, message_template_name: 'hello_2' },
      message_template_language: 'ru',
    });
    const body = cloudBody([change], secondsAgo(ago));
    expect((await postCloud(scene.server, body)).status).toBe(200);
  };
  await report('APPROVED', 'NONE', 60);
  await untilTold(1, 'template', { id });
  await report('APPROVED', 'NONE', 60);
  await report('PAUSED', 'FIRST_PAUSE', 30);
  const about = {
    ...{ id, template_id: 'hello', bot_id: account.botId, channel: CHANNEL, name: 'hello_2' },
    language: 'ru',
  };
  expect(await untilTold(2, 'template', { id })).toEqual([
    { ...by('PROVIDER'), ...about, from: 'pending', to: 'approved', reason: null },
    { ...by('PROVIDER'), ...about, from: 'approved', to: 'paused', reason: expect.any(String) },
  ]);
});

it('a quota is told of though the lists cannot be looked at', async () => {
  const db = scene.database.pool;
  const account = await AccountFixture.create(db);
  const holder = await db.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE batches');
    await account.setQuota(10);
    await db.query(
      `INSERT INTO quota_usage (account_id, month, used) VALUES ($1, date_trunc('month', now() AT TIME ZONE 'UTC')::date, 8)`,
      [account.id],
    );
    await untilTold(1, 'quota_low', {}, account);
  } finally {
    await holder.query('ROLLBACK');
    holder.release();
  }
});

it('a quota tells once a month that 80 %, and once that all of it is used', async () => {
  const account = await AccountFixture.create(scene.database.pool);
  await account.connect();
  await account.setQuota(5);
  const api = scene.apiAt(1, account.key);
  const send = (phone: string) =>
    api.sendTemplate({ bot_id: account.botId, channel: CHANNEL, template_id: 'order_ready', to: { phone } });
  for (const phone of newPhones(4)) await send(phone);
  const { rows: months } = await scene.database.pool.query<{ month: string }>(
    `SELECT to_char(month, 'YYYY-MM') AS month FROM quota_usage WHERE account_id = $1`,
    [account.id],
  );
  const { month } = months[0]!;
  const EIGHTY = { ...by('SYSTEM'), month, limit: 5, used: 4, percent: 80 };
  expect(await untilTold(1, 'quota_low', {}, account)).toEqual([EIGHTY]);
  await send(newPhone());
  const ALL = { ...EIGHTY, used: 5, percent: 100 };
  expect(await untilTold(2, 'quota_low', {}, account)).toEqual([EIGHTY, ALL]);
  // What is given back and used again, and a quota that is used up at once.
  const other = await AccountFixture.create(scene.database.pool);
  await other.setQuota(5);
  const db = scene.database.pool;
  await db.query(`UPDATE quota_usage SET used = 0 WHERE account_id = $1`, [account.id]);
  await db.query(`UPDATE quota_usage SET used = 5 WHERE account_id = $1`, [account.id]);
  await db.query(
    `INSERT INTO quota_usage (account_id, month, used)
     VALUES ($1, date_trunc('month', now() AT TIME ZONE 'UTC')::date, 5)`,
    [other.id],
  );
  expect(await untilTold(2, 'quota_low', {}, other)).toEqual([{ ...ALL, percent: 80 }, ALL]);
  expect(await told('quota_low', {}, account)).toHaveLength(2);
  expect((await told('quota_low', {}, other)).map(({ assistant_id }) => assistant_id)).toEqual([
    NIL_ID,
    NIL_ID,
  ]);
});

/** A process that has the row at that moment fails too, and nothing is done here: then it is tried again. */
const fails = (act: () => Promise<unknown>): Promise<unknown> =>
  eventually(
    () =>
      act().then(
        () => false,
        (error: Error) => error.message.includes('no event today'),
      ),
    15_000,
    'it did not fail',
  );

it('what cannot be told has not happened either, and is told when it can be', async () => {
  const db = scene.database.pool;
  const account = await AccountFixture.create(db);
  const sender = await account.connect();
  const month = `date_trunc('month', now() AT TIME ZONE 'UTC')::date`;
  const number = { accountId: account.id, botId: account.botId, channel: CHANNEL } as const;
  const state = async () => {
    const { rows } = await db.query<Record<string, unknown>>(
      `SELECT c.trouble_code, c.stopped_reason, q.told_percent, b.finished_at IS NOT NULL AS finished
         FROM bot_channels c JOIN quota_usage q USING (account_id) JOIN batches b USING (account_id)
        WHERE c.account_id = $1`,
      [account.id],
    );
    return rows[0];
  };
  const repository = <T>(made: new (database: WorkDatabase) => T): T => new made(new WorkDatabase(db));
  const stop = () =>
    new WebhookChannelRepository(new Database(db, new InFlightLimiter(4))).stop(
      { channel: CHANNEL, sender, phone: null, botId: null, businessId: null, signedFor: null },
      { at: null, mark: Buffer.from(randomUUIDv7()) },
      { reason: 'ACCOUNT_DELETED', until: null },
    );
  await db.query(`
    CREATE FUNCTION refuse_event() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no event today'; END $$`);
  await db.query(
    `CREATE TRIGGER refuse_event BEFORE INSERT ON events FOR EACH ROW WHEN (NEW.account_id = '${account.id}')
     EXECUTE FUNCTION refuse_event()`,
  );
  try {
    await account.setQuota(5);
    await db.query(`INSERT INTO quota_usage (account_id, month, used) VALUES ($1, ${month}, 4)`, [
      account.id,
    ]);
    const batch = await account.addBatch();
    await db.query('UPDATE batches SET first_message_id = id, last_message_id = id WHERE id = $1', [batch]);
    const acts = [
      () => repository(BatchRepository).closeDone(),
      () => repository(QuotaNoticeRepository).tell(),
      () => repository(BotTroubleRepository).begin(number, 'RESTRICTED', 'See to it.'),
      stop,
    ];
    for (const act of acts) await fails(act);
    expect(await state()).toEqual({
      ...{ trouble_code: null, stopped_reason: null, told_percent: 0, finished: false },
    });
  } finally {
    await db.query('DROP TRIGGER refuse_event ON events');
    await db.query('DROP FUNCTION refuse_event');
  }
  await stop();
  for (const type of ['batch', 'bot_trouble', 'quota_low'] as const)
    expect(await untilTold(1, type, {}, account)).toHaveLength(1);
  expect(await state()).toEqual({
    ...{ trouble_code: 'STOPPED', stopped_reason: 'ACCOUNT_DELETED', told_percent: 80, finished: true },
  });
});

it('boards, replays, figures and histories pass by what is about no dialog', async () => {
  const { account, api, server } = scene;
  const thread_id = await account.addThread({ statusId: scene.stage(0) });
  const span = { from: new Date(Date.now() - 86_400_000), to: new Date(Date.now() + 86_400_000) };
  const figures = async () => {
    const { body } = await api.call('leads/get-funnel-figures', {
      ...{ assistant_id: account.assistantId, ...span, timezone: 'UTC' },
    });
    expect(body.data.complete).toBe(true);
    return body.data.stages as object;
  };
  const before = await figures();
  const board = await BoardClient.connect(server.url, { api_key: account.key });
  const filtered = await BoardClient.connect(server.url, { api_key: account.key });
  const { seq } = await board.open(account.assistantId);
  await filtered.open(account.assistantId, { filter: { waiting: false } });
  const heard = board.events.length;
  for (const type of ACCOUNT_TYPES)
    for (const assistant of [account.assistantId, NIL_ID])
      await scene.database.pool.query(
        `INSERT INTO events (account_id, thread_id, assistant_id, version, type, at, body)
         VALUES ($1, $2, $3, 1, $4, clock_timestamp(), '{"by": "SYSTEM", "actor": null, "from": "a", "to": "b"}')`,
        [account.id, NIL_ID, assistant, type],
      );
  expect(await figures()).toEqual(before);
  await api.setStatus({ thread_id, status_id: scene.stage(1) });
  const moved = { event: 'card.moved', thread_id };
  for (const one of [board, filtered])
    await one.hears((event) => event.event === 'card.moved' && event.thread_id === thread_id);
  expect(board.events.slice(heard)).toEqual([expect.objectContaining(moved)]);
  expect([board.resyncs, filtered.resyncs]).toEqual([[], []]);
  // It begins half a minute before the mark.
  const { events } = (await board.reopen(account.assistantId, seq)) as BoardReplay;
  expect(events.filter((event) => event.seq > seq)).toEqual([expect.objectContaining(moved)]);
  const { body } = await api.getHistory({ thread_id });
  expect(body.data.entries).toHaveLength(1);
  board.close();
  filtered.close();
});
