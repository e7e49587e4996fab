import { SCENES } from '../../apps/demo/src/life/life.cast';
import { ApiClient } from '../support/clients/api.client';
import { eventually } from '../support/eventually';
import { DemoProcess, makeDataDir, removeDataDir } from '../support/programs/demo.process';

/** The demo's customers begin some seconds after its start. */
const BEGINS_MS = 40_000;

/** The tests look often. */
const OFTEN = { RATE_LIMIT_GENERAL: '100000' };

interface Thread {
  phone: string;
  lead_status: { name: string } | null;
  status_set_by: string | null;
  /** Newest first. */
  messages: { role: string; created_at: string }[];
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

/** Whether a customer has written since then, and has got an answer of the agent. */
const answered = (found: Thread[], since: string): boolean =>
  found.some(({ messages }) => {
    const place = messages.findIndex(({ role, created_at: at }) => role === 'USER' && at >= since);
    return place >= 0 && messages.slice(0, place).some(({ role }) => role === 'AI');
  });

describe('a demo as npm start begins it', () => {
  let since: string;

  beforeAll(async () => {
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
