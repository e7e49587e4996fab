import { eventually } from '../../support/eventually';
import { AdminScene } from '../../support/scenes/admin.scene';

interface Entry {
  account_id: string;
  actor_type: string;
  actor_id: string;
  action: string;
  subject_type: string;
  subject_id: string;
  subject_name: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  request_id: string;
}

let scene: AdminScene;

beforeAll(async () => {
  scene = await AdminScene.open({ LOG_LEVEL: 'info' });
});

afterAll(() => scene?.close());

const entriesOf = async (subjectId: string): Promise<Entry[]> => {
  const sql = 'SELECT * FROM audit_entries WHERE subject_id = $1 ORDER BY at, id';
  return (await scene.database.pool.query<Entry>(sql, [subjectId])).rows;
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

it('a key is made, changed, rotated and revoked once each, and no entry or log line has anything of its secret', async () => {
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
  const linesOfKey = (): string[] =>
    scene.server
      .output()
      .split('\n')
      .filter((line) => line.includes('"action":"key.') && line.includes(id));
  // Lines are written in the background.
  await eventually(async () => linesOfKey().length === 4, 5_000, 'not each change has its line');
  const lines = linesOfKey();
  for (const secret of [key, next]) {
    expect(`${JSON.stringify(entries)}${lines.join('')}`).not.toContain(secret.slice(0, 10));
  }
});

it('a change whose entry cannot be written does not happen', async () => {
  const account = (await call('POST', 'accounts', { name: 'Kept' })).id;
  const agent = (await call('POST', 'assistants', { account_id: account, name: 'Kept' })).id;
  const key = (await call('POST', 'api-keys', { ...KEY, account_id: account })).id;
  const { pool } = scene.database;
  const state = async () =>
    (
      await pool.query(
        `SELECT (SELECT jsonb_agg(to_jsonb(a) ORDER BY a.id) FROM accounts a) AS accounts,
                (SELECT jsonb_agg(to_jsonb(a) ORDER BY a.id) FROM assistants a) AS assistants,
                (SELECT jsonb_agg(to_jsonb(k) ORDER BY k.id) FROM api_keys k) AS keys`,
      )
    ).rows[0] as object;
  await pool.query(`
    CREATE FUNCTION refuse_entry() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no room'; END $$;
    CREATE TRIGGER no_room BEFORE INSERT ON audit_entries FOR EACH ROW EXECUTE FUNCTION refuse_entry()`);
  try {
    const before = await state();
    const calls: [string, string, object?][] = [
      ['POST', 'accounts', { name: 'New' }],
      ['PATCH', `accounts/${account}`, { name: 'Changed' }],
      ['POST', 'assistants', { account_id: account, name: 'New' }],
      ['PATCH', `assistants/${agent}`, { name: 'Changed' }],
      ['POST', 'api-keys', { ...KEY, account_id: account }],
      ['PATCH', `api-keys/${key}`, { name: 'Changed' }],
      ['POST', `api-keys/${key}/rotate`, {}],
      ['DELETE', `api-keys/${key}`],
    ];
    for (const [method, path, body] of calls) {
      expect([path, (await scene.admin.admin(method, path, body)).status]).toEqual([path, 500]);
    }
    expect(await state()).toEqual(before);
  } finally {
    await pool.query('DROP TRIGGER no_room ON audit_entries');
  }
});
