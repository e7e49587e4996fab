import { randomUUIDv7 } from 'node:crypto';
import { ApiClient, request, type Answer } from '../../support/clients/api.client';
import { type SessionClient, invite, joinBy, PASSWORD } from '../../support/clients/session.client';
import { AccountFixture } from '../../support/database/fixture';
import { uuidOf } from '../../support/database/thread.uuid';
import { eventually } from '../../support/eventually';
import { holdingRows } from '../../support/faults/held.rows';
import { RowLock } from '../../support/faults/row.lock';
import { untilWaiting } from '../../support/faults/waiting.sessions';
import { limits } from '../../support/programs/test.limits';
import { newPhone, newPhones, setSendScene } from '../../support/scenes/send.scene';
import { accept } from '../../support/stand-ins/scripted.provider';

/** A statement gives up a lock after that. An answer before that has not waited for it. */
const LOCK_MS = 10_000;
const AT_ONCE_MS = LOCK_MS - 1_000;
/** After a lock was given up. */
const DEADLINE_MS = 2 * LOCK_MS;
/** Enough that some of the one account's share a statement with some of the other's. */
const MANY = 40;
const FEW = 5;

const scene = setSendScene({
  environment: {
    ...limits({
      'database.lockMs': LOCK_MS,
      'database.statementMs': LOCK_MS + 3_000,
      'database.answerMs': LOCK_MS + 6_000,
    }),
    PROVIDER_TIMEOUT_MS: '30000',
  },
});

/** Its threads are locked after those of the scene's account, because its id is greater. */
let other: AccountFixture;

beforeAll(async () => {
  other = await AccountFixture.create(scene.database.pool);
  await other.connect();
});

/** A list whose requests the provider answers when the gate opens. */
async function heldList(account: AccountFixture, count: number, gate: Promise<void>): Promise<void> {
  const phones = newPhones(count);
  let seen = 0;
  for (const phone of phones) {
    scene.provider.on(phone, async (...given) => {
      seen += 1;
      await gate;
      await accept(...given);
    });
  }
  void new ApiClient(scene.server.url, account.key)
    .sendTemplate({
      ...{ bot_id: account.botId, channel: 'waba_coexistence', template_id: 'order_ready' },
      to: phones.map((phone) => ({ phone })),
    })
    .catch(() => undefined);
  await eventually(async () => seen === count, 5_000, 'the provider did not see the whole list');
}

async function countOf(account: AccountFixture, status: string): Promise<number> {
  const { rows } = await scene.database.pool.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM messages WHERE account_id = $1 AND status = $2',
    [account.id, status],
  );
  return rows[0]?.n ?? 0;
}

async function threadsOf(account: AccountFixture): Promise<string[]> {
  const { rows } = await scene.database.pool.query<{ id: string }>(
    'SELECT id FROM threads WHERE account_id = $1',
    [account.id],
  );
  return rows.map(({ id }) => id);
}

/** Holds threads until the work is over. */
async function holding(threads: readonly string[], work: () => Promise<void>): Promise<void> {
  const holder = await scene.database.pool.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM threads WHERE id = ANY ($1::uuid[]) FOR NO KEY UPDATE', [threads]);
    await work();
  } finally {
    await holder.query('ROLLBACK');
    holder.release();
  }
}

/** Switches agents of the scene's account off, each at once. */
async function switchOff(threads: readonly string[]): Promise<void> {
  const begun = performance.now();
  const answers = await Promise.all(threads.map((id) => scene.api.setAi(`thread_${id}`, false)));
  expect(answers.map(({ status }) => status)).toEqual(threads.map(() => 200));
  expect(performance.now() - begun).toBeLessThan(AT_ONCE_MS);
}

it('outcomes that wait for their locked threads delay no other account, and hold no thread of it', async () => {
  const gate = Promise.withResolvers<void>();
  await Promise.all([heldList(scene.account, MANY, gate.promise), heldList(other, FEW, gate.promise)]);
  const threads = await threadsOf(scene.account);
  await holding(await threadsOf(other), async () => {
    gate.resolve();
    await untilWaiting(scene.database.pool, 1);
    await switchOff(threads);
    const stored = async (): Promise<boolean> => (await countOf(scene.account, 'sent')) === MANY;
    await eventually(stored, AT_ONCE_MS, 'the outcomes of the other account are not stored');
    expect(await countOf(other, 'sending')).toBe(FEW);
  });
  await eventually(async () => (await countOf(other, 'sent')) === FEW, 10_000, 'outcomes were lost');
});

it('claims past their deadlines become unknown though a thread of another account is locked', async () => {
  const theirs = await AccountFixture.create(scene.database.pool);
  const locked = await theirs.addThread();
  await holding([locked.replace('thread_', '')], async () => {
    await theirs.addMessage(locked, { role: 'SYSTEM', status: 'sending' });
    await scene.account.addMessage(await scene.account.addThread(), { role: 'SYSTEM', status: 'sending' });
    const expired = async (): Promise<boolean> => (await countOf(scene.account, 'unknown')) === 1;
    await eventually(expired, DEADLINE_MS, 'the claim of the other account is not settled');
    expect(await countOf(theirs, 'sending')).toBe(1);
  });
  const rest = async (): Promise<boolean> => (await countOf(theirs, 'unknown')) === 1;
  await eventually(rest, DEADLINE_MS, 'the claim is not settled after the lock');
});

/** A report that is older than a quarter of an hour: it is checked once more, and then never again. */
async function parkReport(account: AccountFixture, thread: string): Promise<string> {
  const providerId = `wamid.${thread}`;
  const id = await account.addMessage(thread, { role: 'SYSTEM', messageId: providerId });
  const report = {
    ...{
      state: 'read',
      reference: null,
      providerId,
      whatsappId: null,
      at: null,
      error: null,
      optedOut: false,
    },
    arrival: { receivedAt: new Date().toISOString(), position: 0 },
  };
  await scene.database.pool.query(
    `INSERT INTO parked_states (account_id, bot_id, channel, provider_id, state, body, created_at, next_check_at)
     VALUES ($1, $2, 'waba_coexistence', $3, 'read', $4, clock_timestamp() - interval '20 minutes', 'infinity')`,
    [account.id, account.botId, providerId, report],
  );
  return id;
}

it('reports at their last check are applied though one waits for its locked thread, and that one too', async () => {
  const locked = await other.addThread();
  const waiting = await parkReport(other, locked);
  const id = await parkReport(scene.account, await scene.account.addThread());
  await holding([locked.replace('thread_', '')], async () => {
    // One sweep takes both, that of the locked thread first.
    await scene.database.pool.query(
      `UPDATE parked_states SET next_check_at = clock_timestamp() - CASE account_id WHEN $1 THEN interval '2 s' ELSE interval '1 s' END`,
      [other.id],
    );
    await scene.untilStatus(id, 'read', DEADLINE_MS);
    expect(await scene.statusOf(waiting)).toBe('sent');
  });
  await scene.untilStatus(waiting, 'read', DEADLINE_MS);
});

it('get-lead and readiness find a connection while all slots of accounts wait for locked threads', async () => {
  // More accounts than slots: together they take all of them.
  const busy = await Promise.all(
    Array.from({ length: 20 }, () => AccountFixture.create(scene.database.pool)),
  );
  const locked = await Promise.all(busy.map((account) => account.addThread()));
  const thread = await scene.account.addThread();
  let calls: Promise<unknown>[] = [];
  await holding(locked.map(uuidOf), async () => {
    calls = locked.flatMap((each, index) => {
      const api = new ApiClient(scene.server.url, busy[index]!.key);
      // Three accounts take the three slots for switching off.
      const wanted = index < 3 ? [true, false] : [true];
      return wanted.map((isOn) => api.setAi(each, isOn));
    });
    await untilWaiting(scene.database.pool, 19, { words: 'FROM threads' });
    const begun = performance.now();
    const served = await Promise.all([
      scene.api.getLead(thread),
      request(`${scene.server.url}/health/ready`),
    ]);
    expect(performance.now() - begun).toBeLessThan(AT_ONCE_MS / 2);
    expect(served.map(({ status }) => status)).toEqual([200, 200]);
  });
  await Promise.all(calls);
});

describe('an account that floods a process', () => {
  /** Far more than a process has connections. */
  const CALLS = 40;
  /** Half of the sixteen slots that a process has for accounts' statements. */
  const SLOTS_OF_ONE_ACCOUNT = 8;

  let busy: AccountFixture;
  let busyAdmin: SessionClient;
  let admin: SessionClient;

  beforeAll(async () => {
    busy = await AccountFixture.create(scene.database.pool);
    busyAdmin = await joinBy(scene.server.url, await invite(scene.admin, busy.id, { role: 'admin' }));
    await busyAdmin.call('auth/confirm', { password: PASSWORD });
    admin = await scene.join({ role: 'admin' });
  });

  /** Calls of the busy account's admin, each of which waits for the same row. */
  const floods: [string, 'accounts' | 'api_keys', () => Promise<(n: number) => Promise<Answer>>][] = [
    [
      'its account',
      'accounts',
      async () => (n) => busyAdmin.call(`admin/accounts/${busy.id}`, { name: `Shop ${n}` }, 'PATCH'),
    ],
    [
      'a person',
      'accounts',
      async () => {
        const id = await busy.addUser();
        return (n) => busyAdmin.call(`admin/users/${id}`, { name: `Aigerim ${n}` }, 'PATCH');
      },
    ],
    [
      'a key',
      'api_keys',
      async () => {
        const given = { name: 'Shop', scopes: ['leads'], assistant_ids: [busy.assistantId] };
        const { body } = await busyAdmin.call('admin/api-keys', given);
        const { id } = body.data as { id: string };
        return () => busyAdmin.call(`admin/api-keys/${id}/rotate`, {});
      },
    ],
  ];

  it.each(floods)(
    'by its admin, who changes %s very often at once, delays no other',
    async (_, table, on) => {
      const call = await on();
      const thread_id = await scene.account.addThread();
      let calls: Promise<Answer>[] = [];
      const waiting = holdingRows(scene.database.pool, table, busy.id, async () => {
        const begun = performance.now();
        calls = Array.from({ length: CALLS }, (_, n) => call(n));
        await untilWaiting(scene.database.pool, SLOTS_OF_ONE_ACCOUNT);
        const served = await Promise.all([
          scene.api.setStatus({ thread_id, status_id: scene.stage(0) }),
          admin.call('admin/users'),
          admin.call(`admin/accounts/${scene.account.id}`, { name: 'Quiet' }, 'PATCH'),
        ]);
        expect(served.map(({ status }) => status)).toEqual([200, 200, 200]);
        expect(performance.now() - begun).toBeLessThan(AT_ONCE_MS);
      });
      try {
        await waiting;
      } finally {
        await Promise.all(calls);
      }
    },
  );

  it('by calls that all wait for its locked dialogs switches its agent off at once in another one', async () => {
    const threads = await Promise.all(Array.from({ length: CALLS }, () => busy.addThread()));
    const free = await busy.addThread();
    const api = new ApiClient(scene.server.url, busy.key);
    const lock = await RowLock.take(scene.database, ...threads);
    const begun = performance.now();
    const calls = threads.map((thread_id) => api.setStatus({ thread_id, status_id: busy.stages[0] }));
    try {
      await lock.waiters(SLOTS_OF_ONE_ACCOUNT);
      expect((await api.setAi(free, false)).status).toBe(200);
      expect(performance.now() - begun).toBeLessThan(AT_ONCE_MS);
    } finally {
      await lock.release();
      await Promise.all(calls);
    }
  });

  /** More than one process sends by at a time for one account. */
  const NUMBERS = 210;

  /** With numbers at each of which one message waits, for a phone whose provider never answers. */
  async function hang(): Promise<void> {
    const account = await AccountFixture.create(scene.database.pool);
    await account.connect();
    const order = { bot_id: account.botId, channel: 'waba_coexistence', template_id: 'order_ready' };
    const sent = await scene.apiAt(0, account.key).sendTemplate({ ...order, to: { phone: newPhone() } });
    expect(sent.status).toBe(200);
    const hanging = newPhone();
    scene.provider.on(hanging, () => undefined);
    const bots = Array.from({ length: NUMBERS }, () => randomUUIDv7());
    for (const botId of bots) {
      await account.addBot(botId);
      await account.connect('waba_coexistence', { botId });
    }
    await scene.database.pool.query(
      `INSERT INTO messages SELECT (jsonb_populate_record(m, jsonb_build_object('id', gen_random_uuid(), 'bot_id', b,
                'recipient', $3::text, 'status', 'queued', 'due_at', clock_timestamp(), 'attempts', 0, 'provider_id', NULL,
                'whatsapp_id', NULL, 'accepted_at', NULL))).*
         FROM messages m, unnest($2::uuid[]) b WHERE m.account_id = $1`,
      [account.id, bots, hanging],
    );
  }

  // The last: its requests hang for half a minute.
  it('by providers that hang at 210 numbers keeps no other waiting', async () => {
    await hang();
    await eventually(async () => scene.provider.inFlightMax >= 190, 20_000, 'the numbers do not hang');
    const phones = newPhones(2);
    const sending = scene.send(phones.map((phone) => ({ phone })));
    const areSent = async (): Promise<boolean> =>
      phones.every((phone) => scene.provider.sendsTo(phone).length === 1);
    await eventually(areSent, 5_000, 'the other account was kept waiting');
    expect((await sending).body.data).toMatchObject({ sent: 2 });
  });
});
