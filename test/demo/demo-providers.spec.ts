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
