import type { Answer } from '../../support/clients/api.client';
import { Authenticator } from '../../support/clients/authenticator';
import { callAuth, PASSWORD } from '../../support/clients/session.client';
import { setScene } from '../../support/scenes/base.scene';

interface Entry {
  account_id: string;
  actor_type: string | null;
  actor_id: string | null;
  action: string;
  subject_type: string;
  subject_id: string;
  subject_name: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  request_id: string;
}

// That each entry has its line in the log, and no line anything of a secret, is in whose-thing.e2e.spec.ts.
const scene = setScene();
const account = (): string => scene.account.id;

/** What was given or shown as a secret, and may stand in no entry. */
const secrets: string[] = [];
const secret = (): string => {
  secrets.push(`typed-${secrets.length}-as-a-secret`);
  return secrets.at(-1) ?? '';
};

const entriesOf = async (subjectId: string): Promise<Entry[]> => {
  const sql = 'SELECT * FROM audit_entries WHERE subject_id = $1 ORDER BY at, id';
  return (await scene.database.pool.query<Entry>(sql, [subjectId])).rows;
};

const ofCall = async ({ headers }: Answer): Promise<Entry[]> => {
  const sql = 'SELECT * FROM audit_entries WHERE request_id = $1 ORDER BY at, id';
  return (await scene.database.pool.query<Entry>(sql, [headers.get('x-request-id')])).rows;
};

const call = async (method: string, path: string, body?: object) => {
  const answer = await scene.admin.admin(method, path, body);
  expect([answer.text, answer.status < 300]).toEqual([answer.text, true]);
  return answer.body.data as { id: string; key: string };
};

const KEY = { name: 'Shop', scopes: ['leads'] };

it('a change has one entry, with who made it, by which call, and what differs', async () => {
  const { id } = await call('POST', 'accounts', { name: 'Before', monthly_message_quota: 5 });
  await call('PATCH', `accounts/${id}`, { name: 'After', monthly_message_quota: 5 });
  const [made, changed, ...more] = await entriesOf(id);
  expect(more).toEqual([]);
  expect(made).toMatchObject({
    ...{ account_id: id, actor_type: 'key', action: 'account.create', subject_type: 'account', before: null },
    after: { name: 'Before', monthly_message_quota: 5, automation_paused: false },
  });
  expect(changed).toMatchObject({
    ...{
      action: 'account.update',
      subject_name: 'After',
      before: { name: 'Before' },
      after: { name: 'After' },
    },
    ...{ actor_id: made?.actor_id, request_id: expect.any(String) },
  });
  expect(changed?.request_id).not.toBe(made?.request_id);
});

it('a call that changes nothing has none', async () => {
  const { id } = await call('POST', 'assistants', { account_id: scene.account.id, name: 'Agent' });
  await call('PATCH', `assistants/${id}`, { name: 'Agent', barred_kinds: ['success'] });
  await call('PATCH', `assistants/${id}`, { name: 'Agent' });
  await call('PATCH', `assistants/${id}`, {});
  expect((await entriesOf(id)).map(({ action, after }) => [action, after?.barred_kinds])).toEqual([
    ['assistant.create', expect.anything()],
    ['assistant.update', ['success']],
  ]);
});

it('a key is made, changed, rotated and revoked once each, and no entry has anything of its secret', async () => {
  const { id, key } = await call('POST', 'api-keys', { ...KEY, account_id: scene.account.id });
  await call('PATCH', `api-keys/${id}`, { limit_leads: 7 });
  const { key: next } = await call('POST', `api-keys/${id}/rotate`, {});
  await call('DELETE', `api-keys/${id}`);
  await call('DELETE', `api-keys/${id}`);
  const entries = await entriesOf(id);
  expect(entries.map(({ action, before, after }) => [action, before, after])).toEqual([
    ['key.create', null, expect.objectContaining({ name: 'Shop', scopes: ['leads'] })],
    ['key.update', { limit_leads: null }, { limit_leads: 7 }],
    ['key.rotate', null, { key: 'changed', old_key_expires_at: expect.any(String) }],
    ['key.revoke', { revoked_at: null }, { revoked_at: expect.any(String) }],
  ]);
  for (const secret of [key, next]) expect(JSON.stringify(entries)).not.toContain(secret.slice(0, 10));
});

it('a person who gets the second factor, loses it or is disabled shows so as people do', async () => {
  const person = await scene.join();
  const app = await Authenticator.enable(person);
  secrets.push(app.secret, ...app.recoveryCodes);
  await scene.admin.call(`admin/users/${person.userId}`, { disabled: true, second_factor: false }, 'PATCH');
  const entries = (await entriesOf(person.userId)).filter(({ action }) => /user.update|second/.test(action));
  expect(entries.map(({ action, before, after }) => [action, before, after])).toEqual([
    ['second_factor.begin', null, { secret: 'changed' }],
    ['second_factor.enable', { second_factor: false }, { second_factor: true, recovery_codes: 'changed' }],
    ['user.update', { disabled: false, second_factor: true }, { disabled: true, second_factor: false }],
  ]);
});

it('taking their own second factor away has an entry', async () => {
  const person = await scene.join();
  const app = await Authenticator.enable(person);
  const answer = await person.call('auth/second-factor/disable', { password: PASSWORD, code: app.code() });
  expect(await ofCall(answer)).toMatchObject([
    { action: 'second_factor.disable', actor_id: person.userId, subject_id: person.userId },
  ]);
});

it('a dialog is named as the API names it, and found by that or by the bare id', async () => {
  const thread = await scene.account.addThread();
  await scene.admin.call(`admin/threads/${thread}/export`, {});
  for (const id of [
    thread,
    thread.replace('thread_', ''),
    thread.toUpperCase().replace('THREAD_', 'thread_'),
  ]) {
    const { body } = await scene.admin.call(`admin/audit?subject_id=${id}`, undefined, 'GET');
    expect(body.data.entries).toMatchObject([
      { action: 'thread.export', subject: { type: 'thread', id: thread } },
    ]);
  }
});

it('a start for several leads is one entry with their count', async () => {
  const scenario = await scene.account.addScenario(scene.stage(1));
  const thread_ids = [
    await scene.account.addThread({ statusId: scene.stage(1) }),
    await scene.account.addThread({ statusId: scene.stage(1) }),
  ];
  const entries = await ofCall(await scene.admin.call(`admin/scenarios/${scenario}/start`, { thread_ids }));
  expect(entries).toMatchObject([{ action: 'scenario.start', after: { started: 2 } }]);
});

it('whoever accepts an invitation leaves the password and the session, signing in the session', async () => {
  const { email, token, id } = await scene.invite();
  secrets.push(token);
  const password = secret();
  const accepted = await callAuth(scene.server.url, 'accept-invitation', { token, password });
  const entries = await ofCall(accepted);
  expect(entries.map(({ action }) => action)).toEqual(['user.accept_invitation', 'session.create']);
  expect(entries.map((entry) => [entry.account_id, entry.actor_type, entry.actor_id])).toEqual([
    [account(), 'user', id],
    [account(), 'user', id],
  ]);
  const signedIn = await callAuth(scene.server.url, 'sign-in', { email, password });
  expect(await ofCall(signedIn)).toMatchObject([
    { action: 'session.create', actor_id: id, subject_type: 'session', account_id: account() },
  ]);
});

it('a failed sign-in is kept of whom it meant, never with what was typed as an address', async () => {
  const { email, userId } = await scene.join();
  const typed = secret();
  const fails = async (body: object): Promise<Entry[]> =>
    ofCall(await callAuth(scene.server.url, 'sign-in', body));
  const wrong = await fails({ email, password: typed });
  expect(wrong).toMatchObject([
    {
      action: 'session.refused',
      actor_id: null,
      account_id: account(),
      subject_id: userId,
      after: { reason: 'wrong_password' },
    },
  ]);
  const unknown = await fails({ email: typed, password: PASSWORD });
  expect(unknown).toMatchObject([
    { action: 'session.refused', actor_id: null, subject_id: null, after: { reason: 'unknown_address' } },
  ]);
  const link = await callAuth(scene.server.url, 'accept-invitation', { token: typed, password: PASSWORD });
  expect(await ofCall(link)).toMatchObject([
    { action: 'session.refused', after: { reason: 'unknown_link' } },
  ]);
});

it('no entry has anything of what was secret in these calls', async () => {
  const { rows } = await scene.database.pool.query<{ all: string }>(
    "SELECT string_agg(e::text, E'\\n') AS all FROM audit_entries e",
  );
  const entries = rows[0]?.all ?? '';
  expect(secrets.length).toBeGreaterThan(10);
  expect(secrets.filter((each) => entries.includes(each))).toEqual([]);
  expect(entries).not.toContain(PASSWORD);
});
