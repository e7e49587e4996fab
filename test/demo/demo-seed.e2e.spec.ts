import { STAGE_KINDS } from '@app/contracts/stage.kinds';
import type { DemoFile } from '../../apps/demo/src/demo.file';
import { ApiClient } from '../support/clients/api.client';
import { BoardClient } from '../support/clients/board.client';
import { signIn } from '../support/clients/session.client';
import { DemoProcess, makeDataDir, removeDataDir } from '../support/programs/demo.process';

const keysOf = (value: object | undefined): string[] => Object.keys(value ?? {}).sort();
const fold = (name: string): string => name.toLowerCase();

describe('demo.json', () => {
  let demo: DemoProcess;
  let file: DemoFile;
  let shop: string;
  let agent: DemoFile['assistants'][number];

  beforeAll(async () => {
    demo = await DemoProcess.start(makeDataDir());
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
