import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { parseEnv, promisify } from 'node:util';
import { ApiClient, request } from '../support/clients/api.client';
import { BoardClient } from '../support/clients/board.client';
import {
  DemoProcess,
  runningPostgres,
  makeDataDir,
  removeDataDir,
  type EndedDemo,
} from '../support/programs/demo.process';
import { eventually } from '../support/eventually';
import { holdPort } from '../support/faults/held.port';
import { METRICS_TOKEN, SECRETS, startServer } from '../support/programs/server.process';
import { createDatabase } from '../support/database/test.database';

const run = promisify(execFile);

const RESTARTS_MAX = 5;

const dataDirs: string[] = [];
const emptyDataDir = (): string => {
  const dataDir = makeDataDir();
  dataDirs.push(dataDir);
  return dataDir;
};

let used: string | undefined;
/** A copy of one in which a demo has run: to make a cluster and fill it takes half of a start's time. */
async function usedDataDir(): Promise<string> {
  if (used === undefined) {
    used = emptyDataDir();
    await (await DemoProcess.start(used)).ended('SIGTERM');
  }
  const dataDir = emptyDataDir();
  // As root the cluster belongs to PostgreSQL's user, and stays his.
  execFileSync('cp', ['-a', `${used}/.`, dataDir]);
  return dataDir;
}

afterAll(() => dataDirs.forEach(removeDataDir));

describe('a demo that runs', () => {
  let demo: DemoProcess;

  beforeAll(async () => {
    demo = await DemoProcess.start(emptyDataDir(), { METRICS_TOKEN });
  });

  afterAll(async () => {
    await demo?.ended('SIGTERM');
    used = demo?.dataDir;
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
});

describe('a demo whose port is in use', () => {
  let dataDir: string;
  let port: string;
  let ended: EndedDemo;

  beforeAll(async () => {
    dataDir = emptyDataDir();
    const holder = await holdPort();
    ({ port } = holder);
    ended = await DemoProcess.launch(dataDir, { PORT: port, LOG_LEVEL: 'info' }).ended();
    holder.close();
  });

  it('refuses to start in one line, and leaves no PostgreSQL behind', () => {
    expect([ended.code, ended.stdout]).toEqual([1, '']);
    expect(ended.stderr).toBe(
      `PORT ${port} is already in use: stop the other program or choose another PORT.\n`,
    );
    expect(runningPostgres(dataDir)).toBeNull();
  });

  it('keeps its secrets for the next start', async () => {
    const secretOf = (): string | undefined =>
      parseEnv(readFileSync(join(dataDir, 'demo.env'), 'utf8')).DEMO_SECRET;
    const made = secretOf();
    expect(made).toMatch(/^[0-9a-f]{64}$/);
    const demo = await DemoProcess.start(dataDir);
    expect(secretOf()).toBe(made);
    await demo.ended('SIGTERM');
  });
});

describe('a demo on another address of this machine', () => {
  const addresses = Object.values(networkInterfaces()).flatMap((found = []) => found);
  const speaksIpv6 = addresses.some(({ address }) => address === '::1');
  const hosts: [string, string][] = [
    ['127.0.0.2', '127.0.0.2'],
    ['0.0.0.0', '127.0.0.1'],
  ];
  if (speaksIpv6) hosts.push(['::1', '[::1]']);
  it.each(hosts)('with HOST %s is reached where demo.json says', async (host, shown) => {
    const demo = await DemoProcess.start(await usedDataDir(), { HOST: host });
    const { base_url: url } = demo.file();
    try {
      expect(url).toMatch(/:\d+$/);
      expect(url.replace(/:\d+$/, '')).toBe(`http://${shown}`);
      expect((await request(`${url}/health/live`)).status).toBe(200);
    } finally {
      await demo.ended('SIGTERM');
    }
  });
});

describe('a demo that ends', () => {
  it('starts again after kill -9 with its data and the same keys, then stops clean on Ctrl-C', async () => {
    const dataDir = await usedDataDir();
    const first = await DemoProcess.start(dataDir);
    const before = first.file();
    const threadId = before.threads[2]?.thread_id ?? '';
    const key = before.api_keys[0]?.key ?? '';
    await new ApiClient(before.base_url, key).setStatus({ thread_id: threadId, status_name: 'оплачено' });
    await first.ended('SIGKILL');

    const second = await DemoProcess.start(dataDir);
    const after = second.file();
    expect(after.api_keys).toEqual(before.api_keys);
    expect(after.admin_key).toBe(before.admin_key);
    const { body } = await new ApiClient(after.base_url, key).getLead(threadId);
    expect(body.data.status).toMatchObject({ name: 'Оплачено' });

    expect(runningPostgres(dataDir)).not.toBeNull();
    expect((await second.ended('SIGINT')).code).toBe(0);
    expect(runningPostgres(dataDir)).toBeNull();
  });

  it('stops clean on SIGTERM while it starts its PostgreSQL again', async () => {
    const dataDir = await usedDataDir();
    const demo = await DemoProcess.start(dataDir);
    const former = runningPostgres(dataDir) ?? 0;
    process.kill(former, 'SIGKILL');
    await eventually(
      async () => ![null, former].includes(runningPostgres(dataDir)),
      20_000,
      'PostgreSQL was not started again',
    );
    expect((await demo.ended('SIGTERM')).code).toBe(0);
    expect(runningPostgres(dataDir)).toBeNull();
  });

  it('gives up in one line when its PostgreSQL keeps ending, and leaves nothing behind', async () => {
    const dataDir = await usedDataDir();
    const demo = await DemoProcess.start(dataDir);
    const said = (line: RegExp): number => demo.stderr.match(line)?.length ?? 0;
    for (let restarts = 0; restarts <= RESTARTS_MAX; restarts++) {
      await eventually(
        async () => said(/^PostgreSQL runs again\.$/gm) === restarts,
        30_000,
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

  it('stops its PostgreSQL also when the server does not stop cleanly', async () => {
    const dataDir = await usedDataDir();
    const plant = join(dataDir, 'plant.cjs');
    // The first who closes it is Socket.IO; the second, Nest, fails as by a stop that is not over in time.
    const fault = `const { Server } = require('node:http');
      const { close } = Server.prototype;
      let calls = 0;
      Server.prototype.close = function (...given) {
        calls += 1;
        if (calls > 1) throw new Error('planted');
        return close.apply(this, given);
      };`;
    writeFileSync(plant, fault);
    const demo = await DemoProcess.start(dataDir, { NODE_OPTIONS: `--require ${plant}` });
    const { code, stderr } = await demo.ended('SIGTERM');
    expect(stderr).toMatch(/^The demo did not stop cleanly: Error: planted/);
    expect(code).toBe(1);
    expect(runningPostgres(dataDir)).toBeNull();
  });

  it('stops clean on SIGTERM in the middle of its start', async () => {
    const dataDir = emptyDataDir();
    const demo = DemoProcess.launch(dataDir);
    await eventually(async () => runningPostgres(dataDir), 20_000, 'PostgreSQL did not start');
    expect((await demo.ended('SIGTERM')).code).toBe(0);
    expect(runningPostgres(dataDir)).toBeNull();
  });
});

describe('npm start with a DATABASE_URL', () => {
  it('is the server alone: nothing of the demo is in its database or on the disk', async () => {
    const database = await createDatabase();
    const dataDir = emptyDataDir();
    const server = DemoProcess.launch(dataDir, { DATABASE_URL: database.url, ...SECRETS });
    await eventually(async () => server.stdout.includes('listens on'), 20_000, 'the server did not start');
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
