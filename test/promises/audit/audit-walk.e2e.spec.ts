import { ApiClient, request, type Answer } from '../../support/clients/api.client';
import { operationsOf } from '../../support/clients/openapi.operations';
import { fieldNamesOf } from '../../support/clients/openapi.fields';
import { callAuth, type SessionClient } from '../../support/clients/session.client';
import { auditedChanges, type Change } from '../../support/scenes/audited.changes';
import { PASSWORD, PeopleScene } from '../../support/scenes/people.scene';
import { StandInProvider } from '../../support/stand-ins/provider.stand-in';

interface Entry {
  account_id: string;
  actor_type: string | null;
  actor_id: string | null;
  actor_name: string | null;
  action: string;
  subject_type: string;
  subject_id: string | null;
  subject_name: string | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  ip: string | null;
}

let provider: StandInProvider;
let admin: SessionClient;
const scene = new PeopleScene({ environment: { LOG_LEVEL: 'info' } });
const { changes: CHANGES, secrets: SECRETS, ...making } = auditedChanges(scene, () => provider);
const { secret, invite, withSecondFactor } = making;
let document: Record<string, any>;
let operations: string[];
/** What the walk below has seen of each operation. */
const SEEN = new Map<string, Entry[]>();

beforeAll(async () => {
  provider = await StandInProvider.open();
  await scene.start();
  await scene.addServer({
    CLOUD_API_URL: provider.url,
    GUPSHUP_API_URL: provider.url,
    LOG_LEVEL: 'info',
  });
  await scene.servers[0]?.kill('SIGKILL');
  scene.servers.splice(0, 1);
  admin = await scene.join({ role: 'admin' });
  await admin.call('auth/confirm', { password: PASSWORD });
  document = (await request(`${scene.server.url}/openapi.json`)).body;
  operations = operationsOf(document)
    .map(({ method, path }) => `${method} ${path.replace('/api/v1/', '')}`)
    .filter((name) => !name.startsWith('GET ') && /^\w+ (admin|auth)\//.test(name));
});

afterAll(async () => {
  await scene.close();
  await provider?.close();
});

const account = (): string => scene.account.id;

/** Operations whose entries the tests below look at, and those that change nothing that is audited, with the reason. */
const OTHERS: Record<string, string> = {
  'POST auth/sign-in': 'below',
  'POST auth/accept-invitation': 'below',
  'POST auth/second-factor/enable': 'below',
  'POST auth/confirm':
    'changes nothing but for how long the session counts as confirmed; a refused one is kept as a 403',
  'POST admin/scenarios/{id}/try': 'writes nothing',
  'POST admin/assistants/{id}/try': 'writes nothing',
};

const entriesOf = async ({ headers }: Answer): Promise<Entry[]> => {
  const sql = 'SELECT * FROM audit_entries WHERE request_id = $1 ORDER BY at, id';
  return (await scene.database.pool.query<Entry>(sql, [headers.get('x-request-id')])).rows;
};

const actionsOf = (entries: Entry[]): string[] => entries.map(({ action }) => action);

it('knows every operation that changes something of admins or of sign-in', () => {
  expect(operations.length).toBeGreaterThan(40);
  expect([...Object.keys(CHANGES), ...Object.keys(OTHERS)].sort()).toEqual([...operations].sort());
});

describe.each(['a key', 'a session'])('by %s', (kind) => {
  const mayCall = ({ keyOnly }: Change): boolean => kind === 'a key' || !keyOnly;
  const cases = Object.entries(CHANGES).filter(
    ([name, each]) => mayCall(each) && (kind === 'a session' || name.includes(' admin/')),
  );

  it.each(cases)(
    '%s leaves exactly one entry: who did what, what it was and became, by which call',
    async (name, { arrange, actions }) => {
      const [method = ''] = name.split(' ');
      const { path, body, as } = await arrange();
      const byKey = kind === 'a key';
      const caller: Pick<SessionClient, 'call'> | ApiClient = byKey ? scene.admin : (as ?? admin);
      const answer = await caller.call(path, body, method);
      expect([answer.text, answer.status < 300]).toEqual([answer.text, true]);
      provider.reset();
      // An export answers with lines.
      const {
        key,
        signing_secret: signingSecret,
        secret: ofEndpoint,
      } = (answer.body.data ?? {}) as Record<string, unknown>;
      for (const given of [key, signingSecret, ofEndpoint])
        if (typeof given === 'string') SECRETS.push(given);
      const entries = await entriesOf(answer);
      expect(actionsOf(entries)).toEqual(actions);
      SEEN.set(name, [...(SEEN.get(name) ?? []), ...entries]);
      for (const entry of entries) {
        expect(entry).toMatchObject({
          ...{
            actor_type: byKey ? 'key' : 'user',
            actor_id: expect.any(String),
            actor_name: expect.any(String),
          },
          ...{
            subject_type: expect.any(String),
            subject_id: expect.any(String),
            ip: expect.stringContaining('127.0.0.1'),
          },
        });
        if (!byKey) expect(entry.actor_id).toBe((as ?? admin).userId);
        if (name !== 'POST admin/accounts') expect(entry.account_id).toBe(account());
        expect([entry.before, entry.after]).not.toEqual([null, null]);
        expect(JSON.stringify([entry.before, entry.after])).not.toBe('[{},{}]');
      }
    },
  );
});

/** What an entry tells that no body and no answer of the operation has: what came of it. */
const FURTHER: Record<string, string[]> = {
  'user.invite': ['sessions_ended'],
  'user.end_sessions': ['sessions_ended'],
  'user.change_password': ['sessions_ended'],
  'status.archive': ['archived', 'moved_to', 'scenarios', 'leads'],
  'channel.connect': ['credential'],
  'channel.disconnect': ['credential'],
  'thread.export': ['format'],
  'thread.erase': ['messages', 'files'],
  'run.resolve': ['step'],
};

/** By the plural in the path: operations of one thing share its words. */
const thingOf = (path: string): string | undefined => /(admin\/[\w-]+|auth)\b/.exec(path)?.[0];

it('what an entry tells of a thing has the words of the API', () => {
  expect([...SEEN.keys()].sort()).toEqual(Object.keys(CHANGES).sort());
  const foreign = [...SEEN].flatMap(([name, entries]) => {
    const known = fieldNamesOf(document, (path) => thingOf(path) === thingOf(name));
    return entries.flatMap(({ action, before, after }) =>
      Object.keys({ ...before, ...after })
        .filter((field) => !known.has(field) && !FURTHER[action]?.includes(field))
        .map((field) => `${action}: ${field}`),
    );
  });
  expect([...new Set(foreign)]).toEqual([]);
});

it('a person who is disabled, loses the second factor or gets it shows so as people do', async () => {
  const { person } = await withSecondFactor();
  await scene.admin.call(`admin/users/${person.userId}`, { disabled: true, second_factor: false }, 'PATCH');
  const { rows } = await scene.database.pool.query<Entry>(
    `SELECT * FROM audit_entries WHERE subject_id = $1 AND action IN ('user.update', 'second_factor.enable') ORDER BY at`,
    [person.userId],
  );
  expect(rows.map(({ before, after }) => [before, after])).toEqual([
    [{ second_factor: false }, { second_factor: true, recovery_codes: 'changed' }],
    [
      { disabled: false, second_factor: true },
      { disabled: true, second_factor: false },
    ],
  ]);
});

it('the end of a session names the person, as its beginning does', () => {
  for (const name of ['POST auth/sign-out', 'DELETE auth/sessions/{id}'])
    expect(SEEN.get(name)).toMatchObject([{ subject_type: 'session', subject_name: 'Aigerim' }]);
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
  const call = await CHANGES['POST admin/scenarios/{id}/start']!.arrange();
  const [entry] = await entriesOf(await scene.admin.call(call.path, call.body));
  expect(entry?.after).toMatchObject({ started: 2 });
});

it('whoever accepts an invitation leaves the password and the session, signing in the session', async () => {
  const { email, token, id } = await invite();
  const password = secret();
  const accepted = await callAuth(scene.server.url, 'accept-invitation', { token, password });
  const entries = await entriesOf(accepted);
  expect(actionsOf(entries)).toEqual(['user.accept_invitation', 'session.create']);
  expect(entries.map((entry) => [entry.account_id, entry.actor_type, entry.actor_id])).toEqual([
    [account(), 'user', id],
    [account(), 'user', id],
  ]);
  const signedIn = await callAuth(scene.server.url, 'sign-in', { email, password });
  expect(await entriesOf(signedIn)).toMatchObject([
    { action: 'session.create', actor_id: id, subject_type: 'session', account_id: account() },
  ]);
});

it('a second factor is begun and enabled with an entry each', async () => {
  const { person } = await withSecondFactor();
  const { rows } = await scene.database.pool.query<Entry>(
    `SELECT * FROM audit_entries WHERE actor_id = $1 AND subject_type = 'user' AND action LIKE 'second%' ORDER BY at`,
    [person.userId],
  );
  expect(rows.map(({ action, before, after }) => [action, before, after])).toEqual([
    ['second_factor.begin', null, { secret: 'changed' }],
    ['second_factor.enable', { second_factor: false }, { second_factor: true, recovery_codes: 'changed' }],
  ]);
});

it('a failed sign-in is kept of whom it meant, never with what was typed as an address', async () => {
  const { email, userId } = await scene.join();
  const typed = secret();
  const fails = async (body: object): Promise<Entry[]> =>
    entriesOf(await callAuth(scene.server.url, 'sign-in', body));
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
  expect(await entriesOf(link)).toMatchObject([
    { action: 'session.refused', after: { reason: 'unknown_link' } },
  ]);
});

it('no entry and no line of the log has anything of a secret', async () => {
  const { rows } = await scene.database.pool.query<{ all: string }>(
    "SELECT string_agg(e::text, E'\\n') AS all FROM audit_entries e",
  );
  const [entries, lines] = [rows[0]?.all ?? '', scene.server.output()];
  expect(SECRETS.length).toBeGreaterThan(40);
  expect(SECRETS.filter((each) => entries.includes(each) || lines.includes(each))).toEqual([]);
  expect(entries).not.toContain(PASSWORD);
  expect(entries).toContain('changed');
});
