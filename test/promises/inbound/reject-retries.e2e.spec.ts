import { readFileSync } from 'node:fs';
import { randomInt, randomUUIDv7 } from 'node:crypto';
import { ApiClient, type Answer } from '../../support/clients/api.client';
import { expectRefused } from '../../support/clients/refusal.expectation';
import { addAdminKey } from '../../support/database/fixture';
import { setInboundScene } from '../../support/scenes/inbound.scene';
import {
  BUSINESS_ID,
  CloudNumber,
  cloudBody,
  postGupshup,
  secondsAgo,
  wamid,
  type Change,
  type Customer,
} from '../../support/stand-ins/cloud.webhooks';
import { businessOf } from '../../support/stand-ins/provider.numbers';
import { readPages } from '../../support/clients/page.reader';

interface Reject {
  id: string;
  path: string;
  reason: string;
  item: string;
  account_id: string | null;
}

const scene = setInboundScene();
let admin: ApiClient;

beforeAll(async () => {
  admin = new ApiClient(scene.server.url, await addAdminKey(scene.database.pool));
});

beforeEach(() => scene.database.pool.query('TRUNCATE webhook_rejects'));

const strangers = (): CloudNumber => new CloudNumber(String(randomInt(3e14, 4e14)));
const phone = (): string => `7702${randomInt(1e6, 9e6)}`;

const rejects = async (): Promise<Reject[]> =>
  (await admin.admin('GET', 'webhook-rejects')).body.data.webhook_rejects as Reject[];

async function onlyReject(): Promise<Reject> {
  const [reject, ...others] = await rejects();
  if (!reject || others.length > 0) throw new Error('not one reject');
  return reject;
}

const retry = (id: string): Promise<Answer> => admin.admin('POST', `webhook-rejects/${id}/retry`, {});

/** As an admin connects a number that webhooks came of before. */
const connect = ({ phoneNumberId }: CloudNumber) =>
  scene.database.pool.query(
    `UPDATE bot_channels SET sender = $2, settings = $3 WHERE bot_id = $1 AND channel = 'waba_coexistence'`,
    [scene.account.botId, phoneNumberId, { waba_id: businessOf(phoneNumberId) }],
  );

const textsOf = async (contact: string): Promise<string[]> => {
  const { rows } = await scene.database.pool.query<{ text: string }>(
    `SELECT m.text FROM messages m JOIN threads t ON t.account_id = m.account_id AND t.id = m.thread_id
      WHERE t.contact = $1 ORDER BY m.created_at, m.id`,
    [`+${contact}`],
  );
  return rows.map(({ text }) => text);
};

it('what could not be read belongs to the account of the number that it came by', async () => {
  const unread = (number: CloudNumber) => {
    const message = { timestamp: '1', type: 'text', text: { body: number.phoneNumberId } };
    return number.change('messages', { messages: [message], statuses: [{ id: wamid() }] });
  };
  await scene.tell(unread(scene.number), unread(strangers()));
  const kept = (await admin.admin('GET', 'webhook-rejects')).body.data.webhook_rejects as Reject[];
  const owners = kept.toSorted((a, b) => a.path.localeCompare(b.path)).map(({ account_id: id }) => id);
  expect(owners).toEqual([scene.account.id, scene.account.id, null, null]);
});

/** What Meta tells of a number, by the fields to which our app subscribes. Each changes something after those before it. */
const TOLD: Record<string, (number: CloudNumber, customer: Customer, template: object) => Change> = {
  messages: (number, customer) => number.message(customer, 'told'),
  calls: (number, customer) => number.missedCall(customer),
  messaging_handovers: (number, customer) => number.handover(customer, 'control_taken'),
  standby: (number, customer) => number.standbyMessage(customer, 'told'),
  smb_message_echoes: (number, customer) => number.echo(customer, 'told'),
  smb_app_state_sync: (number, { phone: phone_number }) => {
    const contact = { full_name: 'told', first_name: 'told', phone_number };
    return number.change('smb_app_state_sync', {
      state_sync: [{ type: 'contact', action: 'add', contact, metadata: { timestamp: '1760000000' } }],
    });
  },
  history: (number, customer) => number.history(customer, [{ text: 'told', at: secondsAgo(86_400) }]),
  user_preferences: (number, customer) => number.preference(customer, 'stop'),
  message_template_status_update: (number, _, template) =>
    number.change('message_template_status_update', { ...template, event: 'APPROVED' }),
  message_template_quality_update: (number, _, template) =>
    number.change('message_template_quality_update', { ...template, new_quality_score: 'RED' }),
  message_template_components_update: (number, _, template) =>
    number.change('message_template_components_update', template),
  template_category_update: (number, _, template) =>
    number.change('template_category_update', { ...template, new_category: 'MARKETING' }),
  account_update: (number) =>
    number.change('account_update', {
      ...{ event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'DISABLE', waba_ban_date: 'today' } },
    }),
};

it('what Meta tells is told by all fields to which our app subscribes', () => {
  const page = readFileSync('docs/running/connecting-numbers.md', 'utf8');
  const named = [...page.matchAll(/^ {3}\| (`.*?`) \|/gm)].flatMap(([, fields = '']) => fields.split(', '));
  expect(Object.keys(TOLD).toSorted()).toEqual(named.map((field) => field.slice(1, -1)).toSorted());
});

it('what an entry of another business account, or of none, tells of a number changes nothing, in every field', async () => {
  const { account, database } = scene;
  const bot = await account.addBot();
  const number = await scene.addNumber(account, bot);
  const customer = { phone: phone() };
  await scene.tell(number.message(customer, 'before'));
  const template = String(randomInt(1e12, 9e12));
  await database.pool.query(
    `INSERT INTO templates (account_id, id, bot_id, channel, template_id, provider_id, name, language, category, status, body, params_count)
     VALUES ($1, gen_random_uuid(), $2, 'waba_coexistence', $3, $3, $3, 'en', 'utility', 'pending', 'Hello', 0)`,
    [account.id, bot, template],
  );
  const kept = async (): Promise<unknown> => {
    const tables = ['threads', 'messages', 'templates', 'bot_channels'].map(
      (table) =>
        `(SELECT jsonb_agg(to_jsonb(x) ORDER BY to_jsonb(x)::text) FROM ${table} x WHERE x.bot_id = $1)`,
    );
    return (await database.pool.query(`SELECT jsonb_build_array(${tables.join(', ')}) AS kept`, [bot])).rows;
  };
  const own = `"id":"${businessOf(number.phoneNumberId)}",`;
  // The last one stops the number.
  for (const [field, told] of Object.entries(TOLD)) {
    const change = told(number, customer, {
      ...{ message_template_id: template, message_template_name: template },
      message_template_language: 'en',
    });
    const body = cloudBody([change], secondsAgo(0));
    expect(body.split(own)).toHaveLength(2);
    const before = await kept();
    await database.pool.query('TRUNCATE webhook_rejects');
    for (const id of ['', `"id":"${BUSINESS_ID}",`]) {
      await scene.tellRaw(body.replace(own, id));
      expect([field, id, await kept()]).toEqual([field, id, before]);
    }
    // Only the installation sees them, if a report of a template that is another's is worth a reject at all.
    const refused = (await rejects()).map(({ account_id: of }) => of);
    const isOfTemplate = 'message_template_id' in change.value;
    expect([field, refused]).toEqual([field, isOfTemplate ? [null] : [null, null]]);
    await scene.tellRaw(body);
    expect([field, await kept(), (await rejects()).length]).not.toEqual([field, before, refused.length]);
  }
});

it('what one business account tells of another one’s number changes nothing, and only the installation sees it', async () => {
  const contact = phone();
  const change = scene.number.message({ phone: contact }, 'not theirs');
  const body = cloudBody([change]);
  const own = businessOf(scene.number.phoneNumberId);
  await scene.tellRaw(body.replace(`"id":"${own}"`, `"id":"${BUSINESS_ID}"`));
  expect(await textsOf(contact)).toEqual([]);
  const kept = await onlyReject();
  expect(kept).toMatchObject({ account_id: null, reason: expect.stringContaining(BUSINESS_ID) });
  const person = await scene.join({ role: 'admin' });
  expect((await person.call('admin/webhook-rejects')).body.data.webhook_rejects).toEqual([]);
  expect((await retry(kept.id)).body.data.taken_in).toBe(false);
  await scene.tellRaw(body);
  expect(await textsOf(contact)).toEqual(['not theirs']);
});

describe('what could not be taken in of webhooks is taken in again', () => {
  it('once its number is connected, with what the webhook says around it, and once', async () => {
    const number = strangers();
    const contact = phone();
    const id = wamid();
    await scene.tell(
      scene.number.message({ phone: phone() }, 'another'),
      number.message({ phone: contact, name: 'Aigerim' }, 'late', { id }),
    );
    const reject = await onlyReject();
    expect(reject.path).toBe('entry[1].changes[0].value.messages[0]');
    const failed = await retry(reject.id);
    const reason = `No bot has the number ${number.phoneNumberId}.`;
    expect([failed.status, failed.body.data]).toEqual([200, { id: reject.id, taken_in: false, reason }]);
    expect(await rejects()).toEqual([reject]);

    await connect(number);
    const done = await Promise.all([retry(reject.id), retry(reject.id)]);
    expect(done.map(({ status }) => status)).toContain(200);
    expect(done.every(({ status }) => status === 200 || status === 404)).toBe(true);
    expect(await rejects()).toEqual([]);
    const dialog = await scene.dialog(`+${contact}`);
    expect([dialog.customer_name, dialog.unread_count]).toEqual(['Aigerim', 1]);
    await scene.tell(number.message({ phone: contact }, 'late', { id }));
    expect(await textsOf(contact)).toEqual(['late']);
    await expectRefused(scene.database.pool, () => retry(reject.id), [404, 'WEBHOOK_REJECT_NOT_FOUND']);
  });

  it('in the order in which it came, though newer messages are there', async () => {
    const number = strangers();
    const contact = phone();
    await scene.tell(number.message({ phone: contact }, 'first'));
    const { id } = await onlyReject();
    await connect(number);
    await scene.tell(number.message({ phone: contact }, 'second'));
    expect((await retry(id)).body.data.taken_in).toBe(true);
    expect(await textsOf(contact)).toEqual(['first', 'second']);
  });

  it('as a whole where no part of it could be named', async () => {
    const number = strangers();
    const contact = phone();
    await connect(number);
    const body = cloudBody([1, 2].map((n) => number.message({ phone: contact }, `whole ${n}`)));
    const id = randomUUIDv7();
    await scene.database.pool.query(
      `INSERT INTO webhook_rejects (id, provider, delivery_id, path, reason, item, received_at)
       VALUES ($1, 'cloud', 0, '', 'an error', $2, clock_timestamp())`,
      [id, Buffer.from(body)],
    );
    expect((await retry(id)).body.data).toEqual({ id, taken_in: true, reason: null });
    expect(await textsOf(contact)).toEqual(['whole 1', 'whole 2']);
  });

  it('and stays with the reason of the new reading where it cannot be read', async () => {
    await postGupshup(scene.server, scene.account.botId, { type: 'message', payload: {} });
    await scene.taken();
    const { id, reason } = await onlyReject();
    await scene.database.pool.query(`UPDATE webhook_rejects SET reason = 'another reader' WHERE id = $1`, [
      id,
    ]);
    expect((await retry(id)).body.data).toEqual({ id, taken_in: false, reason });
    expect((await onlyReject()).reason).toBe(reason);
  });

  it('but not without the webhook that it came in, which retention keeps for it', async () => {
    const number = strangers();
    const contact = phone();
    await scene.tell(number.message({ phone: contact }, 'old'));
    const { id } = await onlyReject();
    await connect(number);
    await scene.database.pool.query('UPDATE webhook_rejects SET delivery_id = 0 WHERE id = $1', [id]);
    expect((await retry(id)).body.data).toMatchObject({
      taken_in: false,
      reason: expect.stringMatching('deleted'),
    });
    expect(await textsOf(contact)).toEqual([]);
  });
});

it('a reject is deleted for good', async () => {
  await scene.tell(strangers().message({ phone: phone() }, 'x'));
  const reject = await onlyReject();
  const { status, body } = await admin.admin('DELETE', `webhook-rejects/${reject.id}`);
  expect([status, body.data]).toEqual([200, reject]);
  expect(await rejects()).toEqual([]);
});

it.each(['POST', 'DELETE'])(
  'a reject that does not exist is 404 for %s, and changes nothing',
  async (method) => {
    for (const id of [randomUUIDv7(), 'malformed', BUSINESS_ID]) {
      const path = method === 'POST' ? `webhook-rejects/${id}/retry` : `webhook-rejects/${id}`;
      const call = () => admin.admin(method, path, method === 'POST' ? {} : undefined);
      await expectRefused(scene.database.pool, call, [404, 'WEBHOOK_REJECT_NOT_FOUND']);
    }
  },
);

describe('what could not be taken in of webhooks', () => {
  /** Keeps an item aside, as the job does that takes webhooks apart. */
  async function reject(
    item: string | Buffer,
    given: { account?: string; bot?: string; path?: string } = {},
  ) {
    const id = randomUUIDv7();
    await scene.database.pool.query(
      `INSERT INTO webhook_rejects (id, account_id, provider, bot_id, delivery_id, path, reason, item, received_at)
     VALUES ($1, $2, 'cloud', $3, 1, $4, 'cannot be read', $5, '2026-11-21T10:00:00.5Z')`,
      [id, given.account ?? null, given.bot ?? null, given.path ?? id, Buffer.from(item)],
    );
    return id;
  }

  const newest = async () =>
    (await admin.admin('GET', 'webhook-rejects?limit=1')).body.data.webhook_rejects[0] as object;

  it('is shown with its position, its text and the reason', async () => {
    const { id: account, botId: bot } = scene.account;
    const id = await reject('{"a":"\\u0000 я"}', { account, bot, path: 'entry[0].changes[0]' });
    expect(await newest()).toEqual({
      id,
      account_id: account,
      provider: 'cloud',
      bot_id: bot,
      path: 'entry[0].changes[0]',
      reason: 'cannot be read',
      item: '{"a":"\\u0000 я"}',
      received_at: '2026-11-21T10:00:00.500Z',
    });
  });

  it('is also shown where its account is unknown', async () => {
    await reject(Buffer.from([0, 0xff, 0x41]));
    expect(await newest()).toMatchObject({ account_id: null, bot_id: null, item: '\0\ufffdA' });
  });

  it('is cut at 16 KiB, not within a character', async () => {
    await reject(`x${'я'.repeat(10_000)}`);
    expect(await newest()).toMatchObject({ item: `x${'я'.repeat(8_191)}` });
  });

  it('is listed exactly once over the pages, the newest first', async () => {
    for (let index = 0; index < 7; index++) await reject(`x${index}`);
    const { rows } = await scene.database.pool.query<{ id: string }>(
      'SELECT id FROM webhook_rejects ORDER BY id DESC',
    );
    const listed = await readPages(admin, 'webhook-rejects?limit=3', 'webhook_rejects');
    expect(listed.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
  });

  it.each(['limit=0', 'limit=201', 'cursor=x'])('is not listed for %s', async (query) => {
    const call = () => admin.admin('GET', `webhook-rejects?${query}`);
    await expectRefused(
      scene.database.pool,
      call,
      [422, 'VALIDATION_ERROR'],
      [query.slice(0, query.indexOf('='))],
    );
  });
});
