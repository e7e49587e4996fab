import { ApiClient, type Answer } from '../../support/clients/api.client';
import { type SessionClient, invite, joinBy, PASSWORD } from '../../support/clients/session.client';
import { AccountFixture } from '../../support/database/fixture';
import { holdingRows } from '../../support/faults/held.rows';
import { untilWaiting } from '../../support/faults/waiting.sessions';
import { RowLock } from '../../support/faults/row.lock';
import { LONG_WAITS } from '../../support/programs/test.limits';
import { setScene } from '../../support/scenes/base.scene';

/** Far more than a process has connections. */
const CALLS = 60;
/** Half of the sixteen slots that a process has for accounts' statements. */
const SLOTS_OF_ONE_ACCOUNT = 8;
const scene = setScene({ environment: LONG_WAITS });

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
  'an admin who changes %s very often at once delays no other account',
  async (_, table, on) => {
    const call = await on();
    const thread_id = await scene.account.addThread();
    let calls: Promise<Answer>[] = [];
    const waiting = holdingRows(scene.database.pool, table, busy.id, async () => {
      calls = Array.from({ length: CALLS }, (_, n) => call(n));
      await untilWaiting(scene.database.pool, SLOTS_OF_ONE_ACCOUNT);
      const served = await Promise.all([
        scene.api.setStatus({ thread_id, status_id: scene.stage(0) }),
        admin.call('admin/users'),
        admin.call(`admin/accounts/${scene.account.id}`, { name: 'Quiet' }, 'PATCH'),
      ]);
      expect(served.map(({ status }) => status)).toEqual([200, 200, 200]);
    });
    try {
      await waiting;
    } finally {
      await Promise.all(calls);
    }
  },
);

it('an account whose calls all wait for locked dialogs switches the agent of another one off at once', async () => {
  const threads = await Promise.all(Array.from({ length: CALLS }, () => busy.addThread()));
  const other = await busy.addThread();
  const api = new ApiClient(scene.server.url, busy.key);
  const lock = await RowLock.take(scene.database, ...threads);
  const calls = threads.map((thread_id) => api.setStatus({ thread_id, status_id: busy.stages[0] }));
  try {
    await lock.waiters(SLOTS_OF_ONE_ACCOUNT);
    expect((await api.setAi(other, false)).status).toBe(200);
  } finally {
    await lock.release();
    await Promise.all(calls);
  }
});
