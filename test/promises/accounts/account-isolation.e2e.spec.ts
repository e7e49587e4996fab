import { randomUUIDv7 } from 'node:crypto';
import { ApiClient, request, type Answer } from '../../support/clients/api.client';
import { dumpOf } from '../../support/database/database.dump';
import { bytesOfAnswer } from '../../support/clients/answer.bytes';
import { AccountFixture, addAdminKey } from '../../support/database/fixture';
import { setLeadScene } from '../../support/scenes/lead.scene';
import { idFieldsOf, operationsOf, type Operation } from '../../support/clients/openapi.operations';
import { uuidOf } from '../../support/database/thread.uuid';

/** What an identifier names, and so what replaces it when it must name nothing that the caller may see. */
type Named = 'thread' | 'status' | 'assistant' | 'bot' | 'message' | 'batch' | 'import' | 'scenario' | 'user';

interface KeyedOperation {
  /** A body that the owner's key succeeds with. */
  body: (own: Own) => object;
  /** Each identifier in the body, as the OpenAPI document names it, with what it names. */
  ids: Record<string, Named>;
}

interface Own {
  thread: string;
  status: string;
  assistant: string;
  bot: string;
  message: string;
  batch: string;
  import: string;
  scenario: string;
  user: string;
}

const MOVE: KeyedOperation['body'] = ({ thread, status }) => ({
  thread_id: thread,
  status_id: status,
  expected_status_id: status,
});
const MOVE_IDS: KeyedOperation['ids'] = {
  thread_id: 'thread',
  status_id: 'status',
  expected_status_id: 'status',
};

const YEAR = { from: '2026-01-01T00:00:00Z', to: '2027-01-01T00:00:00Z' };

/** Every operation of the application; one that is not listed here fails the test. */
const KEYED: Record<string, KeyedOperation> = {
  'POST /api/v1/leads/get-statuses': {
    body: ({ assistant }) => ({ assistant_id: assistant }),
    ids: { assistant_id: 'assistant' },
  },
  'POST /api/v1/leads/get-lead': {
    body: ({ thread }) => ({ thread_id: thread }),
    ids: { thread_id: 'thread' },
  },
  'POST /api/v1/leads/get-history': {
    body: ({ thread }) => ({ thread_id: thread }),
    ids: { thread_id: 'thread' },
  },
  'POST /api/v1/leads/get-funnel-figures': {
    body: ({ assistant }) => ({ ...YEAR, assistant_id: assistant, timezone: 'Asia/Almaty' }),
    ids: { assistant_id: 'assistant' },
  },
  'POST /api/v1/messages/get-messages': {
    body: ({ thread, message }) => ({ thread_id: thread, around: message }),
    ids: { thread_id: 'thread', around: 'message' },
  },
  'POST /api/v1/messages/settle-message': {
    body: ({ message }) => ({ id: message, outcome: 'sent' }),
    ids: { id: 'message' },
  },
  'POST /api/v1/messages/mark-read': {
    body: ({ thread, message }) => ({ thread_id: thread, up_to: message }),
    ids: { thread_id: 'thread', up_to: 'message' },
  },
  'POST /api/v1/messages/add-note': {
    body: ({ thread }) => ({ thread_id: thread, text: 'Call back' }),
    ids: { thread_id: 'thread' },
  },
  'POST /api/v1/messages/get-message': { body: ({ message }) => ({ id: message }), ids: { id: 'message' } },
  'POST /api/v1/messages/get-batch': {
    body: ({ batch }) => ({ batch_id: batch }),
    ids: { batch_id: 'batch' },
  },
  'POST /api/v1/messages/get-threads': {
    body: ({ assistant, bot, status, scenario, user }) => ({
      ...{ assistant_id: assistant, bot_id: bot, status_id: status, scenario_id: scenario },
      status_ids: [status],
      assignee_id: user,
    }),
    ids: {
      // The first one is looked for first.
      ...{ assistant_id: 'assistant', bot_id: 'bot', status_id: 'status', status_ids: 'status' },
      assignee_id: 'user',
      scenario_id: 'scenario',
    },
  },
  'POST /api/v1/leads/export': {
    body: ({ assistant, bot, status, scenario, user }) => ({
      ...{ assistant_id: assistant, format: 'csv', bot_id: bot, status_id: status, scenario_id: scenario },
      ...{ status_ids: [status], assignee_id: user },
    }),
    ids: {
      ...{ assistant_id: 'assistant', bot_id: 'bot', status_id: 'status', status_ids: 'status' },
      ...{ assignee_id: 'user', scenario_id: 'scenario' },
    },
  },
  'POST /api/v1/leads/get-import': {
    body: ({ import: imported }) => ({ import_id: imported }),
    ids: { import_id: 'import' },
  },
  'POST /api/v1/leads/cancel-import': {
    body: ({ import: imported }) => ({ import_id: imported }),
    ids: { import_id: 'import' },
  },
  'POST /api/v1/leads/set-ai': {
    body: ({ thread }) => ({ thread_id: thread, ai_enabled: true }),
    ids: { thread_id: 'thread' },
  },
  'POST /api/v1/leads/set-name': {
    body: ({ thread }) => ({ thread_id: thread, name: 'Aida' }),
    ids: { thread_id: 'thread' },
  },
  'POST /api/v1/leads/assign': {
    body: ({ thread, user }) => ({ thread_id: thread, user_id: user }),
    ids: { thread_id: 'thread', user_id: 'user' },
  },
  'POST /api/v1/leads/clear-attention': {
    body: ({ thread }) => ({ thread_id: thread }),
    ids: { thread_id: 'thread' },
  },
  'POST /api/v1/leads/set-status': { body: MOVE, ids: MOVE_IDS },
  'POST /api/v1/leads/set-status-bulk': {
    body: (own) => ({ items: [MOVE(own)] }),
    ids: Object.fromEntries(Object.entries(MOVE_IDS).map(([field, named]) => [`items.${field}`, named])),
  },
};

/** Operations of the installation's admin, each with a body that an admin key may send. */
const ADMIN: Record<string, object | undefined> = {
  'GET /api/v1/admin/accounts': undefined,
  'POST /api/v1/admin/accounts': { name: 'Mine now' },
  'GET /api/v1/admin/accounts/{id}': undefined,
  'PATCH /api/v1/admin/accounts/{id}': { monthly_message_quota: null },
  'GET /api/v1/admin/api-keys': undefined,
  'POST /api/v1/admin/api-keys': { name: 'Mine', scopes: ['admin'] },
  'PATCH /api/v1/admin/api-keys/{id}': { limit_leads: 1_000 },
  'DELETE /api/v1/admin/api-keys/{id}': undefined,
  'POST /api/v1/admin/api-keys/{id}/rotate': { overlap_hours: 0 },
  'GET /api/v1/admin/assistants': undefined,
  'POST /api/v1/admin/assistants': { account_id: randomUUIDv7(), name: 'Mine' },
  'GET /api/v1/admin/assistants/{id}': undefined,
  'PATCH /api/v1/admin/assistants/{id}': { instructions: 'Mine' },
  'POST /api/v1/admin/assistants/{id}/try': { messages: [{ role: 'USER', text: 'Mine' }] },
  'GET /api/v1/admin/assistants/{id}/tools': undefined,
  'POST /api/v1/admin/assistants/{id}/tools': {
    name: 'mine',
    description: 'Mine',
    method: 'GET',
    url: 'https://example.com/',
  },
  'PATCH /api/v1/admin/assistants/{id}/tools/{tool_id}': { enabled: false },
  'DELETE /api/v1/admin/assistants/{id}/tools/{tool_id}': undefined,
  'GET /api/v1/admin/bots': undefined,
  'POST /api/v1/admin/bots': { account_id: randomUUIDv7(), assistant_id: randomUUIDv7(), name: 'Mine' },
  'GET /api/v1/admin/bots/{id}': undefined,
  'PATCH /api/v1/admin/bots/{id}': { name: 'Mine' },
  'PUT /api/v1/admin/bots/{id}/channels/{channel}': { sender: '123456', settings: { waba_id: '123456' } },
  'DELETE /api/v1/admin/bots/{id}/channels/{channel}': undefined,
  'POST /api/v1/admin/bots/{id}/channels/{channel}/test': {},
  'GET /api/v1/admin/scenario-runs': undefined,
  'GET /api/v1/admin/scenario-runs/{id}': undefined,
  'POST /api/v1/admin/scenario-runs/{id}/cancel': {},
  'POST /api/v1/admin/scenario-runs/{id}/retry': {},
  'POST /api/v1/admin/scenario-runs/{id}/steps/{index}/resolve': { sent: true },
  'GET /api/v1/admin/scenarios': undefined,
  'POST /api/v1/admin/scenarios': {
    status_id: randomUUIDv7(),
    name: 'Mine',
    steps: [{ kind: 'wait', seconds: 1 }],
  },
  'GET /api/v1/admin/scenarios/{id}': undefined,
  'PATCH /api/v1/admin/scenarios/{id}': { state: 'off' },
  'DELETE /api/v1/admin/scenarios/{id}': undefined,
  'POST /api/v1/admin/scenarios/{id}/cancel-runs': {},
  'POST /api/v1/admin/scenarios/{id}/rotate-secret': {},
  'POST /api/v1/admin/scenarios/{id}/start': { whole_stage: true },
  'POST /api/v1/admin/scenarios/{id}/try': {},
  'GET /api/v1/admin/statuses': undefined,
  'POST /api/v1/admin/statuses': { assistant_id: randomUUIDv7(), name: 'Mine', kind: 'active' },
  'GET /api/v1/admin/statuses/{id}': undefined,
  'PATCH /api/v1/admin/statuses/{id}': { ai_enabled: true },
  'DELETE /api/v1/admin/statuses/{id}': undefined,
  'GET /api/v1/admin/templates': undefined,
  'POST /api/v1/admin/templates': {
    bot_id: randomUUIDv7(),
    channel: 'waba',
    name: 'mine',
    category: 'utility',
    body: 'Hi',
  },
  'GET /api/v1/admin/templates/{id}': undefined,
  'PATCH /api/v1/admin/templates/{id}': { body: 'Hi' },
  'DELETE /api/v1/admin/templates/{id}': undefined,
  'POST /api/v1/admin/templates/{id}/submit': {},
  'GET /api/v1/admin/users': undefined,
  'POST /api/v1/admin/users': { email: 'mine@example.com', name: 'Mine', role: 'operator' },
  'GET /api/v1/admin/users/{id}': undefined,
  'PATCH /api/v1/admin/users/{id}': { disabled: true },
  'POST /api/v1/admin/users/{id}/invitation': {},
  'DELETE /api/v1/admin/users/{id}/sessions': undefined,
  'GET /api/v1/admin/webhook-rejects': undefined,
  'POST /api/v1/admin/webhook-rejects/{id}/retry': {},
  'DELETE /api/v1/admin/webhook-rejects/{id}': undefined,
  'GET /api/v1/admin/webhook-endpoints': undefined,
  'POST /api/v1/admin/webhook-endpoints': {},
  'GET /api/v1/admin/webhook-endpoints/{id}': undefined,
  'PATCH /api/v1/admin/webhook-endpoints/{id}': {},
  'DELETE /api/v1/admin/webhook-endpoints/{id}': undefined,
  'POST /api/v1/admin/webhook-endpoints/{id}/rotate-secret': {},
  'POST /api/v1/admin/webhook-endpoints/{id}/test': {},
  'POST /api/v1/admin/webhook-endpoints/{id}/replay': {},
  'GET /api/v1/admin/webhook-endpoints/{id}/deliveries': undefined,
  'GET /api/v1/admin/webhook-deliveries/{id}': undefined,
  'POST /api/v1/admin/webhook-deliveries/{id}/retry': {},
  'POST /api/v1/admin/threads/{id}/erase': {},
  'POST /api/v1/admin/threads/{id}/export': {},
  'GET /api/v1/admin/audit': undefined,
  'GET /api/v1/admin/work': undefined,
  'POST /api/v1/admin/templates/synchronize': { bot_id: randomUUIDv7(), channel: 'waba' },
};

/**
 * Operations of a bot, of which a stranger learns that it exists, and one that needs a number at a provider: their own
 * specs say what they answer to whom.
 */
const OF_BOTS = [
  'POST /api/v1/messages/get-template-figures',
  'POST /api/v1/messages/get-templates',
  'POST /api/v1/messages/send-template',
  'POST /api/v1/messages/send-text',
];

/** Files, which are bytes rather than envelopes: a spec about them says who gets them. */
const OF_FILES = [
  'GET /api/v1/messages/media/{id}',
  'GET /files/{token}',
  'POST /api/v1/messages/upload-media',
  'POST /api/v1/leads/import',
];

/** What people do with their own sign-in, which no key does: a spec about them says so. */
const OF_PEOPLE = [
  'POST /api/v1/auth/sign-in',
  'POST /api/v1/auth/accept-invitation',
  'POST /api/v1/auth/sign-out',
  'GET /api/v1/auth/me',
  'POST /api/v1/auth/change-password',
  'POST /api/v1/auth/confirm',
  'GET /api/v1/auth/sessions',
  'DELETE /api/v1/auth/sessions/{id}',
  'POST /api/v1/auth/second-factor/begin',
  'POST /api/v1/auth/second-factor/enable',
  'POST /api/v1/auth/second-factor/disable',
];

/** Operations that need no key and tell nothing of any account. */
const PUBLIC = ['GET /health/live', 'GET /health/ready'];

const WITHOUT: Record<Exclude<Named, 'bot'>, string> = {
  thread: 'THREAD_NOT_FOUND',
  status: 'STATUS_NOT_FOUND',
  assistant: 'ASSISTANT_NOT_FOUND',
  message: 'MESSAGE_NOT_FOUND',
  batch: 'BATCH_NOT_FOUND',
  import: 'IMPORT_NOT_FOUND',
  scenario: 'SCENARIO_NOT_FOUND',
  user: 'USER_NOT_FOUND',
};

/** All but a bot: of that a stranger learns that it exists. */
const isHidden = (id: [string, Named]): id is [string, Exclude<Named, 'bot'>] => id[1] !== 'bot';

const scene = setLeadScene();
let own: AccountFixture;
let foreign: AccountFixture;
let operations: Operation[];
/** Of the account, but of an agent that the key is not attached to. */
let unattached: Own;
let mine: Own;
let theirs: Own;

beforeAll(async () => {
  own = scene.account;
  foreign = await AccountFixture.create(scene.database.pool);
  const ownOf = async (account: AccountFixture, assistant: string, bot: string, status: string) => {
    const thread = await account.addThread({ statusId: status }, assistant, bot);
    const message = await account.addMessage(thread, {});
    const [batch, scenario] = [await account.addBatch(bot), await account.addScenario(status, false)];
    const user = await account.addUser({ assistantIds: [assistant] });
    const imported = await account.addImport(bot, assistant);
    return { thread, status, assistant, bot, message, batch, import: imported, scenario, user };
  };
  mine = await ownOf(own, own.assistantId, own.botId, own.stages[0]!);
  theirs = await ownOf(foreign, foreign.assistantId, foreign.botId, foreign.stages[0]!);
  const other = await own.addAssistant();
  const [stage] = await own.addStages(other, [{}]);
  unattached = await ownOf(own, other, await own.addBot(undefined, other), stage!);
  operations = operationsOf((await request(`${scene.server.url}/openapi.json`)).body);
});

const nameOf = ({ method, path }: Operation): string => `${method} ${path}`;

const call = (name: string, key: string, body: object | undefined): Promise<Answer> => {
  const [method = '', path = ''] = name.split(' ');
  return new ApiClient(scene.server.url, key).call(path.replace('/api/v1/', ''), body, method);
};

/** The body with another value at a path such as `items.thread_id`. */
function withValue(body: object, path: string, value: string): object {
  const copy = structuredClone(body) as Record<string, any>;
  const [head = '', tail] = path.split('.');
  if (tail === undefined) copy[head] = Array.isArray(copy[head]) ? [value] : value;
  else copy[head][0][tail] = value;
  return copy;
}

it('knows every operation of the application and every identifier that it takes', () => {
  const unkeyed = [...OF_BOTS, ...OF_FILES, ...OF_PEOPLE, ...PUBLIC];
  const known = [...Object.keys(KEYED), ...Object.keys(ADMIN), ...unkeyed];
  expect(operations.map(nameOf).sort()).toEqual(known.sort());
  for (const operation of operations) {
    const entry = KEYED[nameOf(operation)];
    if (entry)
      expect([nameOf(operation), ...idFieldsOf(operation).sort()]).toEqual([
        nameOf(operation),
        ...Object.keys(entry.ids).sort(),
      ]);
  }
});

describe.each(Object.entries(KEYED))('%s', (name, { body, ids }) => {
  it('succeeds for the account’s own key', async () => {
    const { status, headers, body: answer } = await call(name, own.key, body(mine));
    const isFile = headers.get('content-type') === 'text/csv; charset=utf-8';
    expect([status, isFile || answer.ok, JSON.stringify(answer).includes('"ok":false')]).toEqual([
      200,
      true,
      false,
    ]);
  });

  it.each(Object.entries(ids).filter(isHidden))(
    'answers the same, byte for byte, whatever is wrong with %s, and changes nothing',
    async (field, named) => {
      const nothing = named === 'thread' ? `thread_${randomUUIDv7()}` : randomUUIDv7();
      const wrongs = [
        nothing,
        theirs[named],
        unattached[named],
        'malformed',
        "' OR true --",
        nothing.slice(0, -1),
        `${nothing} `,
        named === 'thread' ? uuidOf(nothing) : `thread_${nothing}`,
        'ё'.repeat(200),
      ];
      const before = await dumpOf(scene.database.pool);
      const answers: Answer[] = [];
      for (const wrong of wrongs)
        answers.push(await call(name, own.key, withValue(body(mine), field, wrong)));
      expect(answers.map(bytesOfAnswer)).toEqual(wrongs.map(() => bytesOfAnswer(answers[0]!)));
      // A lead that is at the wanted stage already is no conflict, whatever was expected.
      if (!field.endsWith('expected_status_id')) expect(answers[0]!.text).toContain(WITHOUT[named]);
      expect(await dumpOf(scene.database.pool)).toEqual(before);
    },
  );

  it('answers everybody else as if there were nothing', async () => {
    const strangers = [
      foreign.key,
      // What a bot sent is visible to every key that has the bot, too.
      await own.addKey({ assistantIds: [], botIds: [] }),
      await own.addKey({ assistantIds: [unattached.assistant], botIds: [] }),
    ];
    const [field, named] = Object.entries(ids).filter(isHidden)[0] ?? ['', 'thread'];
    const nothing = named === 'thread' ? `thread_${randomUUIDv7()}` : randomUUIDv7();
    const before = await dumpOf(scene.database.pool);
    for (const key of strangers) {
      const [asked, unknown] = [
        await call(name, key, body(mine)),
        await call(name, key, withValue(body(mine), field, nothing)),
      ];
      expect(bytesOfAnswer(asked)).toBe(bytesOfAnswer(unknown));
      expect(asked.text).toContain(WITHOUT[named]);
    }
    expect(await dumpOf(scene.database.pool)).toEqual(before);
  });

  it('tells a key nothing of another account’s agent, even if its row came to name that agent', async () => {
    const key = await foreign.addKey({ assistantIds: [own.assistantId], botIds: [own.botId] });
    const before = await dumpOf(scene.database.pool);
    const { text } = await call(name, key, body(mine));
    for (const secret of [...own.stages, 'Stage 1', '+7701']) expect(text).not.toContain(secret);
    expect(await dumpOf(scene.database.pool)).toEqual(before);
  });
});

it('a list of dialogs by a bot is refused alike for a bot of the account and one of another, if it is not the key’s', async () => {
  const name = 'POST /api/v1/messages/get-threads';
  const before = await dumpOf(scene.database.pool);
  const [unknown, ...others] = await Promise.all(
    [randomUUIDv7(), unattached.bot, theirs.bot].map((bot) => call(name, own.key, { bot_id: bot })),
  );
  expect([unknown?.status, unknown?.body.error.code]).toEqual([404, 'BOT_NOT_FOUND']);
  expect(others.map(({ body }) => body.error.code)).toEqual(['FORBIDDEN', 'FORBIDDEN']);
  expect(new Set(others.map(bytesOfAnswer)).size).toBe(1);
  expect(await dumpOf(scene.database.pool)).toEqual(before);
});

it('a move with an expectation answers the same whatever that expectation names', async () => {
  const before = await dumpOf(scene.database.pool);
  const expected = [randomUUIDv7(), theirs.status, unattached.status, own.stages[2]!, 'malformed'];
  const answers: Answer[] = [];
  for (const id of expected) {
    const body = { thread_id: mine.thread, status_id: own.stages[1], expected_status_id: id };
    answers.push(await call('POST /api/v1/leads/set-status', own.key, body));
  }
  expect(answers[0]!.body.error.code).toBe('STATUS_CONFLICT');
  expect(answers.map(bytesOfAnswer)).toEqual(expected.map(() => bytesOfAnswer(answers[0]!)));
  expect(await dumpOf(scene.database.pool)).toEqual(before);
});

it.each(Object.entries(ADMIN))('%s is refused to every key of an account', async (name, body) => {
  const everything = await own.addKey({ scopes: ['messages', 'leads'] });
  const before = await dumpOf(scene.database.pool);
  for (const id of [own.id, foreign.id, 'malformed']) {
    const { status, body: answer } = await call(name.replace('{id}', id), everything, body);
    expect([status, answer.error.code]).toEqual([403, 'FORBIDDEN']);
  }
  expect(await dumpOf(scene.database.pool)).toEqual(before);
});

it.each(Object.keys(KEYED))('%s is refused to an admin key, which has no account', async (name) => {
  const { status, body } = await call(name, await addAdminKey(scene.database.pool), KEYED[name]!.body(mine));
  expect([status, body.error.code]).toEqual([403, 'FORBIDDEN']);
});

it.each(PUBLIC)('%s tells nothing of any account', async (name) => {
  const { text } = await request(scene.server.url + (name.split(' ')[1] ?? ''));
  for (const secret of [own.id, foreign.id, own.assistantId, foreign.assistantId]) {
    expect(text).not.toContain(secret);
  }
});
