import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { parseEnv, promisify } from 'node:util';
import { ApiClient, request } from '../support/clients/api.client';
import { BoardClient } from '../support/clients/board.client';
import { DemoProcess, runningPostgres, makeDataDir, removeDataDir } from '../support/programs/demo.process';
import { eventually } from '../support/eventually';
import { holdPort } from '../support/faults/held.port';
import { METRICS_TOKEN, SECRETS, startServer } from '../support/programs/server.process';
import { createDatabase } from '../support/database/test.database';

const run = promisify(execFile);

const RESTARTS_MAX = 5;

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

afterAll(() => dataDirs.forEach(removeDataDir));

describe('a demo whose port is in use', () => {
  it('refuses to start in one line, and leaves no PostgreSQL behind', async () => {
    used = emptyDataDir();
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
    demo = await DemoProcess.start(used, { METRICS_TOKEN });
  });

  afterAll(() => demo?.ended('SIGTERM'));

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

  it('starts again after kill -9 with its data and the same keys, on another address, then stops clean on Ctrl-C', async () => {
    const before = demo.file();
    const threadId = before.threads[2]?.thread_id ?? '';
    const key = before.api_keys[0]?.key ?? '';
    await new ApiClient(before.base_url, key).setStatus({ thread_id: threadId, status_name: 'оплачено' });
    await demo.ended('SIGKILL');

    demo = await DemoProcess.start(used, { HOST: '127.0.0.2' });
    const after = demo.file();
    expect(after.base_url).toMatch(/^http:\/\/127\.0\.0\.2:\d+$/);
    expect(after.api_keys).toEqual(before.api_keys);
    expect(after.admin_key).toBe(before.admin_key);
    const { body } = await new ApiClient(after.base_url, key).getLead(threadId);
    expect(body.data.status).toMatchObject({ name: 'Оплачено' });

    expect(runningPostgres(used)).not.toBeNull();
    expect((await demo.ended('SIGINT')).code).toBe(0);
    expect(runningPostgres(used)).toBeNull();
  });
});

describe('a demo that ends', () => {
  it('stops clean on SIGTERM while it starts its PostgreSQL again', async () => {
    const dataDir = usedDataDir();
    const demo = await DemoProcess.start(dataDir, ipv6 ? { HOST: '::1' } : {});
    const { base_url: url } = demo.file();
    expect(url.replace(/:\d+$/, '')).toBe(ipv6 ? 'http://[::1]' : 'http://127.0.0.1');
    expect((await request(`${url}/health/live`)).status).toBe(200);
    const former = runningPostgres(dataDir) ?? 0;
    process.kill(former, 'SIGKILL');
    await eventually(
      async () => ![null, former].includes(runningPostgres(dataDir)),
      60_000,
      'PostgreSQL was not started again',
    );
    expect((await demo.ended('SIGTERM')).code).toBe(0);
    expect(runningPostgres(dataDir)).toBeNull();
  });

  it('gives up in one line when its PostgreSQL keeps ending, and leaves nothing behind', async () => {
    const dataDir = usedDataDir();
    const demo = await DemoProcess.start(dataDir);
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

  it('stops its PostgreSQL also when the server does not stop cleanly', async () => {
    const dataDir = usedDataDir();
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
    await eventually(async () => runningPostgres(dataDir), 60_000, 'PostgreSQL did not start');
    expect((await demo.ended('SIGTERM')).code).toBe(0);
    expect(runningPostgres(dataDir)).toBeNull();
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
