import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { parseEnv, promisify } from 'node:util';
import { ApiClient, request, type Answer } from '../support/clients/api.client';
import { BoardClient } from '../support/clients/board.client';
import type { DemoFile } from '../../apps/demo/src/demo-file';
import { SCENES } from '../../apps/demo/src/life/life-cast';
import { DemoProcess, runningPostgres, makeDataDir, removeDataDir } from '../support/programs/demo.process';
import { eventually } from '../support/eventually';
import { holdPort } from '../support/faults/held.port';
import { METRICS_TOKEN, SECRETS, startServer } from '../support/programs/server.process';
import { createDatabase } from '../support/database/test.database';

const run = promisify(execFile);

const RESTARTS_MAX = 5;
const STATES_MS = 15_000;
/** The demo's customers begin some seconds after its start. */
const BEGINS_MS = 40_000;
/** The tests ask more often than people do. */
const OFTEN = { RATE_LIMIT_GENERAL: '100000', RATE_LIMIT_LEADS: '100000' };
const NEWCOMER = '+77019990001';

interface Thread {
  thread_id: string;
  phone: string;
  lead_status: { name: string } | null;
  status_set_by: string | null;
  /** Newest first. */
  messages: { role: string; created_at: string }[];
}

const demoSecret = (dataDir: string): string | undefined =>
  parseEnv(readFileSync(join(dataDir, 'demo.env'), 'utf8')).DEMO_SECRET;

const dataDirs: string[] = [];
const emptyDataDir = (): string => {
  const dataDir = makeDataDir();
  dataDirs.push(dataDir);
  return dataDir;
};

/** In which a demo has run. */
let used: string;
/** A copy: to make a cluster and fill it takes half of a start's time. */
function usedDataDir(): string {
  const dataDir = emptyDataDir();
  // As root the cluster belongs to PostgreSQL's user, and stays his.
  execFileSync('cp', ['-a', `${used}/.`, dataDir]);
  return dataDir;
}

const ipv6 = Object.values(networkInterfaces())
  .flatMap((found = []) => found)
  .some(({ address }) => address === '::1');

/** The first who closes it is Socket.IO; the second, Nest, fails as by a stop that is not over in time. */
const FAILING_STOP = `const { Server } = require('node:http');
  const { close } = Server.prototype;
  let calls = 0;
  Server.prototype.close = function (...given) {
    calls += 1;
    if (calls > 1) throw new Error('planted');
    return close.apply(this, given);
  };`;

afterAll(() => dataDirs.forEach(removeDataDir));

describe('a demo that does not come to run', () => {
  beforeAll(() => {
    used = emptyDataDir();
  });

  it('stops clean on SIGTERM in the middle of its start', async () => {
    const demo = DemoProcess.launch(used);
    await eventually(async () => runningPostgres(used), 60_000, 'PostgreSQL did not start');
    expect((await demo.ended('SIGTERM')).code).toBe(0);
    expect(runningPostgres(used)).toBeNull();
  });

  it('refuses in one line to start where its port is in use, and leaves no PostgreSQL behind', async () => {
    const holder = await holdPort();
    const ended = await DemoProcess.launch(used, { PORT: holder.port, LOG_LEVEL: 'info' }).ended();
    holder.close();
    expect([ended.code, ended.stdout]).toEqual([1, '']);
    expect(ended.stderr).toBe(
      `PORT ${holder.port} is already in use: stop the other program or choose another PORT.\n`,
    );
    expect(runningPostgres(used)).toBeNull();
  });
});

describe('a demo that runs', () => {
  let demo: DemoProcess;
  let refusedSecret: string | undefined;

  beforeAll(async () => {
    refusedSecret = demoSecret(used);
    demo = await DemoProcess.start(used, { METRICS_TOKEN, ...OFTEN });
  });

  afterAll(() => demo?.ended('SIGTERM'));

  const shop = (): ApiClient => new ApiClient(demo.file().base_url, demo.file().api_keys[0]?.key ?? '');
  const admin = (): ApiClient => new ApiClient(demo.file().base_url, demo.file().admin_key);

  it('has the secrets of the start before, which was refused', () => {
    expect(refusedSecret).toMatch(/^[0-9a-f]{64}$/);
    expect(demoSecret(used)).toBe(refusedSecret);
  });

  it('keeps its keys and secrets for the user alone who started it', () => {
    for (const name of ['demo.json', 'demo.env']) {
      expect(statSync(join(demo.dataDir, name)).mode & 0o777).toBe(0o600);
    }
  });

  it('prints one table and a curl that moves a card which an open board sees move', async () => {
    const { base_url: url, api_keys: keys, threads } = demo.file();
    const [key] = keys;
    const [thread] = threads;
    for (const line of [url, `${url}/docs`, key?.key, demo.file().admin_key])
      expect(demo.stdout).toContain(line);
    const board = await BoardClient.connect(url, { api_key: key?.key });
    await board.open(thread?.assistant_id ?? '');
    const { stdout } = await run('sh', ['-c', `${demo.curl()} -sS`]);
    const answer = JSON.parse(stdout) as { ok: boolean; data: { changed: boolean; status: { id: string } } };
    expect(answer).toMatchObject({ ok: true, data: { changed: true } });
    const moved = await board.hears(
      (event) => event.event === 'card.moved' && event.thread_id === thread?.thread_id,
    );
    expect(moved).toMatchObject({ from_status_id: thread?.status_id, to_status_id: answer.data.status.id });
    board.close();
  });

  it('says which model answers', () => {
    expect(demo.stdout).toMatch(/^ {2}Model +scripted, the sandbox's own$/m);
  });

  it('lets its own settings be overridden', async () => {
    const answer = await request(`${demo.file().base_url}/metrics`, {
      headers: { Authorization: `Bearer ${METRICS_TOKEN}` },
    });
    expect(answer.status).toBe(200);
  });

  it('names its scripted model in demo.env, and answers there', async () => {
    const set = parseEnv(readFileSync(join(demo.dataDir, 'demo.env'), 'utf8'));
    expect(set).toMatchObject({ AI_MODEL: 'scripted', AI_REPLY_DELAY_MS: '2000' });
    expect(set.AI_BASE_URL).toBe(`${demo.file().sandbox_url}/v1`);
    const answer = await request(`${set.AI_BASE_URL}/models`);
    expect(answer.status).toBe(200);
  });

  it('lets a further process join with demo.env, on its database and with its keys', async () => {
    const { DATABASE_URL = '', ...secrets } = parseEnv(
      readFileSync(join(demo.dataDir, 'demo.env'), 'utf8'),
    ) as Record<string, string>;
    const second = await startServer(DATABASE_URL, secrets);
    try {
      const { api_keys: keys, threads } = demo.file();
      const board = await BoardClient.connect(demo.file().base_url, { api_key: keys[0]?.key });
      await board.open(threads[1]?.assistant_id ?? '');
      const api = new ApiClient(second.url, keys[0]?.key ?? '');
      const { body } = await api.setStatus({ thread_id: threads[1]?.thread_id, status_name: 'отказ' });
      expect(body).toMatchObject({ ok: true, data: { changed: true } });
      await board.hears((event) => event.thread_id === threads[1]?.thread_id);
      board.close();
    } finally {
      await second.stop();
    }
  });

  it('refuses a second demo on its data directory in one line, and keeps its own files', async () => {
    const second = await DemoProcess.launch(demo.dataDir).ended();
    expect(second.code).toBe(1);
    expect(second.stderr).toMatch(
      /^The database in \S+ is in use by another running Leadline.* DATA_DIR\.\n$/,
    );
    expect(demo.file().api_keys).toHaveLength(4);
  });

  it('says everything that is wrong with its settings at once, a line each', async () => {
    const { code, stdout, stderr } = await DemoProcess.launch(emptyDataDir(), {
      PORT: 'abc',
      LOG_LEVEL: 'loud',
    }).ended();
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr.trimEnd().split('\n')).toEqual([
      'PORT must be a whole number from 0 to 65535',
      expect.stringMatching(/^LOG_LEVEL must be one of trace, debug, info/),
    ]);
  });

  describe('and is killed, and started again', () => {
    const file = (): DemoFile => demo.file();
    const number = (): { bot_id: string; channel: string; sender: string } => {
      const [{ id: bot_id, channels } = { id: '', channels: [] }] = file().bots;
      return { bot_id, channel: channels[0]?.channel ?? '', sender: channels[0]?.sender ?? '' };
    };
    let before: DemoFile;
    let moved: string;
    let approved: string;
    let pending: string;
    let since: string;

    const statusOf = async (id: string): Promise<string> =>
      ((await admin().admin('GET', `templates/${id}`)).body.data as { status: string }).status;
    const untilStatus = (id: string, wanted: string): Promise<unknown> =>
      eventually(
        async () => (await statusOf(id)) === wanted,
        STATES_MS,
        `template ${id} did not become ${wanted}`,
      );

    async function submitTemplate(name: string): Promise<string> {
      const { bot_id, channel } = number();
      const draft = await admin().admin('POST', 'templates', {
        ...{ bot_id, channel, template_id: name, name, language: 'ru', category: 'utility' },
        ...{ body: 'Здравствуйте, {{1}}, ваш заказ собран.', examples: { body: ['Аида'] } },
      });
      const { id } = draft.body.data as { id: string };
      expect((await admin().admin('POST', `templates/${id}/submit`, {})).status).toBe(200);
      return id;
    }

    async function threads(body: object): Promise<Thread[]> {
      const asked = { limit: 200, messages_limit: 10, ...body };
      return (await shop().call('messages/get-threads', asked)).body.data.threads as Thread[];
    }

    /** Waits until a message has come, or has failed. */
    const outcomeOf = ({ body }: Answer): Promise<string> =>
      eventually(
        async () => {
          const { status } = (await shop().getMessage(body.data.id)).body.data as { status: string };
          return ['delivered', 'read', 'failed'].includes(status) && status;
        },
        STATES_MS,
        'the message was neither delivered nor failed',
      );

    beforeAll(async () => {
      before = file();
      moved = before.threads[2]?.thread_id ?? '';
      const move = await shop().setStatus({ thread_id: moved, status_name: 'отказ' });
      expect(move.body.data).toMatchObject({ changed: true });
      const wrote = await fetch(`${before.sandbox_url}/handset/api/messages`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          ...{ sender: number().sender, phone: NEWCOMER, name: 'Ерлан', text: 'Вы открыты?' },
        }),
      });
      expect(wrote.status).toBe(200);
      const came = async (): Promise<boolean> => (await threads({ phones: [NEWCOMER] })).length === 1;
      await eventually(came, STATES_MS, 'the newcomer had no dialog');
      approved = await submitTemplate('order_packed');
      await untilStatus(approved, 'approved');
      pending = await submitTemplate('order_sent_off');
      await demo.ended('SIGKILL');
      since = new Date().toISOString();
      const plant = join(used, 'plant.cjs');
      writeFileSync(plant, FAILING_STOP);
      demo = await DemoProcess.start(used, {
        ...{ HOST: '127.0.0.2', DEMO_LIFE: '', NODE_OPTIONS: `--require ${plant}`, ...OFTEN },
      });
    });

    it('has its data and the same keys, on another address', async () => {
      const after = file();
      expect(after.base_url).toMatch(/^http:\/\/127\.0\.0\.2:\d+$/);
      expect(after.api_keys).toEqual(before.api_keys);
      expect(after.admin_key).toBe(before.admin_key);
      expect((await shop().getLead(moved)).body.data.status).toMatchObject({ name: 'Отказ' });
    });

    it('has customers who write and are answered by the agent, and one who has paid: nobody but its cast', async () => {
      expect(demo.stdout).toMatch(/^ {2}Customers +write now and then; DEMO_LIFE=0 /m);
      const cast = new Set(SCENES.flatMap((scene) => scene.cast.map(({ phone }) => phone)));
      const lived = async (body: object = {}): Promise<Thread[]> =>
        (await threads({ active_after: since, ...body })).filter(({ phone }) => cast.has(phone));
      const paid = async (): Promise<boolean> =>
        (await lived()).some((one) => one.lead_status?.name === 'Оплачено' && one.status_set_by === 'SYSTEM');
      await eventually(paid, BEGINS_MS, 'nobody paid');
      const runs = async (): Promise<boolean> => (await lived({ run_state: 'waiting' })).length > 0;
      await eventually(runs, BEGINS_MS, 'no scenario ran');
      const answered = async (): Promise<boolean> =>
        (await lived()).some(({ messages }) => {
          const place = messages.findIndex(({ role, created_at: at }) => role === 'USER' && at >= since);
          return place >= 0 && messages.slice(0, place).some(({ role }) => role === 'AI');
        });
      await eventually(answered, BEGINS_MS, 'no customer wrote, or the agent did not answer');
      // Those to whom something was sent before the kill.
      const ours = [NEWCOMER, ...before.threads.slice(0, 3).map(({ phone }) => phone)];
      const others = (await threads({ active_after: since })).map(({ phone }) => phone);
      expect(others.filter((phone) => !cast.has(phone) && !ours.includes(phone))).toEqual([]);
    });

    it('has stand-ins that know the customer who wrote, by name, and send what was approved', async () => {
      const { bot_id, channel, sender } = number();
      const [newcomer] = await threads({ phones: [NEWCOMER] });
      const text = await shop().sendText(newcomer?.thread_id ?? '', 'Да, до девяти.');
      expect(['delivered', 'read']).toContain(await outcomeOf(text));
      const phone = encodeURIComponent(NEWCOMER);
      const chat = await fetch(`${file().sandbox_url}/handset/api/chat?sender=${sender}&phone=${phone}`);
      expect(await chat.json()).toMatchObject({ name: 'Ерлан' });
      const to = { phone: NEWCOMER, params: ['Ерлан'] };
      const sent = await shop().sendTemplate({ bot_id, channel, to, template_id: 'order_packed' });
      expect(['delivered', 'read']).toContain(await outcomeOf(sent));
    });

    it('has stand-ins that know every template: none is disabled, and who was in moderation is decided', async () => {
      const { bot_id, channel } = number();
      const { body } = await admin().admin('POST', 'templates/synchronize', { bot_id, channel });
      expect(body.data).toMatchObject({ added: 0, disabled: 0 });
      expect(await statusOf(approved)).toBe('approved');
      await untilStatus(pending, 'approved');
      const { body: listed } = await admin().admin('GET', 'templates?limit=200');
      const templates = listed.data.templates as { template_id: string; status: string }[];
      const waiting = templates.filter(({ status }) => status === 'pending');
      expect(new Set(waiting.map(({ template_id }) => template_id))).toEqual(new Set(['winter_sale']));
    });

    // The last: it stops the demo.
    it('stops its PostgreSQL also while it starts that again, and when the server does not stop cleanly', async () => {
      const former = runningPostgres(used) ?? 0;
      process.kill(former, 'SIGKILL');
      await eventually(
        async () => ![null, former].includes(runningPostgres(used)),
        60_000,
        'PostgreSQL was not started again',
      );
      const { code, stderr } = await demo.ended('SIGINT');
      expect(stderr).toMatch(/^The demo did not stop cleanly: Error: planted/m);
      expect([code, runningPostgres(used)]).toEqual([1, null]);
    });
  });
});

describe('a demo that ends', () => {
  it('gives up in one line when its PostgreSQL keeps ending, and leaves nothing behind', async () => {
    const dataDir = usedDataDir();
    const demo = await DemoProcess.start(dataDir, ipv6 ? { HOST: '::1' } : {});
    const { base_url: url } = demo.file();
    expect(url.replace(/:\d+$/, '')).toBe(ipv6 ? 'http://[::1]' : 'http://127.0.0.1');
    expect((await request(`${url}/health/live`)).status).toBe(200);
    const said = (line: RegExp): number => demo.stderr.match(line)?.length ?? 0;
    for (let restarts = 0; restarts <= RESTARTS_MAX; restarts++) {
      await eventually(
        async () => said(/^PostgreSQL runs again\.$/gm) === restarts,
        60_000,
        'it did not return',
      );
      process.kill(runningPostgres(dataDir) ?? 0, 'SIGQUIT');
    }
    const { code, stderr } = await demo.ended();
    expect([code, said(/starting it again/g)]).toEqual([1, RESTARTS_MAX]);
    const [last] = stderr.trimEnd().split('\n').slice(-1);
    expect(last).toBe(
      `PostgreSQL ended 6 times within a minute: giving up. Why stands in ${join(dataDir, 'postgres/postgres.log')}.`,
    );
    expect(runningPostgres(dataDir)).toBeNull();
    expect(existsSync(join(dataDir, 'demo.json'))).toBe(false);
  });
});

describe('npm start with a DATABASE_URL', () => {
  it('is the server alone: nothing of the demo is in its database or on the disk', async () => {
    const database = await createDatabase();
    const dataDir = emptyDataDir();
    const server = DemoProcess.launch(dataDir, {
      ...{ DATABASE_URL: database.url, ALLOW_HTTP: '1', ...SECRETS },
    });
    await eventually(async () => server.stdout.includes('listens on'), 60_000, 'the server did not start');
    for (const table of ['accounts', 'api_keys', 'threads']) {
      const { rows } = await database.pool.query(`SELECT 1 FROM ${table}`);
      expect(rows).toHaveLength(0);
    }
    expect(() => statSync(join(dataDir, 'demo.json'))).toThrow('ENOENT');
    expect(() => statSync(join(dataDir, 'postgres'))).toThrow('ENOENT');
    expect((await server.ended('SIGTERM')).code).toBe(0);
    await database.drop();
  });

  it('does not start without its secrets, and names each', async () => {
    const { code, stderr } = await DemoProcess.launch(emptyDataDir(), {
      DATABASE_URL: 'postgres://nobody:none@127.0.0.1:1/leadline',
      SESSION_SECRET: 'changeme',
    }).ended();
    expect(code).toBe(1);
    expect(stderr).toMatch(/^SESSION_SECRET is too short/m);
    for (const name of Object.keys(SECRETS).filter((secret) => secret !== 'SESSION_SECRET'))
      expect(stderr).toContain(`${name} is missing`);
  });
});
