import { randomUUID, randomUUIDv7 } from 'node:crypto';
import type { Answer, ApiClient } from '../../support/clients/api.client';
import { AccountFixture } from '../../support/database/fixture';
import { setScene } from '../../support/scenes/base.scene';
import { startStorm } from '../../support/clients/storm';

interface Listed {
  thread_id: string;
  [field: string]: unknown;
}

const scene = setScene({ stages: [{ name: 'New' }, { name: 'Paid', kind: 'success' }, {}] });
let account: AccountFixture;
let api: ApiClient;

/** A separate account for each test, so that lists contain what the test put there. */
beforeEach(async () => {
  account = await AccountFixture.create(scene.database.pool, [
    { name: 'New' },
    { name: 'Paid', kind: 'success' },
  ]);
  api = scene.apiAt(0, account.key);
});

const idsOf = ({ status, body }: Answer): string[] => {
  expect([status, body.error]).toEqual([200, undefined]);
  return (body.data.threads as Listed[]).map(({ thread_id }) => thread_id);
};
const listed = async (filter: object = {}): Promise<string[]> => idsOf(await api.getThreads(filter));

/** In the order of lists; of two ids made within one millisecond either may be the higher. */
const newestFirst = (...threads: string[]): string[] => threads.sort().reverse();

/** Every page of a list. */
async function readPages(filter: object): Promise<string[][]> {
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const answer = await api.getThreads({ ...filter, cursor });
    pages.push(idsOf(answer));
    const { has_more, next_cursor } = answer.body.data as { has_more: boolean; next_cursor: string | null };
    expect(has_more).toBe(next_cursor !== null);
    cursor = next_cursor ?? undefined;
  } while (cursor !== undefined);
  return pages;
}

const setFacts = (thread: string, assignments: string) => scene.kept.setFacts(thread, assignments);

describe('get-threads', () => {
  it('shows exactly the fields of the contract', async () => {
    const thread = await account.addThread({
      statusId: account.stages[1],
      phone: '+77010000001',
      waitingMinutes: 1,
    });
    const other = `thread_${randomUUID()}`;
    await setFacts(
      thread,
      `customer_name = 'Айгерим', last_message_role = 'USER', last_message_text = 'Алло', unread_count = 2,
       last_message_at = '2026-11-20T09:30:00.123456Z', created_at = '2026-11-19T09:30:00Z',
       last_activity_at = '2026-11-20T09:30:00.123456Z', status_set_at = '2026-11-20T09:00:00Z',
       attention = 'model', attention_note = 'It is away.', attention_since = '2026-11-20T09:15:00.5Z',
       wa_id = '77010000001', user_id = 'KZ.77', username = 'aika', phone_proven = true,
       same_customer = ARRAY['${other.slice('thread_'.length)}'::uuid], waiting_at = '2026-11-20T09:29:00Z',
       waiting_since = '2026-11-20T09:28:00.5Z', replied_at = '2026-11-20T09:29:00.9Z', version = 7`,
    );
    const message = await account.addMessage(thread, { text: 'Алло', at: '2026-11-20T09:30:00.123456Z' });
    const shown = {
      thread_id: thread,
      assistant_id: account.assistantId,
      bot_id: account.botId,
      channel: 'WABA_COEXISTENCE',
      phone: '+77010000001',
      customer: {
        ...{ phone: '+77010000001', wa_id: '77010000001', user_id: 'KZ.77', username: 'aika' },
        phone_proven: true,
      },
      same_customer: [other],
      conducted_elsewhere: false,
      customer_name: 'Айгерим',
      created_at: '2026-11-19T09:30:00.000Z',
      updated_at: '2026-11-20T09:30:00.123Z',
      message_handler: 'AI',
      ai_enabled: true,
      opted_out: false,
      takeover_until: null,
      waiting: true,
      waiting_since: '2026-11-20T09:28:00.500Z',
      waiting_reason: 'number_down',
      window_until: '2026-11-21T09:29:00.900Z',
      erased_at: null,
      lead_status: { id: account.stages[1], name: 'Paid', kind: 'success', order: 2 },
      status_set_at: '2026-11-20T09:00:00.000Z',
      status_set_by: 'AI',
      status_cleared_at: null,
      last_message: { role: 'USER', text: 'Алло', created_at: '2026-11-20T09:30:00.123Z' },
      unread_count: 2,
      attention: {
        ...{ reason: 'model', note: 'It is away.', provider_code: null },
        since: '2026-11-20T09:15:00.500Z',
      },
      assignee: null,
      version: 7,
      // By the settings, which name no PUBLIC_URL and the port 0, and not by how the server was called.
      url: `http://localhost:0/dialogs/${thread}`,
    };
    const page = { not_found: [], not_found_user_ids: [], has_more: false, next_cursor: null };
    expect((await api.getThreads()).body.data).toEqual({ threads: [shown], ...page });
    const said = { role: 'USER', text: 'Алло', media: null, created_at: '2026-11-20T09:30:00.123Z' };
    const messages = [{ id: message, ...said }];
    expect((await api.getThreads({ messages_limit: 5 })).body.data).toEqual({
      threads: [{ ...shown, messages }],
      ...page,
    });
  });

  it('shows until when a takeover runs', async () => {
    const thread = await account.addThread({ takeoverSeconds: 600 });
    await setFacts(thread, `takeover_until = '2099-11-20T09:30:00.5Z'`);
    const { body } = await api.getThreads();
    const until = '2099-11-20T09:30:00.500Z';
    expect(body.data.threads).toMatchObject([{ message_handler: 'OPERATOR', takeover_until: until }]);
  });

  it('shows a dialog without a stage, a name, a phone or a message with nulls', async () => {
    await account.addThread({ phone: null });
    const { body } = await api.getThreads({ messages_limit: 1 });
    expect(body.data.threads).toEqual([
      expect.objectContaining({
        phone: null,
        customer_name: null,
        lead_status: null,
        status_set_at: null,
        status_set_by: null,
        status_cleared_at: null,
        last_message: null,
        unread_count: 0,
        takeover_until: null,
        waiting_since: null,
        waiting_reason: null,
        window_until: null,
        messages: [],
      }),
    ]);
  });
});

describe('a list of dialogs has only', () => {
  it('those of the key’s agents, and nothing for a key without one', async () => {
    const other = await account.addAssistant();
    const hidden = await account.addThread({}, other, await account.addBot(undefined, other));
    const own = await account.addThread();
    const foreign = await AccountFixture.create(scene.database.pool);
    await foreign.addThread({ phone: '+77010000009' });
    expect(await listed()).toEqual([own]);
    const both = scene.apiAt(0, await account.addKey({ assistantIds: [account.assistantId, other] }));
    expect(idsOf(await both.getThreads())).toEqual(newestFirst(own, hidden));
    expect(idsOf(await both.getThreads({ limit: 1 }))).toEqual(newestFirst(own, hidden).slice(0, 1));
    expect(idsOf(await both.getThreads({ assistant_id: other.toUpperCase() }))).toEqual([hidden]);
    const none = scene.apiAt(0, await account.addKey({ assistantIds: [] }));
    const phones = ['+77010000009'];
    const nothing = { threads: [], not_found: phones, not_found_user_ids: [], has_more: false };
    for (const key of [api, none])
      expect((await key.getThreads({ phones })).body.data).toEqual({ ...nothing, next_cursor: null });
    expect(idsOf(await none.getThreads({ waiting: true }))).toEqual([]);
    const { body } = await none.getThreads({ status_id: account.stages[0] });
    expect(body.error.code).toBe('STATUS_NOT_FOUND');
  });

  it('those that every one of its filters lets through', async () => {
    const [fresh, paid] = account.stages;
    const bot = await account.addBot();
    const both = scene.apiAt(0, await account.addKey({ botIds: [account.botId, bot] }));
    const facts = async (assignments: string): Promise<string> => {
      const thread = await account.addThread();
      await setFacts(thread, assignments);
      return thread;
    };
    const dialogs: Record<string, string> = {
      plain: await account.addThread(),
      ofBot: await account.addThread({}, account.assistantId, bot),
      waba: await account.addThread({ channel: 'waba' }),
      fresh: await account.addThread({ statusId: fresh }),
      freshWaits: await account.addThread({ statusId: fresh, waitingMinutes: 1 }),
      waits: await account.addThread({ waitingMinutes: 1 }),
      paid: await account.addThread({ statusId: paid }),
      over: await account.addThread({ takeoverSeconds: -5 }),
      taken: await account.addThread({ takeoverSeconds: 60 }),
      off: await account.addThread({ aiEnabled: false }),
      out: await account.addThread({ optedOut: true, aiEnabled: false }),
      unread: await facts('unread_count = 2'),
      failed: await facts(`attention = 'model'`),
      asked: await facts(`attention = 'scenario'`),
      early: await facts(`created_at = '2020-11-20T08:59:59.999999Z'`),
      first: await facts(`created_at = '2020-11-20T09:00:00Z'`),
      last: await facts(`created_at = '2020-11-20T09:59:59.999999Z'`),
      late: await facts(`created_at = '2020-11-20T10:00:00Z'`),
    };
    for (const [n, name] of ['off', 'out', 'paid'].entries())
      await setFacts(dialogs[name]!, `last_activity_at = '2099-11-20T0${n + 7}:00:00Z'`);
    const but = (...names: string[]): string[] =>
      Object.keys(dialogs).filter((name) => !names.includes(name));
    const cases: [object, string[]][] = [
      [{}, but()],
      [{ bot_id: bot }, ['ofBot']],
      [{ channel: 'waba' }, ['waba']],
      [{ status_id: paid }, ['paid']],
      [{ status_id: null }, but('fresh', 'freshWaits', 'paid')],
      [{ status_kind: 'active' }, ['fresh', 'freshWaits']],
      [{ status_kind: 'failure' }, []],
      [{ status_ids: [fresh, paid] }, ['fresh', 'freshWaits', 'paid']],
      [{ status_ids: [paid, null] }, but('fresh', 'freshWaits')],
      [{ status_ids: [] }, []],
      [{ message_handler: 'AI' }, but('taken', 'off', 'out')],
      [{ message_handler: 'OPERATOR' }, ['taken', 'off', 'out']],
      [{ waiting: true }, ['freshWaits', 'waits']],
      [{ waiting: false }, but('freshWaits', 'waits')],
      [{ unread: true }, ['unread']],
      [{ unread: false }, but('unread')],
      [{ opted_out: true }, ['out']],
      [{ opted_out: false }, but('out')],
      [{ attention: true }, ['failed', 'asked']],
      [{ attention: false }, but('failed', 'asked')],
      [{ attention: 'model' }, ['failed']],
      [{ attention: 'scenario' }, ['asked']],
      [{ attention: 'limit' }, []],
      // The begin of a span is in it, and its end is not.
      [
        { created_after: '2020-11-20T14:00:00+05:00', created_before: '2020-11-20T10:00:00Z' },
        ['first', 'last'],
      ],
      [{ active_after: '2099-11-20T08:00:00Z' }, ['out', 'paid']],
      [{ status_id: fresh, waiting: true }, ['freshWaits']],
      [{ phones: [] }, []],
    ];
    const nameOf = (thread: string): string => but().find((name) => dialogs[name] === thread) ?? thread;
    const told = await Promise.all(cases.map(([filter]) => both.getThreads(filter)));
    expect(told.map((answer, n) => [cases[n]?.[0], idsOf(answer).map(nameOf).sort()])).toEqual(
      cases.map(([filter, names]) => [filter, names.toSorted()]),
    );
  });

  it('those of these user ids, and with phones those of either', async () => {
    const byColumn = await account.addThread();
    await setFacts(byColumn, `user_id = 'KZ.501'`);
    const byAddress = await account.addThread();
    await scene.database.pool.query(
      `INSERT INTO thread_addresses (account_id, address, bot_id, channel, thread_id)
       SELECT account_id, 'KZ.502', bot_id, channel, id FROM threads WHERE id = $1`,
      [byAddress.slice('thread_'.length)],
    );
    const byPhone = await account.addThread({ phone: '+77010000502' });
    const listed = async (filter: object): Promise<unknown> => {
      const { threads, not_found, not_found_user_ids } = (await api.getThreads(filter)).body.data;
      const ids = (threads as { thread_id: string }[]).map(({ thread_id: id }) => id).sort();
      return { ids, not_found, not_found_user_ids };
    };
    const userIds = ['KZ.501', 'KZ.502', 'KZ.503'];
    expect(await listed({ user_ids: userIds })).toEqual({
      ids: [byColumn, byAddress].sort(),
      ...{ not_found: [], not_found_user_ids: ['KZ.503'] },
    });
    expect(await listed({ user_ids: ['KZ.501'], phones: ['+77010000502', '+77010000599'] })).toEqual({
      ids: [byColumn, byPhone].sort(),
      ...{ not_found: ['+77010000599'], not_found_user_ids: [] },
    });
  });

  it('those of these ids, in either case, as far as other filters leave them in', async () => {
    const [one, another] = [await account.addThread(), await account.addThread({ phone: null })];
    await account.addThread();
    const foreign = await (await AccountFixture.create(scene.database.pool)).addThread();
    const asked = [one.replace(/[^_]+$/, (id) => id.toUpperCase()), another, another];
    expect(await listed({ thread_ids: asked })).toEqual(newestFirst(one, another));
    expect(await listed({ thread_ids: [one], sort: 'activity' })).toEqual([one]);
    expect(await listed({ thread_ids: [one], opted_out: true })).toEqual([]);
    expect(await listed({ thread_ids: [one], search: '?' })).toEqual([]);
    expect(await listed({ thread_ids: [] })).toEqual([]);
    const { status, body } = await api.getThreads({ thread_ids: [one, foreign, another, 'none'] });
    expect([status, body.error]).toMatchObject([
      404,
      { code: 'THREAD_NOT_FOUND', details: [{ path: 'thread_ids[1]' }, { path: 'thread_ids[3]' }] },
    ]);
  });

  it('nothing where it names what does not exist or is another’s: that is refused, also beside what is', async () => {
    const [good = ''] = account.stages;
    const foreign = await AccountFixture.create(scene.database.pool);
    const unseen = await account.addAssistant();
    await account.addThread({ statusId: good });
    await account.addThread();
    const refused: [string, object][] = [
      ...[randomUUIDv7(), foreign.assistantId, unseen, 'malformed'].map((assistant_id): [string, object] => [
        '404 ASSISTANT_NOT_FOUND',
        { assistant_id },
      ]),
      ['404 BOT_NOT_FOUND', { bot_id: randomUUIDv7() }],
      ['403 FORBIDDEN', { bot_id: await account.addBot() }],
      ['403 FORBIDDEN', { bot_id: foreign.botId }],
      ['404 STATUS_NOT_FOUND', { status_id: foreign.stages[0] }],
      ...[randomUUIDv7(), 'zzz'].flatMap((bad): [string, object][] => [
        ['404 STATUS_NOT_FOUND', { status_id: bad }],
        ['404 STATUS_NOT_FOUND', { status_ids: [bad] }],
        ['404 STATUS_NOT_FOUND', { status_ids: [good, bad] }],
        ['404 STATUS_NOT_FOUND', { status_ids: [bad, null] }],
        ['404 STATUS_NOT_FOUND', { search: '...', status_id: bad }],
        ['404 USER_NOT_FOUND', { search: '...', assignee_id: bad }],
        ['404 SCENARIO_NOT_FOUND', { search: '...', scenario_id: bad }],
        ['404 STATUS_NOT_FOUND', { search: '...', status_id: bad, counts: true }],
      ]),
    ];
    const told = await Promise.all(refused.map(([, filter]) => api.getThreads(filter)));
    expect(told.map(({ status, body }, n) => [`${status} ${body.error?.code}`, refused[n]?.[1]])).toEqual(
      refused,
    );
  });
});

describe('phones', () => {
  it('find their dialogs on whichever page they are, and those without one come back as they were asked for', async () => {
    const [a, b] = [
      await account.addThread({ phone: '+77010000001' }),
      await account.addThread({ phone: '+77010000002' }),
    ];
    await account.addThread({ phone: '+77010000003' });
    const missing = ['+77010000009', 'nobody'];
    const phones = [missing[0], '+77010000001', '+77010000002', missing[1], missing[0], '+77010000001'];
    const answer = await api.getThreads({ phones });
    expect(idsOf(answer)).toEqual(newestFirst(a, b));
    expect(answer.body.data.not_found).toEqual(missing);
    expect((await api.getThreads({ phones, limit: 1 })).body.data).toMatchObject({
      ...{ not_found: missing, has_more: true },
    });
  });

  it('are not found where another filter keeps their dialogs out', async () => {
    const phones = ['+77010000001'];
    const thread = await account.addThread({ phone: '+77010000001' });
    await setFacts(thread, `attention = 'limit'`);
    expect(await listed({ attention: 'limit', phones })).toEqual([thread]);
    for (const filter of [{ waiting: true }, { attention: 'model' }])
      expect((await api.getThreads({ phones, ...filter })).body.data).toMatchObject({
        ...{ threads: [], not_found: phones },
      });
  });

  it('are found as they are dialled or as WhatsApp names them', async () => {
    const thread = await account.addThread({ phone: '+551187654321' });
    const answer = await api.getThreads({ phones: ['+5511987654321'] });
    expect([idsOf(answer), answer.body.data.not_found]).toEqual([[thread], []]);
  });
});

describe('messages with each dialog', () => {
  it('are the newest of it, newest first', async () => {
    const [a, b] = [await account.addThread(), await account.addThread()];
    const ids: Record<string, string[]> = { [a]: [], [b]: [] };
    for (const thread of [a, b, a, b, a]) ids[thread]!.unshift(await account.addMessage(thread));
    await account.addMessage(a, { role: 'AI', status: 'dropped' });
    const { body } = await api.getThreads({ messages_limit: 2 });
    const shown = (body.data.threads as Listed[]).map(({ thread_id, messages }) => [
      thread_id,
      (messages as { id: string }[]).map(({ id }) => id),
    ]);
    expect(Object.fromEntries(shown)).toEqual({ [a]: ids[a]!.slice(0, 2), [b]: ids[b] });
  });

  it('end a page before they are too many, and the next one goes on', async () => {
    const threads: string[] = [];
    for (let n = 0; n < 12; n++) threads.push(await account.addThread());
    await scene.database.pool.query(
      `INSERT INTO messages (account_id, id, thread_id, bot_id, channel, role, inbound, status, text)
       SELECT account_id, gen_random_uuid(), id, bot_id, channel, 'USER', true, 'received', 'x'
         FROM threads, generate_series(1, 500) WHERE account_id = $1`,
      [account.id],
    );
    const pages = await readPages({ messages_limit: 500, limit: 200 });
    expect(pages.map((page) => page.length)).toEqual([10, 2]);
    expect(pages.flat()).toEqual(newestFirst(...threads));
  });
});

describe('pages', () => {
  it('miss no dialog and repeat none while leads move and dialogs are opened', async () => {
    const threads: string[] = [];
    for (let n = 0; n < 40; n++) threads.push(await account.addThread());
    const storm = startStorm([api], threads, [...account.stages, null], { workers: 4 });
    for (const limit of [7, 39, 41]) {
      const first = await api.getThreads({ limit });
      const opened = await account.addThread();
      let { has_more: more, next_cursor: cursor } = first.body.data;
      const seen = idsOf(first);
      while (more) {
        const next = await api.getThreads({ limit, cursor });
        seen.push(...idsOf(next));
        ({ has_more: more, next_cursor: cursor } = next.body.data);
      }
      // What was opened after the first page comes before it.
      expect(seen).toEqual(newestFirst(...threads));
      threads.push(opened);
    }
    await storm.stop();
    expect(storm.acknowledged).toBeGreaterThan(0);
  });

  it('are of all of a key’s agents together, in one order', async () => {
    const other = await account.addAssistant();
    const bot = await account.addBot(undefined, other);
    const threads: string[] = [];
    for (let n = 0; n < 9; n++) {
      threads.push(await (n % 3 ? account.addThread() : account.addThread({}, other, bot)));
    }
    api = scene.apiAt(0, await account.addKey({ assistantIds: [account.assistantId, other] }));
    for (const limit of [1, 2, 4, 9])
      expect((await readPages({ limit })).flat()).toEqual(newestFirst(...threads));
  });

  it('go on within a filter', async () => {
    const [fresh] = account.stages;
    const at: string[] = [];
    for (let n = 0; n < 12; n++) {
      const thread = await account.addThread({
        statusId: n % 2 ? fresh : null,
        phone: `+770100000${10 + n}`,
      });
      if (n % 2) at.push(thread);
    }
    expect((await readPages({ status_id: fresh, limit: 4 })).map((page) => page.length)).toEqual([4, 2]);
    const phones = Array.from({ length: 12 }, (_, n) => `+770100000${10 + n}`);
    expect((await readPages({ status_id: fresh, phones, limit: 4 })).flat()).toEqual(newestFirst(...at));
  });
});

// Each of its fields: apps/server/src/threads/thread.request.spec.ts.
it('get-threads refuses what is wrong, all of it at once, and a cursor that is none', async () => {
  const refused = async (filter: object): Promise<unknown[]> => {
    const { status, body } = await api.getThreads(filter);
    return [status, body.error.code, body.error.details?.map(({ path }) => path)];
  };
  expect(await refused({ channel: 'WABA', waiting: 'true', messages_limit: 501 })).toEqual([
    ...[422, 'VALIDATION_ERROR', expect.arrayContaining(['channel', 'waiting', 'messages_limit'])],
  ]);
  expect(await refused({ cursor: 'x' })).toEqual([422, 'VALIDATION_ERROR', ['cursor']]);
});

it('get-threads takes a key with either scope, on the general counter', async () => {
  for (const scope of ['messages', 'leads']) {
    const key = await account.addKey({ scopes: [scope], limitGeneral: 1 });
    const limited = scene.apiAt(0, key);
    expect((await limited.getThreads()).status).toBe(200);
    expect((await limited.getThreads()).status).toBe(429);
  }
});

it('get-threads takes times at the ends of what a body can say', async () => {
  for (const time of [
    '0000-01-01T00:00:00+14:00',
    '9999-12-31T23:59:59.999999999Z',
    '0001-01-01T00:00:00Z',
  ]) {
    expect((await api.getThreads({ created_after: time, created_before: time })).status).toBe(200);
  }
});

// No model is configured here. Each other reason: waiting-reasons.e2e.spec.ts.
it('get-threads says that a dialog waits for want of a model, unless something else has to be mended first', async () => {
  await account.connect();
  const given = [
    ['no_model', await account.addThread({ waitingMinutes: 1 })],
    ['takeover', await account.addThread({ waitingMinutes: 1, takeoverSeconds: 60 })],
    ['agent_off', await account.addThread({ waitingMinutes: 1, aiEnabled: false })],
    ['window_closed', await account.addThread({ waitingMinutes: 25 * 60 })],
  ];
  const threads = (await api.getThreads()).body.data.threads as Listed[];
  const shown = threads.map(({ waiting_reason, thread_id }) => [waiting_reason, thread_id]);
  expect(shown.toSorted()).toEqual(given.toSorted());
  // Here nobody answers what is due, either.
  const due = await account.addThread({ waitingMinutes: 1 });
  await scene.database.pool.query(
    `INSERT INTO replies (account_id, thread_id, message_id, epoch, due_at)
     SELECT account_id, id, waiting_message_id, ai_epoch, clock_timestamp() + interval '1 day' FROM threads WHERE id = $1`,
    [due.slice('thread_'.length)],
  );
  await account.addThread();
  const needing = (await api.getThreads({ needs_person: true })).body.data.threads as Listed[];
  expect(needing.map(({ thread_id }) => thread_id).toSorted()).toEqual(
    [due, ...given.map(([, thread]) => thread)].toSorted(),
  );
});
