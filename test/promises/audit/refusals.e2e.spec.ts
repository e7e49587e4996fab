import { randomUUIDv7 } from 'node:crypto';
import { ApiClient } from '../../support/clients/api.client';
import { BoardClient } from '../../support/clients/board.client';
import { callAuth, PASSWORD } from '../../support/clients/session.client';
import { addAdminKey } from '../../support/database/fixture';
import { setScene } from '../../support/scenes/base.scene';

// That each has its line in the log is in who-may-what.e2e.spec.ts; how many are kept of strangers, in audit.service.spec.ts.
const scene = setScene();
const url = (): string => scene.server.url;

interface Refusal {
  account_id: string;
  actor_id: string | null;
  subject_name: string;
  after: { code: string };
  request_id: string | null;
  ip: string;
}

const refusals = async (where: string, ...values: unknown[]): Promise<Refusal[]> => {
  const sql = `SELECT * FROM audit_entries WHERE action = 'access.refused' AND ${where} ORDER BY at, id`;
  return (await scene.database.pool.query<Refusal>(sql, values)).rows;
};
const of = (actorId: string): Promise<Refusal[]> => refusals('actor_id = $1', actorId);

it('a call that a key may not make is kept before it is answered, with who asked for what, and from where', async () => {
  const key = await scene.account.addKey({ scopes: ['leads'] });
  const client = new ApiClient(url(), key);
  const { headers, status } = await client.call('messages/get-threads', {}, 'POST');
  expect(status).toBe(200);
  const refused = await client.call('admin/users', undefined, 'GET', { 'X-Forwarded-For': '203.0.113.9' });
  expect(refused.status).toBe(403);
  const [entry, ...more] = await refusals('request_id = $1', refused.headers.get('x-request-id'));
  expect(more).toEqual([]);
  expect(entry).toMatchObject({
    ...{ account_id: scene.account.id, actor_id: expect.any(String), subject_name: 'user.list' },
    ...{ after: { code: 'FORBIDDEN' }, ip: '203.0.113.9' },
  });
  expect(await refusals('request_id = $1', headers.get('x-request-id'))).toEqual([]);
});

it('a wrong password, given again, is kept as a refusal of the session', async () => {
  const admin = await scene.join({ role: 'admin' });
  await admin.call('auth/confirm', { password: 'wrong password' });
  await admin.call('auth/change-password', { current: 'wrong password', password: PASSWORD });
  await admin.call(`admin/accounts/${scene.account.id}`, { monthly_message_quota: 1 }, 'PATCH');
  const kept = await of(admin.userId);
  expect(kept.map(({ subject_name: name, after }) => [name, after.code])).toEqual([
    ['session.confirm', 'WRONG_PASSWORD'],
    ['user.change_password', 'WRONG_PASSWORD'],
    ['account.update', 'FORBIDDEN'],
  ]);
});

it('a page of another site that signs in is kept, of nobody, and so is a board that it opens', async () => {
  const { email } = await scene.join();
  const answer = await callAuth(
    url(),
    'sign-in',
    { email, password: PASSWORD },
    { Origin: 'https://evil.example', 'X-Forwarded-For': '203.0.113.44' },
  );
  expect(answer.body.error.code).toBe('CSRF');
  expect(await refusals('request_id = $1', answer.headers.get('x-request-id'))).toMatchObject([
    { actor_id: null, subject_name: 'POST /api/v1/auth/sign-in', ip: '203.0.113.44' },
  ]);
  const extraHeaders = { Origin: 'https://evil.example', 'X-Forwarded-For': '203.0.113.45' };
  await expect(BoardClient.connect(url(), { api_key: scene.account.key }, { extraHeaders })).rejects.toThrow(
    'FORBIDDEN',
  );
  expect(await refusals(`ip = '203.0.113.45'`)).toMatchObject([
    { actor_id: null, subject_name: 'board.open' },
  ]);
});

it('a board that a key may not open is kept, with the key and its address', async () => {
  const key = await scene.account.addKey({ scopes: ['messages'] });
  const extraHeaders = { 'X-Forwarded-For': '203.0.113.46' };
  await expect(BoardClient.connect(url(), { api_key: key }, { extraHeaders })).rejects.toThrow('FORBIDDEN');
  const kept = await refusals(`ip = '203.0.113.46'`);
  expect(kept).toMatchObject([
    { account_id: scene.account.id, actor_id: expect.any(String), subject_name: 'board.open' },
  ]);
});

it('every refusal of a key and of a person is kept, beyond the bound for strangers', async () => {
  const person = await scene.join();
  const keys = [await scene.account.addKey({ scopes: ['messages'] }), await addAdminKey(scene.database.pool)];
  const calls = keys.flatMap((key) =>
    Array.from({ length: 35 }, () => new ApiClient(url(), key).getLead(`thread_${randomUUIDv7()}`)),
  );
  const byPerson = Array.from({ length: 70 }, () => person.call('admin/audit'));
  const answers = await Promise.all([...calls, ...byPerson]);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([403]));
  const kept = await refusals(
    'request_id = ANY ($1)',
    answers.map(({ headers }) => headers.get('x-request-id')),
  );
  expect(kept).toHaveLength(answers.length);
  expect(await of(person.userId)).toHaveLength(70);
});

it('of strangers of a network a bound is kept in a minute, which keeps out nobody who is known', async () => {
  const foreign = (ip: string) => ({ Origin: 'https://evil.example', 'X-Forwarded-For': ip });
  const knock = (ip: string) => callAuth(url(), 'sign-in', {}, foreign(ip));
  // The minute may end in the midst of them, and another begin.
  const ofNetwork = Array.from({ length: 130 }, (_, n) => knock(`2001:db8:0:7::${(n + 1).toString(16)}`));
  expect(new Set((await Promise.all(ofNetwork)).map(({ status }) => status))).toEqual(new Set([403]));
  const kept = await refusals(`ip LIKE '2001:db8:0:7:%'`);
  expect(kept.length).toBeGreaterThanOrEqual(60);
  expect(kept.length).toBeLessThanOrEqual(120);
  const key = new ApiClient(url(), await scene.account.addKey({ scopes: ['leads'] }));
  const { headers } = await key.call('admin/users', undefined, 'GET');
  expect(await refusals('request_id = $1', headers.get('x-request-id'))).toHaveLength(1);
});

it('a refusal is answered also where its entry cannot be written', async () => {
  const { pool } = scene.database;
  await pool.query(`
    CREATE FUNCTION refuse_entry() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no room'; END $$;
    CREATE TRIGGER no_room BEFORE INSERT ON audit_entries FOR EACH ROW EXECUTE FUNCTION refuse_entry()`);
  try {
    const client = new ApiClient(url(), await scene.account.addKey({ scopes: ['leads'] }));
    const { status, body } = await client.call('admin/users', undefined, 'GET');
    expect([status, body.error.code]).toEqual([403, 'FORBIDDEN']);
  } finally {
    await pool.query('DROP TRIGGER no_room ON audit_entries');
  }
});
