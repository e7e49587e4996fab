import { networkInterfaces } from 'node:os';
import { STAGE_KINDS } from '@app/contracts/stage.kinds';
import type { DemoFile } from '../../apps/demo/src/demo.file';
import { ApiClient } from '../support/clients/api.client';
import { BoardClient } from '../support/clients/board.client';
import { requestLiterally } from '../support/clients/raw.request';
import { signIn } from '../support/clients/session.client';
import { eventually } from '../support/eventually';
import { DemoProcess, makeDataDir, removeDataDir } from '../support/programs/demo.process';

const OUTSIDE = Object.values(networkInterfaces())
  .flat()
  .find((address) => address && !address.internal && address.family === 'IPv4')?.address;
const withOutside = OUTSIDE ? it : it.skip;

const ANSWERED_WITHIN_MS = 40_000;

interface Thread {
  phone: string;
  ai_enabled: boolean;
  opted_out: boolean;
  takeover_until: string | null;
  /** Newest first. */
  messages: { role: string; text: string; media: { state: string } | null }[];
}

const keysOf = (value: object | undefined): string[] => Object.keys(value ?? {}).sort();
const fold = (name: string): string => name.toLowerCase();

let demo: DemoProcess;
let file: DemoFile;
let shop: string;
let agent: DemoFile['assistants'][number];

beforeAll(async () => {
  // The tests look often.
  demo = await DemoProcess.start(makeDataDir(), { HOST: '0.0.0.0', RATE_LIMIT_GENERAL: '100000' });
  file = demo.file();
  shop = file.accounts[0]?.id ?? '';
  const found = file.assistants[0];
  if (!found) throw new Error('the demo has no agent');
  agent = found;
});

afterAll(async () => {
  await demo?.ended('SIGTERM');
  if (demo) removeDataDir(demo.dataDir);
});

async function threads(body: object): Promise<Thread[]> {
  const api = new ApiClient(file.base_url, file.api_keys[0]?.key ?? '');
  const answer = await api.call('messages/get-threads', { limit: 200, messages_limit: 10, ...body });
  return answer.body.data.threads as Thread[];
}

describe('demo.json', () => {
  it('has exactly the fields of the contract, with null or nothing for what does not exist yet', () => {
    expect(file).toEqual({
      base_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      docs_url: `${file.base_url}/docs`,
      monitor_url: `${file.base_url}/`,
      sandbox_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      database_url: expect.stringMatching(/^postgres:\/\/leadline:/),
      operator: { email: 'operator@harbour.example', password: expect.stringMatching(/^[\da-f]{24}$/) },
      admin_user: { email: 'admin@harbour.example', password: expect.stringMatching(/^[\da-f]{24}$/) },
      admin_key: expect.stringMatching(/^ll_[\w-]{43}$/),
      ...{ accounts: file.accounts, api_keys: file.api_keys, bots: file.bots, assistants: file.assistants },
      ...{ threads: file.threads, scenarios: file.scenarios, templates: file.templates },
    });
    const sorted = (names: string): string[] => names.split(' ').sort();
    for (const account of file.accounts) expect(keysOf(account)).toEqual(sorted('id name'));
    for (const key of file.api_keys) {
      expect(keysOf(key)).toEqual(sorted('key account_id assistant_ids bot_ids'));
    }
    for (const bot of file.bots) {
      expect(keysOf(bot)).toEqual(sorted('id account_id assistant_id channels'));
      for (const channel of bot.channels)
        expect(keysOf(channel)).toEqual(sorted('channel sender webhook_url'));
    }
    expect(file.templates.map(({ status }) => status)).toEqual(
      expect.arrayContaining(['approved', 'pending']),
    );
    for (const template of file.templates) {
      expect(keysOf(template)).toEqual(sorted('template_id bot_id channel language params_count status'));
    }
    for (const { statuses, ...rest } of file.assistants) {
      expect(keysOf(rest)).toEqual(sorted('id account_id'));
      for (const status of statuses) {
        expect(keysOf(status)).toEqual(sorted('id name kind order ai_enabled ai_transition_locked'));
      }
    }
    for (const thread of file.threads) {
      expect(keysOf(thread)).toEqual(
        sorted('thread_id account_id assistant_id bot_id channel phone status_id'),
      );
    }
    for (const scenario of file.scenarios) expect(keysOf(scenario)).toEqual(sorted('id status_id'));
  });

  it('has two accounts, each with its own bot, agent, key and dialogs', () => {
    expect(file.accounts).toHaveLength(2);
    for (const { id } of file.accounts) {
      for (const list of [file.bots, file.assistants, file.api_keys, file.threads]) {
        expect(list.some(({ account_id }) => account_id === id)).toBe(true);
      }
    }
  });

  it('has in the first account keys with one agent, with two and with none, of which each works', async () => {
    const keys = file.api_keys.filter(({ account_id }) => account_id === shop);
    expect(keys.map(({ assistant_ids }) => assistant_ids.length)).toEqual([1, 2, 0]);
    const answers = await Promise.all(keys.map(({ key }) => new ApiClient(file.base_url, key).getStatuses()));
    expect(answers.map(({ body }) => body.error?.code ?? 'ok')).toEqual([
      'ok',
      'VALIDATION_ERROR',
      'ASSISTANT_NOT_FOUND',
    ]);
  });

  it('has every special stage in one agent, after two ordinary ones', () => {
    const { statuses } = agent;
    const named = (name: string) => statuses.filter((status) => fold(status.name) === fold(name));
    expect(statuses.map(({ order }) => order)).toEqual(statuses.map((_, index) => index + 1));
    for (const { name, ai_enabled, ai_transition_locked } of statuses.slice(0, 2)) {
      expect({ ai_enabled, ai_transition_locked }).toEqual({ ai_enabled: true, ai_transition_locked: false });
      expect(named(name)).toHaveLength(1);
    }
    const twins = statuses.filter(({ name }) => named(name).length > 1);
    expect(twins).toHaveLength(2);
    expect(new Set(twins.map(({ name }) => name)).size).toBe(2);
    expect(statuses.some(({ ai_enabled }) => !ai_enabled)).toBe(true);
    expect(statuses.some(({ ai_transition_locked }) => ai_transition_locked)).toBe(true);
    expect(statuses.some(({ name }) => /^[А-Яа-яЁё ]+$/.test(name))).toBe(true);
    for (const kind of STAGE_KINDS) expect(statuses.some((status) => status.kind === kind)).toBe(true);
  });

  it('has both channels on the bot of that agent', () => {
    const bot = file.bots.find(({ assistant_id }) => assistant_id === agent.id);
    expect(bot?.channels.map(({ channel }) => channel).sort()).toEqual(['waba', 'waba_coexistence']);
  });

  it('has thirty dialogs over all stages of that agent, some without a stage', () => {
    const dialogs = file.threads.filter(({ assistant_id }) => assistant_id === agent.id);
    expect(dialogs).toHaveLength(30);
    const stages = new Set(dialogs.map(({ status_id }) => status_id));
    expect(stages).toEqual(new Set([null, ...agent.statuses.map(({ id }) => id)]));
    expect(new Set(dialogs.map(({ channel }) => channel)).size).toBe(2);
  });

  it('has one customer who opted out', async () => {
    const board = await BoardClient.connect(file.base_url, { api_key: file.api_keys[0]?.key });
    const { columns } = await board.open(agent.id);
    board.close();
    const optedOut = columns.flatMap(({ cards }) => cards).filter((card) => card.opted_out);
    expect(optedOut).toHaveLength(1);
    const api = new ApiClient(file.base_url, file.api_keys[0]?.key ?? '');
    const { body } = await api.setAi(optedOut[0]?.thread_id ?? '', true);
    expect(body.error.code).toBe('THREAD_OPTED_OUT');
  });

  it('shows every state of a dialog at the first visit', async () => {
    const seen = async (body: object): Promise<number> => (await threads(body)).length;
    const states = {
      waiting: { waiting: true },
      unread: { unread: true },
      'off or taken over': { message_handler: 'OPERATOR' },
      unsubscribed: { opted_out: true },
      'handed over': { attention: 'hand_over' },
      'refused by the messenger': { attention: 'messenger' },
    };
    const counts = await Promise.all(
      Object.entries(states).map(async ([name, body]) => [name, await seen(body)] as const),
    );
    expect(counts.filter(([, count]) => count === 0)).toEqual([]);
    const all = await threads({});
    expect(all.filter((one) => !one.ai_enabled && !one.opted_out)).not.toEqual([]);
    expect(all.filter((one) => one.takeover_until !== null).length).toBeGreaterThanOrEqual(2);
    const files = all.flatMap(({ messages }) => messages).filter(({ media }) => media !== null);
    expect(files.map(({ media }) => media?.state)).toEqual(['stored', 'stored']);
  });

  it('has scenarios on success stages only', () => {
    const kindOf = new Map(
      file.assistants.flatMap(({ statuses }) => statuses.map(({ id, kind }) => [id, kind])),
    );
    expect(file.scenarios.length).toBeGreaterThan(0);
    for (const { status_id } of file.scenarios) expect(kindOf.get(status_id)).toBe('success');
  });

  it('has two people of the first account who sign in, and prints how', async () => {
    const roles = { operator: file.operator, admin: file.admin_user };
    for (const [role, { email, password }] of Object.entries(roles)) {
      const session = await signIn(file.base_url, email, password);
      const { body } = await session.call('auth/me');
      expect(body.data.user).toMatchObject({ account_id: shop, email, role, assistant_ids: null });
      expect(body.data.assistants).toHaveLength(2);
      expect(demo.stdout).toContain(`${email}, password: ${password}`);
    }
  });

  it('has an admin key that governs all accounts', async () => {
    const { body } = await new ApiClient(file.base_url, file.admin_key).admin('GET', 'accounts');
    expect(body.data.accounts).toHaveLength(2);
  });

  it('sends nothing out of this machine: its endpoints are there, its tool is switched off', async () => {
    const admin = new ApiClient(file.base_url, file.admin_key);
    const { body: endpoints } = await admin.admin('GET', 'webhook-endpoints');
    const urls = (endpoints.data.webhook_endpoints as { url: string }[]).map(({ url }) => url);
    expect(urls.length).toBeGreaterThan(0);
    expect(urls.filter((url) => new URL(url).hostname !== '127.0.0.1')).toEqual([]);
    const { body: tools } = await admin.admin('GET', `assistants/${agent.id}/tools`);
    expect(tools.data.tools).toMatchObject([{ enabled: false }]);
  });
});

/** The script that signs /docs in, as someone gets it who comes by that address and names that host. */
async function script(address: string, headers: Record<string, string>): Promise<string> {
  const url = new URL(file.base_url);
  url.hostname = address;
  const answer = await requestLiterally(url.origin, { method: 'GET', path: '/docs/start.js', headers });
  expect(answer.status).toBe(200);
  return answer.text;
}

const hasKeys = (text: string): boolean[] =>
  [file.admin_key, file.api_keys[0]?.key ?? ''].map((key) => text.includes(key));

describe("the demo's keys are on the page /docs", () => {
  it('of a caller on this machine', async () => {
    expect(hasKeys(await script('127.0.0.1', { Host: 'localhost:3000' }))).toEqual([true, true]);
  });

  it('not of a browser on this machine that was led here by another name', async () => {
    expect(hasKeys(await script('127.0.0.1', { Host: 'evil.example:3000' }))).toEqual([false, false]);
  });

  withOutside(
    "not of whoever comes by an address of the network (needs one besides this machine's own)",
    async () => {
      expect(hasKeys(await script(OUTSIDE ?? '', { Host: 'localhost' }))).toEqual([false, false]);
    },
  );
});

it('a demo with DEMO_LIFE=0 is quiet: while you hold a conversation, nobody else says anything', async () => {
  const since = new Date().toISOString();
  const phone = '+77015551017';
  const sender = file.bots[0]?.channels.find(({ channel }) => channel === 'waba_coexistence')?.sender;
  for (const text of ['Вы открыты?', 'А доставка есть?', 'Сколько стоит?']) {
    const written = await fetch(`${file.sandbox_url}/handset/api/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ sender, phone, text }),
    });
    expect(written.status).toBe(200);
    const isAnswered = async (): Promise<boolean> => {
      const [thread] = await threads({ phones: [phone] });
      const place = thread?.messages.findIndex((message) => message.role === 'USER' && message.text === text);
      return (
        place !== undefined && place > 0 && thread!.messages.slice(0, place).some(({ role }) => role === 'AI')
      );
    };
    await eventually(isAnswered, ANSWERED_WITHIN_MS, text);
  }
  const spoke = await threads({ active_after: since });
  expect(spoke.map((thread) => thread.phone)).toEqual([phone]);
});
