import { networkInterfaces } from 'node:os';
import { STAGE_KINDS } from '@app/contracts/stage.words';
import type { DemoFile } from '../../apps/demo/src/demo-file';
import { withClient } from '../../apps/demo/src/embedded-postgres/database-connection';
import { ApiClient, type Answer } from '../support/clients/api.client';
import { BoardClient } from '../support/clients/board.client';
import { requestLiterally } from '../support/clients/raw.request';
import { signIn } from '../support/clients/session.client';
import { eventually } from '../support/eventually';
import { DemoProcess, makeDataDir, removeDataDir, runningPostgres } from '../support/programs/demo.process';

const OUTSIDE = Object.values(networkInterfaces())
  .flat()
  .find((address) => address && !address.internal && address.family === 'IPv4')?.address;
const withOutside = OUTSIDE ? it : it.skip;

const ANSWERED_WITHIN_MS = 40_000;
const STATES_MS = 15_000;
/** Seeded: its customer wrote some minutes ago. */
const FRESH_THREAD = 'thread_01930000-0000-7000-8005-000000000001';
/** Seeded: its customer wrote two days ago. */
const STALE_THREAD = 'thread_01930000-0000-7000-8005-00000000001a';
/** The tests ask more often than people do. */
const OFTEN = { RATE_LIMIT_GENERAL: '100000', RATE_LIMIT_LEADS: '100000' };

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
let account: string;
let agent: DemoFile['assistants'][number];

beforeAll(async () => {
  demo = await DemoProcess.start(makeDataDir(), { HOST: '0.0.0.0', ...OFTEN });
  file = demo.file();
  account = file.accounts[0]?.id ?? '';
  const found = file.assistants[0];
  if (!found) throw new Error('the demo has no agent');
  agent = found;
});

afterAll(async () => {
  await demo?.ended('SIGTERM');
  if (demo) removeDataDir(demo.dataDir);
});

const shop = (): ApiClient => new ApiClient(file.base_url, file.api_keys[0]?.key ?? '');

async function threads(body: object): Promise<Thread[]> {
  const answer = await shop().call('messages/get-threads', { limit: 200, messages_limit: 10, ...body });
  return answer.body.data.threads as Thread[];
}

/** A customer's phone sends to a number of the demo. */
async function write(sender: string | undefined, phone: string, text: string): Promise<void> {
  const written = await fetch(`${file.sandbox_url}/handset/api/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ sender, phone, text }),
  });
  expect(written.status).toBe(200);
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
    const keys = file.api_keys.filter(({ account_id }) => account_id === account);
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
    const { body } = await shop().setAi(optedOut[0]?.thread_id ?? '', true);
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
      expect(body.data.user).toMatchObject({ account_id: account, email, role, assistant_ids: null });
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
    await write(sender, phone, text);
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

/** Waits for the outcome of a message. */
async function outcomeOf({ body }: Answer): Promise<{ status: string; code: number | undefined }> {
  return eventually(
    async () => {
      const { status, error } = (await shop().getMessage(body.data.id)).body.data;
      return ['delivered', 'read', 'failed'].includes(status) && { status, code: error?.provider_code };
    },
    STATES_MS,
    'the message was neither delivered nor failed',
  );
}

describe("the demo's stand-ins know of its seeded customers", () => {
  it('who wrote within a day, so that free text reaches them', async () => {
    const { status } = await outcomeOf(await shop().sendText(FRESH_THREAD, 'Здравствуйте! Мы открыты.'));
    expect(['delivered', 'read']).toContain(status);
  });

  it('who wrote before that, so that free text to them fails', async () => {
    expect(await outcomeOf(await shop().sendText(STALE_THREAD, 'Вы ещё здесь?'))).toEqual({
      status: 'failed',
      code: 131047,
    });
  });
});

describe("the demo's scenario of a paid order", () => {
  const THANKS = 'Спасибо, оплата получена! Мы уже собираем ваш заказ.';
  const QUESTION = /^[А-Яа-я]+, подскажите, куда и когда удобно доставить заказ\?$/;
  interface Chat {
    messages: { from: string; text: string }[];
  }

  /** What the business wrote to a customer's phone since the demo was started. */
  async function received(phone: string, number: string): Promise<string[]> {
    const query = `sender=${number}&phone=${encodeURIComponent(phone)}`;
    const { messages = [] } = (await (
      await fetch(`${file.sandbox_url}/handset/api/chat?${query}`)
    ).json()) as Chat;
    return messages.filter(({ from }) => from !== 'customer').map(({ text }) => text);
  }

  /** A dialog of the first agent on that channel, whose customer may be sent free text. */
  function dialogOn(channel: string, place: number): { threadId: string; phone: string; number: string } {
    const { threads: seeded, bots } = file;
    const open = seeded.filter((thread) => thread.bot_id === bots[0]?.id && thread.channel === channel);
    const { thread_id: threadId = '', phone } = open[place] ?? {};
    const number = bots[0]?.channels.find((each) => each.channel === channel)?.sender ?? '';
    return { threadId, phone: phone ?? '', number };
  }

  /** Moves the lead to the stage, and waits until the scenario waits. */
  async function pay({ threadId, phone, number }: ReturnType<typeof dialogOn>): Promise<void> {
    const { body } = await shop().setStatus({ thread_id: threadId, status_name: 'Оплачено' });
    expect(body.data).toMatchObject({ changed: true });
    await eventually(
      async () => (await received(phone, number)).includes(THANKS),
      STATES_MS,
      'no thanks came',
    );
    await eventually(async () => (await runOf(threadId)) === 'waiting', STATES_MS, 'the run did not wait');
  }

  const query = async <Row extends object>(text: string, threadId: string): Promise<Row[]> =>
    withClient(
      file.database_url,
      'demo test',
      async (db) => (await db.query<Row>(text, [threadId.replace('thread_', '')])).rows,
    );

  const runOf = async (threadId: string): Promise<string | undefined> =>
    (await query<{ state: string }>('SELECT state FROM scenario_runs WHERE thread_id = $1', threadId))[0]
      ?.state;

  /** The run's clock goes on by its minute. */
  async function waitMinute(threadId: string): Promise<void> {
    const runs = `UPDATE scenario_runs SET next_at = next_at - interval '60 seconds', due_since = due_since - interval '60 seconds'
                   WHERE thread_id = $1`;
    await query(runs, threadId);
    await query('UPDATE scenario_queues SET due_at = clock_timestamp() WHERE thread_id = $1', threadId);
    await eventually(
      async () => (await stageOf(threadId)) === 'Собираем заказ',
      STATES_MS,
      'the lead did not go on',
    );
  }

  const stageOf = async (threadId: string): Promise<string | undefined> =>
    ((await shop().getLead(threadId)).body.data as { status: { name: string } | null }).status?.name;

  it.each(['waba_coexistence', 'waba'])(
    'thanks, asks a minute later, and moves the lead on, over %s',
    async (channel) => {
      const dialog = dialogOn(channel, 2);
      await pay(dialog);
      expect((await received(dialog.phone, dialog.number)).some((text) => QUESTION.test(text))).toBe(false);
      await waitMinute(dialog.threadId);
      const texts = await received(dialog.phone, dialog.number);
      expect(texts).toEqual([THANKS, expect.stringMatching(QUESTION)]);
      const { body } = await shop().getLead(dialog.threadId);
      expect(body.data).toMatchObject({ status_set_by: 'SCENARIO', status: { order: 6 } });
      expect(await runOf(dialog.threadId)).toBe('done');
    },
  );

  it('does not ask a customer who has replied', async () => {
    const { threadId, phone, number } = dialogOn('waba_coexistence', 3);
    await pay({ threadId, phone, number });
    await write(number, phone, 'Спасибо! Привезите завтра утром.');
    await eventually(
      async () => (await shop().getMessages({ thread_id: threadId })).body.data.messages[0].role !== 'SYSTEM',
      STATES_MS,
      'the reply did not come',
    );
    await waitMinute(threadId);
    expect((await received(phone, number)).some((text) => QUESTION.test(text))).toBe(false);
    expect(await runOf(threadId)).toBe('done');
  });
});

it('a demo stops clean on Ctrl-C, and has said nothing but its banner', async () => {
  const { code, stderr } = await demo.ended('SIGINT');
  expect([code, stderr, runningPostgres(demo.dataDir)]).toEqual([0, '', null]);
});
