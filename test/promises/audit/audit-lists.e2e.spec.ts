import { readPages } from '../../support/clients/page.reader';
import { AccountFixture } from '../../support/database/fixture';
import { setScene } from '../../support/scenes/base.scene';

const scene = setScene();

interface Entry {
  id: string;
  at: string;
  account_id: string | null;
  actor: { type: string; id: string; name: string } | null;
  action: string;
  subject: { type: string; id: string; name: string };
  before: object | null;
  after: object | null;
  request_id: string | null;
  ip: string | null;
}

const list = async (query: string): Promise<Entry[]> => {
  const { body, text, status } = await scene.admin.admin('GET', `audit?${query}`);
  expect([status, text]).toEqual([200, text]);
  return body.data.entries as Entry[];
};

const rename = (id: string, name: string) => scene.admin.admin('PATCH', `accounts/${id}`, { name });

it('an entry tells who did what to which thing, what it was and became, by which call and from where', async () => {
  await rename(scene.account.id, 'Before');
  const { headers } = await rename(scene.account.id, 'After');
  const [newest, older] = await list(`subject_id=${scene.account.id}`);
  expect(newest).toEqual({
    id: expect.any(String),
    at: expect.stringMatching(/^\d{4}-.*Z$/),
    account_id: scene.account.id,
    actor: { type: 'key', id: expect.any(String), name: expect.any(String) },
    action: 'account.update',
    subject: { type: 'account', id: scene.account.id, name: 'After' },
    before: { name: 'Before' },
    after: { name: 'After' },
    request_id: headers.get('x-request-id'),
    ip: expect.stringContaining('127.0.0.1'),
  });
  expect(older?.after).toEqual({ name: 'Before' });
});

it('entries come newest first, each once, in pages of any size, also those of one instant', async () => {
  const { pool } = scene.database;
  const account = await AccountFixture.create(pool);
  await pool.query(
    `INSERT INTO audit_entries (account_id, id, action, subject_type, at)
     SELECT $1, gen_random_uuid(), 'key.update', 'key', now() + (n / 4) * interval '1 microsecond' FROM generate_series(1, 23) n`,
    [account.id],
  );
  const { rows } = await pool.query<{ id: string }>(
    'SELECT id FROM audit_entries WHERE account_id = $1 ORDER BY at DESC, id DESC',
    [account.id],
  );
  for (const limit of [1, 4, 23, 50]) {
    const read = await readPages(scene.admin, `audit?account_id=${account.id}&limit=${limit}`, 'entries');
    expect(read.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
  }
});

it('filters narrow the list: account, actor, action, subject and time', async () => {
  const account = await AccountFixture.create(scene.database.pool);
  await rename(account.id, 'First');
  await rename(account.id, 'Second');
  const issued = await scene.admin.admin('POST', 'api-keys', {
    ...{ account_id: account.id, name: 'Shop', scopes: ['leads'] },
  });
  const own = `account_id=${account.id}`;
  const [key, second, first] = await list(own);
  const actionsOf = (entries: Entry[]) => entries.map(({ action, after }) => [action, after]);
  expect(await list(`${own}&action=key.create`)).toEqual([key]);
  expect(await list(`${own}&subject_id=${issued.body.data.id}`)).toEqual([key]);
  expect(await list(`${own}&actor_id=${first?.actor?.id}`)).toEqual([key, second, first]);
  expect(await list(`${own}&actor_id=nobody`)).toEqual([]);
  const { rows } = await scene.database.pool.query<{ at: string }>(
    `SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at FROM audit_entries WHERE id = $1`,
    [second?.id],
  );
  const moment = new Date(Date.parse(rows[0]?.at ?? '')).toISOString();
  expect(actionsOf(await list(`${own}&after=${moment}`))).toEqual(actionsOf([key!, second!]));
  expect(actionsOf(await list(`${own}&before=${moment}`))).toEqual(actionsOf([first!]));
});

it('an admin of an account reads its entries and no others; an operator none', async () => {
  const other = await AccountFixture.create(scene.database.pool);
  await rename(other.id, 'Theirs');
  await rename(scene.account.id, 'Ours');
  const admin = await scene.join({ role: 'admin' });
  const read = async (query: string): Promise<Entry[]> =>
    (await admin.call(`admin/audit?${query}`)).body.data.entries as Entry[];
  const own = await read('limit=200');
  expect(own.length).toBeGreaterThan(0);
  expect([...new Set(own.map(({ account_id: id }) => id))]).toEqual([scene.account.id]);
  expect(await read(`account_id=${scene.account.id}&limit=200`)).toEqual(own);
  for (const query of [`account_id=${other.id}`, `subject_id=${other.id}`, 'account_id=nothing']) {
    expect([query, await read(query)]).toEqual([query, []]);
  }
  const operator = await scene.join();
  expect((await operator.call('admin/audit')).body.error.code).toBe('FORBIDDEN');
  const key = await scene.account.addKey({ scopes: ['messages', 'leads'] });
  const { status } = await scene.admin.call('admin/audit', undefined, 'GET', { 'X-API-Key': key });
  expect(status).toBe(403);
});

it('a filter that cannot be read is refused by its name', async () => {
  for (const [query, path] of [
    ['limit=0', 'limit'],
    ['cursor=x', 'cursor'],
    ['after=yesterday', 'after'],
    ['before=2026-02-30T00:00:00Z', 'before'],
    ['action=', 'action'],
    ['actor_id=a&actor_id=b', 'actor_id'],
    ['subject_id=%00', 'subject_id'],
  ]) {
    const { status, body } = await scene.admin.admin('GET', `audit?${query}`);
    expect([query, status, body.error.details?.[0]?.path]).toEqual([query, 422, path]);
  }
});

it('an action that no entry has is refused with those that there are', async () => {
  for (const action of ['key', 'KEY.CREATE']) {
    const { status, body } = await scene.admin.admin('GET', `audit?action=${action}`);
    const message = expect.stringMatching(/^must be one of .*\bkey\.create, .*\bsession\.refused\b/);
    expect([action, status, body.error.details]).toEqual([action, 422, [{ path: 'action', message }]]);
  }
});
