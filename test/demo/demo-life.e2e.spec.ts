import { SCENES } from '../../apps/demo/src/life/life.cast';
import { ApiClient } from '../support/clients/api.client';
import { eventually } from '../support/eventually';
import { DemoProcess, makeDataDir, removeDataDir } from '../support/programs/demo.process';

/** The demo's customers begin some seconds after its start. */
const BEGINS_MS = 40_000;

/** The tests look often. */
const OFTEN = { RATE_LIMIT_GENERAL: '100000' };

interface Message {
  role: string;
  text: string;
  created_at: string;
  media: { state: string } | null;
}

interface Thread {
  phone: string;
  ai_enabled: boolean;
  opted_out: boolean;
  takeover_until: string | null;
  lead_status: { name: string } | null;
  status_set_by: string | null;
  /** Newest first. */
  messages: Message[];
}

let dataDir: string;
let demo: DemoProcess;

beforeAll(() => {
  dataDir = makeDataDir();
});

afterAll(async () => {
  await demo?.ended('SIGTERM');
  removeDataDir(dataDir);
});

const shop = (): ApiClient => new ApiClient(demo.file().base_url, demo.file().api_keys[0]?.key ?? '');

async function threads(body: object): Promise<Thread[]> {
  const answer = await shop().call('messages/get-threads', { limit: 200, messages_limit: 10, ...body });
  return answer.body.data.threads as Thread[];
}

/** Whether a customer has written since then, that text if one is given, and has got an answer of the agent. */
const answered = (found: Thread[], since: string, text?: string): boolean =>
  found.some(({ messages }) => {
    const isOne = ({ role, created_at: at, text: said }: Message): boolean =>
      role === 'USER' && at >= since && (text === undefined || said === text);
    const place = messages.findIndex(isOne);
    return place >= 0 && messages.slice(0, place).some(({ role }) => role === 'AI');
  });

const writeAs = async (phone: string, text: string): Promise<void> => {
  const { sandbox_url: sandbox, bots } = demo.file();
  const sender = bots[0]?.channels.find(({ channel }) => channel === 'waba_coexistence')?.sender;
  const answer = await fetch(`${sandbox}/handset/api/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ sender, phone, text }),
  });
  expect(answer.status).toBe(200);
};

describe('a demo with DEMO_LIFE=0', () => {
  beforeAll(async () => {
    demo = await DemoProcess.start(dataDir, { ...OFTEN, DEMO_LIFE: '0' });
  });

  it('is quiet: while you hold a conversation, nobody else says anything', async () => {
    const since = new Date().toISOString();
    const phone = '+77015551017';
    for (const text of ['Вы открыты?', 'А доставка есть?', 'Сколько стоит?']) {
      await writeAs(phone, text);
      await eventually(
        async () => answered(await threads({ phones: [phone] }), since, text),
        BEGINS_MS,
        text,
      );
    }
    const spoke = await threads({ active_after: since });
    expect(spoke.map((thread) => thread.phone)).toEqual([phone]);
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
});

describe('a demo as npm start begins it', () => {
  let since: string;

  beforeAll(async () => {
    await demo?.ended('SIGTERM');
    since = new Date().toISOString();
    demo = await DemoProcess.start(dataDir, { ...OFTEN, DEMO_LIFE: '' });
  });

  it('says that its customers write', () => {
    expect(demo.stdout).toMatch(/^ {2}Customers +write now and then; DEMO_LIFE=0 /m);
  });

  it('has a lead paid at once by the accounting system, which starts a scenario', async () => {
    await eventually(
      async () =>
        (await threads({ active_after: since })).some(
          (one) => one.lead_status?.name === 'Оплачено' && one.status_set_by === 'SYSTEM',
        ),
      BEGINS_MS,
      'nobody paid',
    );
    await eventually(
      async () => (await threads({ active_after: since, run_state: 'waiting' })).length > 0,
      BEGINS_MS,
      'no scenario ran',
    );
  });

  it('has a customer who writes and is answered by the agent', async () => {
    await eventually(
      async () => answered(await threads({ active_after: since }), since),
      BEGINS_MS,
      'no customer wrote, or the agent did not answer',
    );
  });

  it('has only its own cast speak: what the documentation names stays as it was', async () => {
    const cast = SCENES.flatMap((scene) => scene.cast.map(({ phone }) => phone));
    for (const { phone } of await threads({ active_after: since })) expect(cast).toContain(phone);
  });

  it('stops clean, and has said nothing but its banner', async () => {
    const { code, stderr } = await demo.ended('SIGTERM');
    expect([code, stderr]).toEqual([0, '']);
  });
});
