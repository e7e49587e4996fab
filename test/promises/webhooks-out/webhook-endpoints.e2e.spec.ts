import { randomUUIDv7 } from 'node:crypto';
import { InFlightLimiter } from '@app/contracts/in-flight-limiter';
import { LogReading } from '@app/domain/webhooks-out/sending/log-reading';
import { Database, WorkDatabase } from '@app/persistence/database/database.service';
import { EndpointQueueRepository } from '@app/persistence/webhooks-out/endpoint-queue.repository';
import { Webhook } from 'standardwebhooks';
import type { Answer } from '../../support/clients/api.client';
import { readPages } from '../../support/clients/page.reader';
import { AccountFixture } from '../../support/database/fixture';
import { uuidOf } from '../../support/database/thread.uuid';
import { injected } from '../../support/faults/injected.faults';
import { eventually } from '../../support/eventually';
import { PASSWORD } from '../../support/clients/session.client';
import { setScene } from '../../support/scenes/base.scene';
import { StandInProvider, type SeenRequest } from '../../support/stand-ins/provider.stand-in';

type Loose = Record<string, any>;

const DEADLINE_MS = 15_000;
/** More than one statement reads. */
const EVENTS = 2_100;

// Addresses of this machine are called, as in the demo.
const scene = setScene({ environment: { LOG_LEVEL: 'info', ...injected('held-call') } });
let receiver: StandInProvider;
/** All that was ever shown of secrets, and all answers that must show none. */
const secrets: string[] = [];
const answers: string[] = [];

/** Answers as the path says: `/500`. */
beforeAll(async () => {
  receiver = await StandInProvider.open();
  receiver.behave = (response, { url }) => {
    const [, status = '200'] = url.split('/');
    response.writeHead(Number(status)).end();
  };
});

afterAll(() => receiver?.close());

const admin = async (method: string, path: string, body?: object): Promise<Answer> => {
  const answer = await scene.admin.admin(method, path, body);
  const { secret } = (answer.body.data ?? {}) as Loose;
  if (typeof secret === 'string') secrets.push(secret);
  else answers.push(answer.text);
  return answer;
};
const done = async (method: string, path: string, body?: object): Promise<Loose> => {
  const { status, text, body: answer } = await admin(method, path, body);
  if (status >= 300) throw new Error(text);
  return answer.data as Loose;
};
const make = (given: object = {}, account = scene.account): Promise<Loose> =>
  done('POST', 'webhook-endpoints', {
    ...{ account_id: account.id, url: `${receiver.url}/200/${randomUUIDv7()}`, events: ['lead.renamed'] },
    ...given,
  });
const seenAt = ({ url }: Loose): SeenRequest[] =>
  receiver.ledger.filter((request) => receiver.url + request.url === url);
const deliveriesOf = async ({ id }: Loose, query = ''): Promise<Loose[]> =>
  (await done('GET', `webhook-endpoints/${id}/deliveries?limit=200${query}`)).deliveries as Loose[];
const secondsAgo = (seconds: number): string => new Date(Date.now() - seconds * 1_000).toISOString();

let lastDelivery = '';

/** A row as a delivery leaves it behind. */
async function addDelivery({ id, account_id }: Loose, given: Loose = {}): Promise<string> {
  // Those of one millisecond have no order.
  let delivery = randomUUIDv7();
  while (delivery <= lastDelivery) delivery = randomUUIDv7();
  lastDelivery = delivery;
  const { state = 'failed', seq = 1, thread = '00000000-0000-0000-0000-000000000000' } = given;
  await scene.database.pool.query(
    `INSERT INTO endpoint_deliveries (account_id, id, endpoint_id, seq, thread_id, type, event_id, state, due_at)
     VALUES ($1, $2, $3, $4, $5, 'lead.renamed', gen_random_uuid(), $6,
             CASE WHEN $6 = 'pending' THEN clock_timestamp() + interval '1 hour' END)`,
    [account_id, delivery, id, seq, thread, state],
  );
  return delivery;
}

describe('an endpoint', () => {
  it('is made with 201, its defaults and a secret of 24 to 64 random bytes, and read without the secret', async () => {
    const url = `${receiver.url}/200/made`;
    const answer = await admin('POST', 'webhook-endpoints', {
      ...{ account_id: scene.account.id, url, events: ['lead.created', 'quota.low'], more: 'left out' },
    });
    const { secret, ...shown } = answer.body.data as Loose;
    expect([answer.status, shown]).toEqual([
      201,
      {
        ...{
          id: expect.any(String),
          account_id: scene.account.id,
          url,
          events: ['lead.created', 'quota.low'],
        },
        ...{ assistant_ids: null, max_per_second: null, description: '' },
        ...{ disabled: false, disabled_reason: null, disabled_at: null },
        ...{ failures_in_a_row: 0, last_success_at: null, pending: 0, created_at: expect.any(String) },
      },
    ]);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]+=*$/);
    const bytes = Buffer.from(String(secret).slice('whsec_'.length), 'base64').length;
    expect([bytes >= 24, bytes <= 64]).toEqual([true, true]);
    expect(await done('GET', `webhook-endpoints/${shown.id}`)).toEqual(shown);
  });

  it('is changed field by field, listed newest first by its account, and deleted with its deliveries', async () => {
    const other = await AccountFixture.create(scene.database.pool);
    const [first, second] = [await make({}, other), await make({}, other)];
    const given = {
      url: `${receiver.url}/200/other`,
      ...{ events: ['*'], assistant_ids: [other.assistantId], max_per_second: 500, description: 'Счета' },
    };
    for (const [field, value] of Object.entries(given))
      expect(await done('PATCH', `webhook-endpoints/${first.id}`, { [field]: value })).toMatchObject({
        [field]: value,
      });
    expect(
      await done('PATCH', `webhook-endpoints/${first.id}`, { assistant_ids: null, max_per_second: null }),
    ).toMatchObject({ ...given, assistant_ids: null, max_per_second: null });
    const idsOf = async (query: string): Promise<string[]> =>
      (await readPages(scene.admin, `webhook-endpoints?limit=1&${query}`, 'webhook_endpoints')).map(
        ({ id }) => id,
      );
    expect(await idsOf(`account_id=${other.id}`)).toEqual([second.id, first.id]);
    expect(await idsOf(`account_id=${randomUUIDv7()}`)).toEqual([]);
    expect(await idsOf('')).toEqual(expect.arrayContaining([second.id, first.id]));
    const delivery = await addDelivery(first);
    expect(await done('DELETE', `webhook-endpoints/${first.id}`)).toMatchObject({
      id: first.id,
      url: given.url,
    });
    expect(await idsOf(`account_id=${other.id}`)).toEqual([second.id]);
    for (const [method, path] of [
      ['GET', `webhook-endpoints/${first.id}`],
      ['DELETE', `webhook-endpoints/${first.id}`],
      ['POST', `webhook-deliveries/${delivery}/retry`],
    ])
      expect((await admin(String(method), String(path))).status).toBe(404);
  });

  it('is neither made nor changed with what its fields may not be, or an address that is not called', async () => {
    const { id } = await make();
    const good = { account_id: scene.account.id, url: 'https://example.com/', events: ['*'] };
    for (const [path, fault] of [
      ['url', { url: 'ftp://example.com/' }],
      ['url', { url: 'https://10.0.0.1/' }],
      ['url', { url: 'https://user:word@example.com/' }],
      ['events', { events: ['*', 'lead.created'] }],
      ['events', { events: ['lead.imagined'] }],
      ['max_per_second', { max_per_second: 501 }],
    ] as const)
      for (const answer of [
        await admin('POST', 'webhook-endpoints', { ...good, ...fault }),
        await admin('PATCH', `webhook-endpoints/${id}`, fault),
      ])
        expect([fault, answer.status, answer.body.error.details?.map((each) => each.path)]).toEqual([
          ...[fault, 422, [path]],
        ]);
    await done('DELETE', `webhook-endpoints/${id}`);
  });

  it('needs an account and agents that exist', async () => {
    const body = { url: 'https://example.com/', events: ['*'] };
    const refusals = [
      await admin('POST', 'webhook-endpoints', body),
      await admin('POST', 'webhook-endpoints', { ...body, account_id: randomUUIDv7() }),
      await admin('POST', 'webhook-endpoints', { ...body, account_id: 'none' }),
      await admin('POST', 'webhook-endpoints', {
        ...{ ...body, account_id: scene.account.id, assistant_ids: [randomUUIDv7()] },
      }),
      await admin('POST', 'webhook-endpoints', {
        ...body,
        account_id: scene.account.id,
        assistant_ids: ['x'],
      }),
    ];
    expect(refusals.map(({ body: { error } }) => error.code)).toEqual([
      ...[
        'VALIDATION_ERROR',
        'ACCOUNT_NOT_FOUND',
        'ACCOUNT_NOT_FOUND',
        'ASSISTANT_NOT_FOUND',
        'ASSISTANT_NOT_FOUND',
      ],
    ]);
  });

  it('is one of twenty of its account at most, also where many are made at once', async () => {
    const full = await AccountFixture.create(scene.database.pool);
    const body = { account_id: full.id, url: 'https://example.com/', events: ['*'] };
    const made = await Promise.all(
      Array.from({ length: 25 }, () => admin('POST', 'webhook-endpoints', body)),
    );
    expect(made.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(made.filter(({ status }) => status === 422)).toHaveLength(5);
    const listed = await done('GET', `webhook-endpoints?account_id=${full.id}`);
    expect(listed.webhook_endpoints).toHaveLength(20);
    for (const { id } of listed.webhook_endpoints as Loose[]) await done('DELETE', `webhook-endpoints/${id}`);
  });

  it('is made by an admin of the account for the own one, and is nothing to others', async () => {
    const [person, operator] = [await scene.join({ role: 'admin' }), await scene.join()];
    const body = { url: 'https://example.com/', events: ['*'] };
    const unconfirmed = await person.call('admin/webhook-endpoints', body);
    expect(unconfirmed.body.error.code).toBe('CONFIRM_REQUIRED');
    await person.call('auth/confirm', { password: PASSWORD });
    const { body: made } = await person.call('admin/webhook-endpoints', body);
    expect(made.data.account_id).toBe(scene.account.id);
    secrets.push(made.data.secret as string);
    const path = `admin/webhook-endpoints/${made.data.id}`;
    expect((await operator.call(path)).status).toBe(403);
    const elsewhere = await AccountFixture.create(scene.database.pool);
    const stranger = await scene.join({ role: 'admin', account_id: elsewhere.id });
    const withoutId = ({ text }: Answer): string => text.replace(/"request_id":"[^"]*"/, '');
    expect(withoutId(await stranger.call(path))).toBe(
      withoutId(await stranger.call(`admin/webhook-endpoints/${randomUUIDv7()}`)),
    );
    expect((await stranger.call('admin/webhook-endpoints')).body.data.webhook_endpoints).toEqual([]);
    await done('DELETE', `webhook-endpoints/${made.data.id}`);
  });
});

describe('a test', () => {
  it('is sent at once, signed, and answered with what became of it; it is listed and not tried again', async () => {
    const endpoint = await make();
    const tested = await done('POST', `webhook-endpoints/${endpoint.id}/test`, {});
    expect(tested).toMatchObject({
      ...{
        endpoint_id: endpoint.id,
        type: 'webhook.test',
        thread_id: null,
        state: 'delivered',
        next_at: null,
      },
      attempts: [{ at: expect.any(String), status: 200, ms: expect.any(Number), error: null, reason: null }],
    });
    const [{ body, headers } = {} as SeenRequest] = seenAt(endpoint);
    const verified = new Webhook(String(endpoint.secret)).verify(body, headers as Record<string, string>);
    expect(verified).toMatchObject({
      type: 'webhook.test',
      data: {
        account_id: scene.account.id,
        event_id: tested.event_id,
        seq: null,
        thread_id: null,
        phone: null,
      },
    });
    expect(headers['webhook-id']).toBe(tested.event_id);
    expect(await deliveriesOf(endpoint)).toEqual([tested]);
    expect((await done('GET', `webhook-endpoints/${endpoint.id}`)).last_success_at).toBe(
      tested.attempts[0].at,
    );
    const retried = await admin('POST', `webhook-deliveries/${tested.id}/retry`, {});
    expect([retried.status, retried.body.error.code]).toEqual([409, 'WEBHOOK_DELIVERY_STATE']);
  });

  it('that is answered as a failure has failed, and follows no redirect', async () => {
    for (const [path, outcome] of [
      ['/500', { status: 500, error: null }],
      ['/302', { status: 302, error: expect.stringContaining('redirect'), reason: 'redirect' }],
    ] as const) {
      const endpoint = await make({ url: `${receiver.url}${path}/${randomUUIDv7()}` });
      const tested = await done('POST', `webhook-endpoints/${endpoint.id}/test`, {});
      expect(tested).toMatchObject({ state: 'failed', attempts: [outcome], next_at: null });
      expect(seenAt(endpoint)).toHaveLength(1);
    }
  });

  it('that passes counts among the days in which nothing has passed', async () => {
    const endpoint = await make();
    const db = scene.database.pool;
    await db.query(
      `UPDATE endpoint_queues SET passed_at = clock_timestamp() - interval '6 days' WHERE endpoint_id = $1`,
      [endpoint.id],
    );
    await done('POST', `webhook-endpoints/${endpoint.id}/test`, {});
    const { rows } = await db.query(
      `SELECT passed_at > clock_timestamp() - interval '1 day' AS passed FROM endpoint_queues WHERE endpoint_id = $1`,
      [endpoint.id],
    );
    expect(rows).toEqual([{ passed: true }]);
  });

  it('that is answered 410 disables the endpoint, and the others are told', async () => {
    const account = await AccountFixture.create(scene.database.pool);
    const other = await make({ events: ['webhook.disabled'] }, account);
    const endpoint = await make({ url: `${receiver.url}/410/${randomUUIDv7()}` }, account);
    const pending = await addDelivery(endpoint, { state: 'pending' });
    const tested = await done('POST', `webhook-endpoints/${endpoint.id}/test`, {});
    expect(tested).toMatchObject({ state: 'failed', attempts: [{ status: 410 }] });
    expect(await done('GET', `webhook-endpoints/${endpoint.id}`)).toMatchObject({
      ...{ disabled: true, disabled_reason: 'gone' },
    });
    const { entries } = await done('GET', `audit?subject_id=${endpoint.id}&limit=1`);
    expect(entries).toMatchObject([
      { action: 'webhook_endpoint.disable', actor: null, after: { disabled: true, disabled_reason: 'gone' } },
    ]);
    await eventually(async () => seenAt(other).length > 0, DEADLINE_MS, 'the others were not told');
    await eventually(
      async () => (await deliveriesOf(endpoint, '&state=skipped')).some(({ id }) => id === pending),
      DEADLINE_MS,
      'what was pending is not skipped',
    );
  });
});

describe('a new secret', () => {
  const signersOf = async (endpoint: Loose, candidates: string[]): Promise<boolean[]> => {
    const before = seenAt(endpoint).length;
    await done('POST', `webhook-endpoints/${endpoint.id}/test`, {});
    const { body, headers } = seenAt(endpoint)[before] as SeenRequest;
    return candidates.map((secret) => {
      try {
        new Webhook(secret).verify(body, headers as Record<string, string>);
        return true;
      } catch {
        return false;
      }
    });
  };

  it('signs at once, the former one beside it until its hours are over, the one before not any more', async () => {
    const endpoint = await make();
    const path = `webhook-endpoints/${endpoint.id}/rotate-secret`;
    const second = await done('POST', path, {});
    const hours = (Date.parse(second.old_secret_expires_at as string) - Date.now()) / 3_600_000;
    expect([hours > 23.9, hours < 24.1]).toEqual([true, true]);
    const known = [endpoint.secret, second.secret] as string[];
    expect(await signersOf(endpoint, known)).toEqual([true, true]);
    const third = await done('POST', path, { overlap_hours: 168 });
    known.push(third.secret as string);
    expect(await signersOf(endpoint, known)).toEqual([false, true, true]);
    await scene.database.pool.query(
      'UPDATE webhook_endpoints SET former_until = clock_timestamp() WHERE id = $1',
      [endpoint.id],
    );
    expect(await signersOf(endpoint, known)).toEqual([false, false, true]);
    const last = await done('POST', path, { overlap_hours: 0 });
    expect(last.old_secret_expires_at).toBeNull();
    known.push(last.secret as string);
    expect(await signersOf(endpoint, known)).toEqual([false, false, false, true]);
    const refused = await admin('POST', path, { overlap_hours: 169 });
    expect(refused.body.error.details).toMatchObject([{ path: 'overlap_hours' }]);
  });
});

describe('a disabled endpoint', () => {
  it('is sent nothing: what was pending is skipped, and a test, a replay and a retry are refused', async () => {
    const endpoint = await make();
    const [pending, failed] = [
      await addDelivery(endpoint, { state: 'pending', seq: 1 }),
      await addDelivery(endpoint, { seq: 2 }),
    ];
    expect(await done('GET', `webhook-endpoints/${endpoint.id}`)).toMatchObject({ pending: 1 });
    expect(await done('PATCH', `webhook-endpoints/${endpoint.id}`, { disabled: true })).toMatchObject({
      ...{ disabled: true, disabled_reason: 'admin', disabled_at: expect.any(String), pending: 0 },
    });
    const states = async () =>
      Object.fromEntries((await deliveriesOf(endpoint)).map(({ id, state }) => [String(id), String(state)]));
    expect(await states()).toEqual({ [pending]: 'skipped', [failed]: 'failed' });
    for (const [path, body] of [
      [`webhook-endpoints/${endpoint.id}/test`, {}],
      [`webhook-endpoints/${endpoint.id}/replay`, { since: secondsAgo(60) }],
      [`webhook-deliveries/${pending}/retry`, {}],
    ] as const) {
      const refused = await admin('POST', path, body);
      expect([path, refused.status, refused.body.error.code]).toEqual([
        path,
        409,
        'WEBHOOK_ENDPOINT_DISABLED',
      ]);
    }
    expect(seenAt(endpoint)).toEqual([]);
    const again = await done('PATCH', `webhook-endpoints/${endpoint.id}`, { disabled: false });
    expect(again).toMatchObject({ disabled: false, disabled_reason: null, disabled_at: null });
    expect(await states()).toEqual({ [pending]: 'skipped', [failed]: 'failed' });
    await done('POST', `webhook-endpoints/${endpoint.id}/test`, {});
    expect(seenAt(endpoint)).toHaveLength(1);
  });
});

describe('deliveries', () => {
  it('are listed newest first, page by page, of all states or of one', async () => {
    const endpoint = await make();
    const ids: string[] = [];
    for (const state of ['failed', 'skipped', 'delivered', 'failed', 'skipped'])
      ids.unshift(await addDelivery(endpoint, { state, seq: ids.length + 1 }));
    const listed = async (query: string): Promise<string[]> =>
      (
        await readPages(
          scene.admin,
          `webhook-endpoints/${endpoint.id}/deliveries?limit=2${query}`,
          'deliveries',
        )
      ).map(({ id }) => id);
    expect(await listed('')).toEqual(ids);
    expect(await listed('&state=skipped')).toEqual([ids[0], ids[3]]);
    expect(await listed('&state=pending')).toEqual([]);
    const refused = await admin('GET', `webhook-endpoints/${endpoint.id}/deliveries?state=lost`);
    expect([refused.status, refused.body.error.details?.[0]?.path]).toEqual([422, 'state']);
    const other = await admin('GET', `webhook-endpoints/${randomUUIDv7()}/deliveries`);
    expect([other.status, other.body.error.code]).toEqual([404, 'WEBHOOK_ENDPOINT_NOT_FOUND']);
  });
});

describe('a delivery', () => {
  const shown = (id: unknown): Promise<Loose> => done('GET', `webhook-deliveries/${String(id)}`);

  it('shows its request as it was sent, but for the signature, and the answers to it', async () => {
    const account = await AccountFixture.create(scene.database.pool);
    await account.addEvents(await account.addThread(), 1);
    const endpoint = await make({ events: ['*'] }, account);
    await done('POST', `webhook-endpoints/${endpoint.id}/replay`, { since: secondsAgo(600) });
    const listed = await eventually(
      async () => (await deliveriesOf(endpoint, '&state=delivered'))[0],
      DEADLINE_MS,
      'nothing was delivered',
    );
    const [{ headers, body } = {} as SeenRequest] = seenAt(endpoint);
    const sent = Object.entries(headers).filter(([name]) =>
      /^webhook-|^content-type$|^user-agent$/.test(name),
    );
    expect(await shown(listed.id)).toEqual({
      ...listed,
      request: {
        ...{ url: endpoint.url, body },
        headers: { ...Object.fromEntries(sent), 'webhook-signature': 'v1,…' },
      },
    });
    expect(headers['webhook-replay']).toBe('true');
    const tested = await done('POST', `webhook-endpoints/${endpoint.id}/test`, {});
    expect((await shown(tested.id)).request.body).toBe(seenAt(endpoint)[1]?.body);
    const unknown = await admin('GET', `webhook-deliveries/${randomUUIDv7()}`);
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'WEBHOOK_DELIVERY_NOT_FOUND']);
  });

  it('has no body once its event has left the log or its customer was erased, and no time before it is sent', async () => {
    const thread = await scene.account.addThread();
    const endpoint = await make();
    const lost = await addDelivery(endpoint, { seq: 9_999_999_999 });
    const its = await addDelivery(endpoint, { seq: 1, thread: uuidOf(thread) });
    await done('POST', `threads/${thread}/erase`, {});
    for (const id of [lost, its]) {
      const { request } = await shown(id);
      expect([request.body, Object.keys(request.headers as object)]).toEqual([
        null,
        ['content-type', 'user-agent', 'webhook-id', 'webhook-signature'],
      ]);
    }
  });
});

it('an attempt that a version before has kept has no reason, and all else that it had', async () => {
  const endpoint = await make();
  const id = await addDelivery(endpoint);
  const attempt = { at: '2026-01-01T10:00:00.000Z', status: null, ms: 1, error: 'its name is not known' };
  await scene.database.pool.query('UPDATE endpoint_deliveries SET attempts = $2 WHERE id = $1', [
    id,
    JSON.stringify([attempt]),
  ]);
  expect((await deliveriesOf(endpoint))[0]?.attempts).toEqual([{ ...attempt, reason: null }]);
});

describe('a replay', () => {
  /** Events of a dialog of an own account, so that other tests' are none of it. */
  async function withEvents(count: number): Promise<{ account: AccountFixture; thread: string }> {
    const account = await AccountFixture.create(scene.database.pool);
    const thread = await account.addThread();
    await account.addEvents(thread, count);
    return { account, thread };
  }

  it('sends what was missed and failed once more, in order, marked, and nothing that was delivered', async () => {
    const { account, thread } = await withEvents(3);
    const endpoint = await make({ events: ['lead.status_changed'] }, account);
    const replay = (body: object) => done('POST', `webhook-endpoints/${endpoint.id}/replay`, body);
    const { queued } = await replay({ since: secondsAgo(600) });
    expect(queued).toBe(3);
    const sent = await eventually(
      async () => seenAt(endpoint).length === 3 && seenAt(endpoint),
      DEADLINE_MS,
      'what was replayed was not sent',
    );
    expect(sent.map(({ headers }) => headers['webhook-replay'])).toEqual(['true', 'true', 'true']);
    const seqs = sent.map(({ body }) => (JSON.parse(body) as Loose).data.seq as number);
    expect(seqs).toEqual(seqs.toSorted((one, another) => one - another));
    for (const { body, headers } of sent)
      expect(
        new Webhook(String(endpoint.secret)).verify(body, headers as Record<string, string>),
      ).toMatchObject({
        data: { thread_id: thread, event_id: headers['webhook-id'] },
      });
    await eventually(
      async () => (await deliveriesOf(endpoint, '&state=delivered')).length === 3,
      DEADLINE_MS,
      'what was sent is not delivered',
    );
    expect(await replay({ since: secondsAgo(600) })).toEqual({ queued: 0 });
    const [{ id = '', event_id: eventId = '' } = {}] = await deliveriesOf(endpoint);
    await scene.database.pool.query(
      `UPDATE endpoint_deliveries SET state = 'failed' WHERE endpoint_id = $1 AND id = $2`,
      [endpoint.id, id],
    );
    expect(await replay({ since: secondsAgo(600) })).toEqual({ queued: 1 });
    const again = await eventually(async () => seenAt(endpoint)[3], DEADLINE_MS, 'it was not sent again');
    expect(again.headers['webhook-id']).toBe(eventId);
  });

  it('sends at once, in order and marked, what would be tried again much later', async () => {
    const { account, thread } = await withEvents(2);
    const endpoint = await make({ events: ['lead.status_changed'] }, account);
    const { rows } = await scene.database.pool.query<{ seq: string }>(
      'SELECT seq FROM events WHERE account_id = $1 ORDER BY seq',
      [account.id],
    );
    for (const { seq } of rows)
      await addDelivery(endpoint, { state: 'pending', seq, thread: uuidOf(thread) });
    const { queued } = await done('POST', `webhook-endpoints/${endpoint.id}/replay`, {
      since: secondsAgo(600),
    });
    expect(queued).toBe(2);
    const sent = await eventually(
      async () => seenAt(endpoint).length === 2 && seenAt(endpoint),
      DEADLINE_MS,
      'what was pending was not sent',
    );
    expect(
      sent.map(({ body, headers }) => [
        (JSON.parse(body) as Loose).data.seq as number,
        headers['webhook-replay'],
      ]),
    ).toEqual(rows.map(({ seq }) => [Number(seq), 'true']));
  });

  it('takes the events of its time that the endpoint takes, of its agents, and of no erased customer', async () => {
    const { account, thread } = await withEvents(2);
    const second = await account.addAssistant();
    const others = await account.addThread({}, second, await account.addBot(undefined, second));
    const db = scene.database.pool;
    const addEvent = (of: string, assistant: string, type: string, ago: string) =>
      db.query(
        `INSERT INTO events (account_id, thread_id, assistant_id, version, type, at, body)
         VALUES ($1, $2, $3, 9, $4, clock_timestamp() - $5::interval, '{"from": null, "to": null, "by": "SYSTEM"}')`,
        [account.id, uuidOf(of), assistant, type, ago],
      );
    await addEvent(thread, account.assistantId, 'name', '0');
    await addEvent(others, second, 'name', '0');
    const erased = await account.addThread();
    await account.addEvents(erased, 1);
    await done('POST', `threads/${erased}/erase`, {});
    const queuedFor = async (given: object, body: object = { since: secondsAgo(600) }): Promise<number> => {
      const { id } = await make({ url: `${receiver.url}/500/x`, ...given }, account);
      const { queued } = await done('POST', `webhook-endpoints/${id}/replay`, body);
      await done('DELETE', `webhook-endpoints/${id}`);
      return queued as number;
    };
    expect(await queuedFor({ events: ['lead.renamed'] })).toBe(2);
    expect(await queuedFor({ events: ['lead.renamed'], assistant_ids: [second] })).toBe(1);
    expect(await queuedFor({ events: ['*'] })).toBe(4);
    expect(await queuedFor({ events: ['*'] }, { since: secondsAgo(600), until: secondsAgo(300) })).toBe(0);
    expect(await queuedFor({ events: ['*'] }, { since: new Date(Date.now() + 60_000).toISOString() })).toBe(
      0,
    );
  });

  it('of many events takes them a part at a time: the first of a dialog is due, the others wait', async () => {
    const { account } = await withEvents(EVENTS);
    const endpoint = await make({ url: `${receiver.url}/500/many`, events: ['*'] }, account);
    const { queued } = await done('POST', `webhook-endpoints/${endpoint.id}/replay`, {
      since: secondsAgo(600),
    });
    expect(queued).toBe(EVENTS);
    const { rows } = await scene.database.pool.query(
      `SELECT count(*) FILTER (WHERE waits)::int AS waiting, count(DISTINCT event_id)::int AS events
         FROM endpoint_deliveries WHERE endpoint_id = $1 AND state = 'pending' AND replayed`,
      [endpoint.id],
    );
    expect(rows).toEqual([{ waiting: EVENTS - 1, events: EVENTS }]);
    expect(await done('GET', `webhook-endpoints/${endpoint.id}`)).toMatchObject({ pending: 1_000 });
    // It has more deliveries than go with it at once.
    await done('DELETE', `webhook-endpoints/${endpoint.id}`);
    const left = await scene.database.pool.query('SELECT 1 FROM endpoint_deliveries WHERE endpoint_id = $1', [
      endpoint.id,
    ]);
    expect(left.rowCount).toBe(0);
  });

  it('is refused for a time that is too long ago, or no span', async () => {
    const { id } = await make();
    for (const [path, body] of [
      ['since', { since: new Date(Date.now() - 14 * 86_400_000 - 60_000).toISOString() }],
      ['since', {}],
      ['until', { since: secondsAgo(60), until: secondsAgo(120) }],
    ] as const) {
      const refused = await admin('POST', `webhook-endpoints/${id}/replay`, body);
      expect([refused.status, refused.body.error.details?.map((each) => each.path)]).toEqual([422, [path]]);
    }
    await done('DELETE', `webhook-endpoints/${id}`);
  });
});

describe('a retry', () => {
  it('sends a delivery that failed or was skipped, and refuses one that was delivered', async () => {
    const account = await AccountFixture.create(scene.database.pool);
    await account.addEvents(await account.addThread(), 1);
    const endpoint = await make({ events: ['*'] }, account);
    await done('POST', `webhook-endpoints/${endpoint.id}/replay`, { since: secondsAgo(600) });
    const settled = () =>
      eventually(
        async () => (await deliveriesOf(endpoint, '&state=delivered'))[0],
        DEADLINE_MS,
        'nothing was delivered',
      );
    const { id, attempts } = await settled();
    const path = `webhook-deliveries/${id}/retry`;
    const refused = await admin('POST', path, {});
    expect([refused.status, refused.body.error.code]).toEqual([409, 'WEBHOOK_DELIVERY_STATE']);
    for (const state of ['failed', 'skipped']) {
      await scene.database.pool.query(
        'UPDATE endpoint_deliveries SET state = $2, tries = 10 WHERE endpoint_id = $1',
        [endpoint.id, state],
      );
      const before = seenAt(endpoint).length;
      expect(await done('POST', path, {})).toMatchObject({
        id,
        state: 'pending',
        next_at: expect.any(String),
      });
      await eventually(async () => seenAt(endpoint).length > before, DEADLINE_MS, 'it was not sent again');
      await settled();
    }
    expect((await settled()).attempts).toHaveLength((attempts as object[]).length + 2);
    const unknown = await admin('POST', `webhook-deliveries/${randomUUIDv7()}/retry`, {});
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'WEBHOOK_DELIVERY_NOT_FOUND']);
  });
});

it('what is still to be told of a customer who is erased is not told any more', async () => {
  const [thread, other] = [await scene.account.addThread(), await scene.account.addThread()];
  const endpoint = await make();
  const [its, others] = [
    await addDelivery(endpoint, { state: 'pending', seq: 1, thread: uuidOf(thread) }),
    await addDelivery(endpoint, { state: 'pending', seq: 2, thread: uuidOf(other) }),
  ];
  await done('POST', `threads/${thread}/erase`, {});
  const states = (await deliveriesOf(endpoint)).map(({ id, state }) => [String(id), String(state)]);
  expect(states).toEqual([
    [others, 'pending'],
    [its, 'skipped'],
  ]);
  const refused = await admin('POST', `webhook-deliveries/${its}/retry`, {});
  expect([refused.status, refused.body.error.code]).toEqual([409, 'WEBHOOK_DELIVERY_STATE']);
});

it('what is taken over of the log after its customer was erased is not told either', async () => {
  const account = await AccountFixture.create(scene.database.pool);
  const [thread, other] = [await account.addThread(), await account.addThread()];
  const endpoint = await make({ events: ['*'] }, account);
  const db = scene.database.pool;
  await db.query(
    `UPDATE endpoint_queues SET lease_token = gen_random_uuid(), lease_until = clock_timestamp() + interval '1 hour'
      WHERE endpoint_id = $1`,
    [endpoint.id],
  );
  await account.addEvents(thread, 2);
  await done('POST', `threads/${thread}/erase`, {});
  await account.addEvents(other, 1);
  await db.query('UPDATE endpoint_queues SET lease_until = clock_timestamp() WHERE endpoint_id = $1', [
    endpoint.id,
  ]);
  await eventually(
    async () => (await deliveriesOf(endpoint)).length > 0,
    DEADLINE_MS,
    'nothing was taken over',
  );
  expect((await deliveriesOf(endpoint)).map(({ thread_id }) => String(thread_id))).toEqual([other]);
});

describe('a long log', () => {
  const AGENTS = 50;
  /** All together more than one look reads. */
  const EVENTS_OF_EACH = 240;
  const LAST = AGENTS * EVENTS_OF_EACH;

  it('is taken over a part at a time, goes on from there after a kill, and is whole in the end', async () => {
    const db = scene.database.pool;
    const account = await AccountFixture.create(db);
    const thread = await account.addThread();
    const endpoint = await make({ events: ['lead.renamed'] }, account);
    const queues = new EndpointQueueRepository(
      new Database(db, new InFlightLimiter(4)),
      new WorkDatabase(db),
    );
    const key = { accountId: account.id, endpointId: String(endpoint.id) };
    // A process that has found it holds it for a moment.
    const held = await eventually(
      async () => {
        const mine = { ...key, token: randomUUIDv7() };
        return (await queues.claim(mine, 3_600_000)) && mine;
      },
      DEADLINE_MS,
      'the endpoint is held by a server',
    );
    for (let agent = 1; agent < AGENTS; agent += 1) await account.addAssistant();
    // Few are for the endpoint: the third, one in the middle, and the last.
    const { rows } = await db.query<{ seq: string; type: string }>(
      `INSERT INTO events (account_id, thread_id, assistant_id, version, type, at, body)
       SELECT $1, $2, a.id, n, CASE WHEN n IN (3, $3 / 2, $3) THEN 'name' ELSE 'status' END, clock_timestamp(), '{"by": "SYSTEM"}'
         FROM generate_series(1, $3::int) n
         JOIN (SELECT id, row_number() OVER (ORDER BY id) - 1 AS place FROM assistants WHERE account_id = $1) a
           ON a.place = n % ${AGENTS}
        ORDER BY n RETURNING seq, type`,
      [account.id, uuidOf(thread), LAST],
    );
    const wanted = rows.filter(({ type }) => type === 'name').map(({ seq }) => Number(seq));
    const taken = async (): Promise<number[]> =>
      (
        await db.query<{ seq: string }>(
          'SELECT seq FROM endpoint_deliveries WHERE account_id = $1 AND endpoint_id = $2 ORDER BY id',
          [account.id, endpoint.id],
        )
      ).rows.map(({ seq }) => Number(seq));
    const positionOf = async (): Promise<number> => {
      const { rows: found } = await db.query<{ seq: string }>(
        'SELECT seq FROM endpoint_queues WHERE account_id = $1 AND endpoint_id = $2',
        [account.id, endpoint.id],
      );
      return Number(found[0]?.seq);
    };
    const began = await positionOf();
    await new LogReading(queues, held, began).look();
    const [first] = wanted;
    expect(await taken()).toEqual([first]);
    // Whoever takes over knows the position alone.
    const reading = new LogReading(queues, held, await positionOf());
    await eventually(
      async () => {
        await reading.look();
        return reading.isDone;
      },
      DEADLINE_MS,
      'the log is not taken over',
    );
    expect(await taken()).toEqual(wanted);
    expect(await positionOf()).toBe(Number(rows.at(-1)?.seq));
  });
});

// The last, because it looks at what the others have left.
it('no secret is in a later answer, a row, an entry of the audit or a line of the log', async () => {
  const { rows } = await scene.database.pool.query<{ all: string }>(
    `SELECT string_agg(e::text, E'\\n') || (SELECT string_agg(w::text || encode(w.secret, 'escape'), E'\\n') FROM webhook_endpoints w)
         || (SELECT string_agg(d::text, E'\\n') FROM endpoint_deliveries d) AS all
       FROM audit_entries e`,
  );
  const all = [rows[0]?.all ?? '', scene.server.output(), ...answers].join('\n');
  expect(secrets.length).toBeGreaterThan(20);
  expect(all.includes('webhook_endpoint.rotate_secret')).toBe(true);
  const found = secrets.filter(
    (secret) => all.includes(secret) || all.includes(secret.slice('whsec_'.length)),
  );
  expect(found).toEqual([]);
});
