import { randomInt, randomUUIDv7 } from 'node:crypto';
import { ApiClient, request, type Answer } from '../../support/clients/api.client';
import { Authenticator } from '../../support/clients/authenticator';
import { operationsOf } from '../../support/clients/openapi.operations';
import { callAuth, signIn, type SessionClient } from '../../support/clients/session.client';
import { eventually } from '../../support/eventually';
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
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  ip: string | null;
}

/** What is called, once what it changes is there. */
interface Call {
  path: string;
  body?: object;
  /** Who calls; absent: an admin. */
  as?: SessionClient;
}

interface Change {
  arrange: () => Promise<Call>;
  /** What its entries say was done. */
  actions: string[];
  /** Whether only a key of the installation may. */
  keyOnly?: true;
}

const CHANNEL = 'waba_coexistence';
const SECRETS: string[] = [];
const secret = (): string => {
  const made = `planted-${randomInt(1e14).toString(36)}-secret`;
  SECRETS.push(made);
  return made;
};

let provider: StandInProvider;
let admin: SessionClient;
const scene = new PeopleScene({ environment: { LOG_LEVEL: 'info' } });
let operations: string[];

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
  const { body } = await request(`${scene.server.url}/openapi.json`);
  operations = operationsOf(body)
    .map(({ method, path }) => `${method} ${path.replace('/api/v1/', '')}`)
    .filter((name) => !name.startsWith('GET ') && /^\w+ (admin|auth)\//.test(name));
});

afterAll(async () => {
  await scene.close();
  await provider?.close();
});

const done = async (
  method: string,
  path: string,
  body?: object,
): Promise<{ id: string } & Record<string, any>> => {
  const answer = await scene.admin.admin(method, path, body);
  expect([answer.text, answer.status < 300]).toEqual([answer.text, true]);
  return answer.body.data as { id: string };
};

let made = 0;
const named = (what: string): string => `${what} ${(made += 1)}`;
const account = (): string => scene.account.id;

const makeKey = async () => {
  const key = await done('POST', 'api-keys', {
    account_id: account(),
    name: named('key'),
    scopes: ['leads'],
  });
  SECRETS.push(key.key as string);
  return key;
};
const makeAssistant = () => done('POST', 'assistants', { account_id: account(), name: named('agent') });
const makeTool = async () => {
  const { id } = await makeAssistant();
  const headers = { 'X-Token': secret() };
  const tool = {
    name: 'look_up',
    description: 'Looks up',
    method: 'GET',
    url: 'https://example.com/',
    headers,
  };
  return { assistant: id, tool: await done('POST', `assistants/${id}/tools`, tool) };
};
const makeStage = async () => {
  const { id } = await makeAssistant();
  return done('POST', 'statuses', { assistant_id: id, name: named('stage'), kind: 'active' });
};
const makeBot = async () =>
  done('POST', 'bots', {
    account_id: account(),
    assistant_id: scene.account.assistantId,
    name: named('bot'),
  });
const number = () => {
  return {
    sender: String(randomInt(1e13, 9e13)),
    credential: secret(),
    settings: { waba_id: String(randomInt(1e13, 9e13)) },
  };
};
const makeNumber = async () => {
  const bot = await makeBot();
  await done('PUT', `bots/${bot.id}/channels/${CHANNEL}`, number());
  return bot;
};
const template = (bot: string) => ({
  ...{
    bot_id: bot,
    channel: CHANNEL,
    name: named('greeting').replace(' ', '_'),
    language: 'ru',
    category: 'utility',
  },
  body: 'Здравствуйте!',
});
const makeTemplate = async () => done('POST', 'templates', template((await makeNumber()).id));
const scenarioOf = (statusId: string) => ({
  ...{ status_id: statusId, name: named('scenario'), on_leave: 'continue' },
  steps: [
    { kind: 'wait', seconds: 3_600 },
    { kind: 'http', method: 'POST', url: 'https://example.com/', headers: { Authorization: secret() } },
  ],
});
const makeScenario = async () => {
  const scenario = await done('POST', 'scenarios', scenarioOf(scene.stage(1)));
  SECRETS.push(scenario.signing_secret as string);
  return scenario;
};
const makeRun = async () => {
  const { id } = await makeScenario();
  const thread = await scene.account.addThread({ statusId: scene.stage(1) });
  await done('POST', `scenarios/${id}/start`, { thread_ids: [thread] });
  return eventually(
    async () => {
      const { runs } = await done('GET', `scenario-runs?scenario_id=${id}`);
      return (runs as { id: string }[])[0];
    },
    10_000,
    'no run began',
  );
};
const makeReject = async () => {
  const id = randomUUIDv7();
  await scene.database.pool.query(
    `INSERT INTO webhook_rejects (id, account_id, bot_id, provider, delivery_id, path, reason, item, received_at)
     VALUES ($1, $2, $3, 'cloud', -1, '', 'r', convert_to($4, 'UTF8'), now())`,
    [id, account(), scene.account.botId, id],
  );
  return { id };
};
const invite = async () => {
  const invited = await scene.invite();
  SECRETS.push(invited.token);
  return invited;
};
const withSecondFactor = async () => {
  const person = await scene.join();
  const app = await Authenticator.enable(person);
  SECRETS.push(app.secret, ...app.recoveryCodes);
  return { person, app };
};

const at = (path: string, body?: object, as?: SessionClient): Call => ({ path, body, as });
const change = (actions: string | string[], arrange: Change['arrange'], keyOnly?: true): Change => ({
  ...{ actions: [actions].flat(), arrange, keyOnly },
});

/** Each operation that changes something of admins or of sign-in. */
const CHANGES: Record<string, Change> = {
  'POST admin/accounts': change(
    'account.create',
    async () => at('admin/accounts', { name: named('account') }),
    true,
  ),
  'PATCH admin/accounts/{id}': change('account.update', async () =>
    at(`admin/accounts/${account()}`, { name: named('account') }),
  ),
  'POST admin/api-keys': change('key.create', async () =>
    at('admin/api-keys', { account_id: account(), name: named('key'), scopes: ['leads'] }),
  ),
  'PATCH admin/api-keys/{id}': change('key.update', async () =>
    at(`admin/api-keys/${(await makeKey()).id}`, { limit_leads: 7 }),
  ),
  'POST admin/api-keys/{id}/rotate': change('key.rotate', async () =>
    at(`admin/api-keys/${(await makeKey()).id}/rotate`, {}),
  ),
  'DELETE admin/api-keys/{id}': change('key.revoke', async () =>
    at(`admin/api-keys/${(await makeKey()).id}`),
  ),
  'POST admin/users': change('user.create', async () =>
    at('admin/users', {
      account_id: account(),
      email: `walked-${++made}@example.com`,
      name: 'W',
      role: 'operator',
    }),
  ),
  'PATCH admin/users/{id}': change('user.update', async () =>
    at(`admin/users/${(await scene.join()).userId}`, { disabled: true }),
  ),
  'POST admin/users/{id}/invitation': change('user.invite', async () =>
    at(`admin/users/${(await invite()).id}/invitation`, {}),
  ),
  'DELETE admin/users/{id}/sessions': change('user.end_sessions', async () =>
    at(`admin/users/${(await scene.join()).userId}/sessions`),
  ),
  'POST admin/assistants': change('assistant.create', async () =>
    at('admin/assistants', { account_id: account(), name: named('agent') }),
  ),
  'PATCH admin/assistants/{id}': change('assistant.update', async () =>
    at(`admin/assistants/${(await makeAssistant()).id}`, { name: named('agent') }),
  ),
  'POST admin/assistants/{id}/tools': change('tool.create', async () =>
    at(`admin/assistants/${(await makeAssistant()).id}/tools`, {
      ...{ name: 'look_up', description: 'Looks up', method: 'GET', url: 'https://example.com/' },
      headers: { 'X-Token': secret() },
    }),
  ),
  'PATCH admin/assistants/{id}/tools/{tool_id}': change('tool.update', async () => {
    const { assistant, tool } = await makeTool();
    return at(`admin/assistants/${assistant}/tools/${tool.id}`, { headers: { 'X-Token': secret() } });
  }),
  'DELETE admin/assistants/{id}/tools/{tool_id}': change('tool.delete', async () => {
    const { assistant, tool } = await makeTool();
    return at(`admin/assistants/${assistant}/tools/${tool.id}`);
  }),
  'POST admin/statuses': change('status.create', async () =>
    at('admin/statuses', { assistant_id: (await makeAssistant()).id, name: named('stage'), kind: 'active' }),
  ),
  'PATCH admin/statuses/{id}': change('status.update', async () =>
    at(`admin/statuses/${(await makeStage()).id}`, { name: named('stage') }),
  ),
  'DELETE admin/statuses/{id}': change('status.archive', async () =>
    at(`admin/statuses/${(await makeStage()).id}?move_to=none`),
  ),
  'POST admin/bots': change('bot.create', async () =>
    at('admin/bots', { account_id: account(), assistant_id: scene.account.assistantId, name: named('bot') }),
  ),
  'PATCH admin/bots/{id}': change('bot.update', async () =>
    at(`admin/bots/${(await makeBot()).id}`, { name: named('bot') }),
  ),
  'PUT admin/bots/{id}/channels/{channel}': change('channel.connect', async () =>
    at(`admin/bots/${(await makeNumber()).id}/channels/${CHANNEL}`, number()),
  ),
  'DELETE admin/bots/{id}/channels/{channel}': change('channel.disconnect', async () =>
    at(`admin/bots/${(await makeNumber()).id}/channels/${CHANNEL}`),
  ),
  'POST admin/bots/{id}/channels/{channel}/test': change('channel.test', async () =>
    at(`admin/bots/${(await makeNumber()).id}/channels/${CHANNEL}/test`, {}),
  ),
  'POST admin/templates': change('template.create', async () =>
    at('admin/templates', template((await makeNumber()).id)),
  ),
  'PATCH admin/templates/{id}': change('template.update', async () =>
    at(`admin/templates/${(await makeTemplate()).id}`, { body: 'Добрый день!' }),
  ),
  'DELETE admin/templates/{id}': change('template.delete', async () =>
    at(`admin/templates/${(await makeTemplate()).id}`),
  ),
  'POST admin/templates/{id}/submit': change('template.submit', async () => {
    const { id } = await makeTemplate();
    provider.answer(200, { id: String(randomInt(1e9)), status: 'PENDING', category: 'UTILITY' });
    return at(`admin/templates/${id}/submit`, {});
  }),
  'POST admin/templates/synchronize': change('template.synchronize', async () => {
    const bot = await makeNumber();
    const listed = {
      id: String(randomInt(1e9)),
      name: 'theirs',
      language: 'ru',
      status: 'APPROVED',
      category: 'UTILITY',
    };
    provider.answer(200, { data: [{ ...listed, components: [{ type: 'BODY', text: 'Здравствуйте!' }] }] });
    return at('admin/templates/synchronize', { bot_id: bot.id, channel: CHANNEL });
  }),
  'POST admin/scenarios': change('scenario.create', async () =>
    at('admin/scenarios', scenarioOf((await makeStage()).id)),
  ),
  'PATCH admin/scenarios/{id}': change('scenario.update', async () =>
    at(`admin/scenarios/${(await makeScenario()).id}`, { steps: [{ kind: 'wait', seconds: 5 }] }),
  ),
  'DELETE admin/scenarios/{id}': change('scenario.archive', async () =>
    at(`admin/scenarios/${(await makeScenario()).id}`),
  ),
  'POST admin/scenarios/{id}/cancel-runs': change('scenario.cancel_runs', async () =>
    at(`admin/scenarios/${(await makeScenario()).id}/cancel-runs`, {}),
  ),
  'POST admin/scenarios/{id}/rotate-secret': change('scenario.rotate_secret', async () =>
    at(`admin/scenarios/${(await makeScenario()).id}/rotate-secret`, {}),
  ),
  'POST admin/scenarios/{id}/start': change('scenario.start', async () => {
    const { id } = await makeScenario();
    const threads = [await scene.account.addThread({ statusId: scene.stage(1) })];
    threads.push(await scene.account.addThread({ statusId: scene.stage(1) }));
    return at(`admin/scenarios/${id}/start`, { thread_ids: threads });
  }),
  'POST admin/scenario-runs/{id}/cancel': change('run.cancel', async () =>
    at(`admin/scenario-runs/${(await makeRun()).id}/cancel`, {}),
  ),
  'POST admin/scenario-runs/{id}/retry': change('run.retry', async () => {
    const { id } = await makeRun();
    await done('POST', `scenario-runs/${id}/cancel`, {});
    return at(`admin/scenario-runs/${id}/retry`, {});
  }),
  'POST admin/scenario-runs/{id}/steps/{index}/resolve': change('run.resolve', async () => {
    const { id } = await makeRun();
    const step = {
      index: 0,
      state: 'unknown',
      started_at: new Date().toISOString(),
      finished_at: null,
      attempts: 1,
    };
    await scene.database.pool.query('UPDATE scenario_runs SET progress = $2 WHERE id = $1', [
      id,
      JSON.stringify([step]),
    ]);
    return at(`admin/scenario-runs/${id}/steps/0/resolve`, { sent: true });
  }),
  'POST admin/webhook-rejects/{id}/retry': change('webhook_reject.retry', async () =>
    at(`admin/webhook-rejects/${(await makeReject()).id}/retry`, {}),
  ),
  'DELETE admin/webhook-rejects/{id}': change('webhook_reject.delete', async () =>
    at(`admin/webhook-rejects/${(await makeReject()).id}`),
  ),
  'POST admin/threads/{id}/export': change('thread.export', async () =>
    at(`admin/threads/${await scene.account.addThread()}/export`, {}),
  ),
  'POST admin/threads/{id}/erase': change('thread.erase', async () =>
    at(`admin/threads/${await scene.account.addThread()}/erase`, {}),
  ),
  'POST auth/sign-out': change('session.end', async () => at('auth/sign-out', {}, await scene.join())),
  'DELETE auth/sessions/{id}': change('session.end', async () => {
    const person = await scene.join();
    await signIn(person.url, person.email, PASSWORD);
    const { body } = await person.call('auth/sessions');
    const other = (body.data as { id: string; current: boolean }[]).find(({ current }) => !current);
    return at(`auth/sessions/${other?.id}`, undefined, person);
  }),
  'POST auth/change-password': change('user.change_password', async () => {
    const password = secret();
    return at('auth/change-password', { current: PASSWORD, password }, await scene.join());
  }),
  'POST auth/second-factor/begin': change('second_factor.begin', async () =>
    at('auth/second-factor/begin', {}, await scene.join()),
  ),
  'POST auth/second-factor/disable': change('second_factor.disable', async () => {
    const { person, app } = await withSecondFactor();
    return at('auth/second-factor/disable', { password: PASSWORD, code: app.code() }, person);
  }),
};

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
      const { key, signing_secret: signingSecret } = (answer.body.data ?? {}) as Record<string, unknown>;
      for (const given of [key, signingSecret]) if (typeof given === 'string') SECRETS.push(given);
      const entries = await entriesOf(answer);
      expect(actionsOf(entries)).toEqual(actions);
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

it('a start for several leads is one entry with their count', async () => {
  const call = await CHANGES['POST admin/scenarios/{id}/start']!.arrange();
  const [entry] = await entriesOf(await scene.admin.call(call.path, call.body));
  expect(entry?.after).toMatchObject({ runs_started: 2 });
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
    ['second_factor.enable', { enabled: false }, { enabled: true, recovery_codes: 'changed' }],
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
