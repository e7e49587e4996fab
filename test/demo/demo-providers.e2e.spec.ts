import { withClient } from '../../apps/demo/src/embedded-postgres/database.connection';
import { ApiClient, type Answer } from '../support/clients/api.client';
import { DemoProcess, makeDataDir, removeDataDir } from '../support/programs/demo.process';
import { eventually } from '../support/eventually';

const STATES_MS = 15_000;
/** Seeded: its customer wrote some minutes ago. */
const FRESH_THREAD = 'thread_01930000-0000-7000-8005-000000000001';
/** Seeded: its customer wrote two days ago. */
const STALE_THREAD = 'thread_01930000-0000-7000-8005-00000000001a';
const NEWCOMER = '+77019990001';

let demo: DemoProcess;
let shop: ApiClient;
let admin: ApiClient;
let bot: { bot_id: string; channel: string };
let sender: string;

/** These tests ask more often than people do. */
const PATIENT = { RATE_LIMIT_GENERAL: '100000', RATE_LIMIT_LEADS: '100000' };
const useDemo = (started: DemoProcess): void => {
  const { base_url: url, api_keys: keys, admin_key: adminKey, bots } = started.file();
  const [first] = bots;
  const [number] = first?.channels ?? [];
  demo = started;
  shop = new ApiClient(url, keys[0]?.key ?? '');
  admin = new ApiClient(url, adminKey);
  bot = { bot_id: first?.id ?? '', channel: number?.channel ?? '' };
  sender = number?.sender ?? '';
};

/** Waits for the outcome of a message. */
async function outcomeOf({ body }: Answer): Promise<{ status: string; code: number | undefined }> {
  return eventually(
    async () => {
      const { status, error } = (await shop.getMessage(body.data.id)).body.data;
      return ['delivered', 'read', 'failed'].includes(status) && { status, code: error?.provider_code };
    },
    STATES_MS,
    'the message was neither delivered nor failed',
  );
}

async function statusOf(id: string): Promise<string> {
  const { body } = await admin.admin('GET', `templates/${id}`);
  return (body.data as { status: string }).status;
}
const untilStatus = (id: string, wanted: string): Promise<unknown> =>
  eventually(async () => (await statusOf(id)) === wanted, STATES_MS, `template ${id} was not ${wanted}`);

async function submitTemplate(name: string): Promise<string> {
  const draft = await admin.admin('POST', 'templates', {
    ...bot,
    template_id: name,
    name,
    language: 'ru',
    category: 'utility',
    body: 'Здравствуйте, {{1}}, ваш заказ собран.',
    examples: { body: ['Аида'] },
  });
  const { id } = draft.body.data as { id: string };
  expect((await admin.admin('POST', `templates/${id}/submit`, {})).status).toBe(200);
  return id;
}

async function newcomersThread(): Promise<string> {
  const { body } = await shop.getThreads();
  const threads = body.data.threads as { thread_id: string; phone: string }[];
  return threads.find(({ phone }) => phone === NEWCOMER)?.thread_id ?? '';
}

beforeAll(async () => useDemo(await DemoProcess.start(makeDataDir(), PATIENT)));

afterAll(async () => {
  await demo?.ended('SIGTERM');
  if (demo) removeDataDir(demo.dataDir);
});

describe("the demo's stand-ins know of its seeded customers", () => {
  it('who wrote within a day, so that free text reaches them', async () => {
    const { status } = await outcomeOf(await shop.sendText(FRESH_THREAD, 'Здравствуйте! Мы открыты.'));
    expect(['delivered', 'read']).toContain(status);
  });

  it('who wrote before that, so that free text to them fails', async () => {
    expect(await outcomeOf(await shop.sendText(STALE_THREAD, 'Вы ещё здесь?'))).toEqual({
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
    const { sandbox_url: sandbox } = demo.file();
    const query = `sender=${number}&phone=${encodeURIComponent(phone)}`;
    const { messages = [] } = (await (await fetch(`${sandbox}/handset/api/chat?${query}`)).json()) as Chat;
    return messages.filter(({ from }) => from !== 'customer').map(({ text }) => text);
  }

  /** A dialog of the first agent on that channel, whose customer may be sent free text. */
  function dialogOn(channel: string, place: number): { threadId: string; phone: string; number: string } {
    const { threads, bots } = demo.file();
    const open = threads.filter((thread) => thread.bot_id === bots[0]?.id && thread.channel === channel);
    const { thread_id: threadId = '', phone } = open[place] ?? {};
    const number = bots[0]?.channels.find((each) => each.channel === channel)?.sender ?? '';
    return { threadId, phone: phone ?? '', number };
  }

  /** Moves the lead to the stage, and waits until the scenario waits. */
  async function pay({ threadId, phone, number }: ReturnType<typeof dialogOn>): Promise<void> {
    const { body } = await shop.setStatus({ thread_id: threadId, status_name: 'Оплачено' });
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
      demo.file().database_url,
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
    ((await shop.getLead(threadId)).body.data as { status: { name: string } | null }).status?.name;

  it.each(['waba_coexistence', 'waba'])(
    'thanks, asks a minute later, and moves the lead on, over %s',
    async (channel) => {
      const dialog = dialogOn(channel, 2);
      await pay(dialog);
      expect((await received(dialog.phone, dialog.number)).some((text) => QUESTION.test(text))).toBe(false);
      await waitMinute(dialog.threadId);
      const texts = await received(dialog.phone, dialog.number);
      expect(texts).toEqual([THANKS, expect.stringMatching(QUESTION)]);
      const { body } = await shop.getLead(dialog.threadId);
      expect(body.data).toMatchObject({ status_set_by: 'SCENARIO', status: { order: 6 } });
      expect(await runOf(dialog.threadId)).toBe('done');
    },
  );

  it('does not ask a customer who has replied', async () => {
    const { sandbox_url: sandbox } = demo.file();
    const { threadId, phone, number } = dialogOn('waba_coexistence', 3);
    await pay({ threadId, phone, number });
    await fetch(`${sandbox}/handset/api/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ sender: number, phone, text: 'Спасибо! Привезите завтра утром.' }),
    });
    await eventually(
      async () => (await shop.getMessages({ thread_id: threadId })).body.data.messages[0].role !== 'SYSTEM',
      STATES_MS,
      'the reply did not come',
    );
    await waitMinute(threadId);
    expect((await received(phone, number)).some((text) => QUESTION.test(text))).toBe(false);
    expect(await runOf(threadId)).toBe('done');
  });
});

describe("what the demo's stand-ins still know after the demo was started again", () => {
  let approved: string;
  let pending: string;

  beforeAll(async () => {
    const { sandbox_url: sandbox } = demo.file();
    const wrote = await fetch(`${sandbox}/handset/api/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ sender, phone: NEWCOMER, name: 'Ерлан', text: 'Вы открыты?' }),
    });
    expect(wrote.status).toBe(200);
    await eventually(newcomersThread, STATES_MS, 'the newcomer had no dialog');
    approved = await submitTemplate('order_packed');
    await untilStatus(approved, 'approved');
    pending = await submitTemplate('order_sent_off');
    await demo.ended('SIGKILL');
    useDemo(await DemoProcess.start(demo.dataDir, PATIENT));
  });

  it('a customer who wrote before, so that free text reaches them', async () => {
    const { status } = await outcomeOf(await shop.sendText(await newcomersThread(), 'Да, до девяти.'));
    expect(['delivered', 'read']).toContain(status);
  });

  it("the customer's name, on their phone", async () => {
    const { sandbox_url: sandbox } = demo.file();
    const phone = encodeURIComponent(NEWCOMER);
    const chat = await fetch(`${sandbox}/handset/api/chat?sender=${sender}&phone=${phone}`);
    expect(await chat.json()).toMatchObject({ name: 'Ерлан' });
  });

  it('a template that was made and approved, so that it is sent', async () => {
    const to = { phone: NEWCOMER, params: ['Ерлан'] };
    const sent = await shop.sendTemplate({ ...bot, to, template_id: 'order_packed' });
    expect(['delivered', 'read']).toContain((await outcomeOf(sent)).status);
  });

  it('every template, so that synchronising disables none', async () => {
    const { body } = await admin.admin('POST', 'templates/synchronize', bot);
    expect(body.data).toMatchObject({ added: 0, disabled: 0 });
    expect(await statusOf(approved)).toBe('approved');
  });

  it('a template that was in moderation, which is decided', async () => {
    await untilStatus(pending, 'approved');
  });

  it('that winter_sale waits for moderation, and goes on waiting', async () => {
    await untilStatus(pending, 'approved');
    const { body } = await admin.admin('GET', 'templates?limit=200');
    const templates = body.data.templates as { template_id: string; status: string }[];
    const waiting = templates.filter(({ status }) => status === 'pending');
    expect(new Set(waiting.map(({ template_id }) => template_id))).toEqual(new Set(['winter_sale']));
  });
});
