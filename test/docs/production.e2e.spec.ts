import { REQUIRED_SECRETS } from '@app/config/environment-schema';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { Client, Pool } from 'pg';
import { ApiClient } from '../support/clients/api.client';
import { dumpOf } from '../support/database/database.dump';
import { eventually } from '../support/eventually';
import { AccountFixture } from '../support/database/fixture';
import { readPages, ROOT, type Block } from './markdown.document';
import { postgresPrograms } from '../support/database/postgres.programs';
import { ShellSession } from '../support/programs/shell.session';
import { CLUSTERS, createDatabase } from '../support/database/test.database';

/**
 * Does what docs/running/production.md says about installing, in its order, on a database of this test: the blocks "sh
 * production", and with PostgreSQL's client programs those of "sh production postgres" too.
 */
const blocks = readPages()
  .filter(({ path }) => path === 'docs/running/production.md')
  .flatMap((page) => page.blocks)
  .filter(({ language, words: [first] }) => language === 'sh' && first === 'production');

/** A database is made by programs of its version or newer. */
const clusters = [...CLUSTERS].sort((one, other) => Number(other.name) - Number(one.name));
const [newest] = postgresPrograms();
const cluster = clusters.find(({ name }) => newest && newest.major >= Number(name));
const havePrograms = newest !== undefined && cluster !== undefined;
const withPrograms = havePrograms ? it : it.skip;
const REASON = havePrograms
  ? `PostgreSQL ${cluster.name}, programs of ${newest.major}`
  : 'needs createdb of PostgreSQL 15 or newer on this machine';

const NAME = `reader_${process.pid}`;
/** Typed twice at a prompt; in an address as docs/running/settings.md tells. */
const PASSWORD = 'p@ss/w#d';
const ENCODED_PASSWORD = 'p%40ss%2Fw%23d';
const KEY = /^ll_[\w-]{43}$/m;

let folder: string;
let shell: ShellSession;
let started: ChildProcess | undefined;
let drop = async (): Promise<void> => undefined;
let url: string;
let adminKey: string;
let printed = '';

/** The database and its user have a name of this test's own: another may exist under the name on the page. */
const asHere = ({ text }: Block): string =>
  text
    .replace(/\bleadline(?=_|\b)/g, NAME)
    .split('\n')
    .filter((line) => line !== 'npm ci')
    .join('\n');

function blockWith(words: string): Block {
  const block = blocks.find(({ text }) => text.includes(words));
  if (!block) throw new Error(`the page has no block with ${words}`);
  return block;
}
const readerDoes = (words: string, typed: readonly string[] = []): Promise<string> =>
  shell.run(asHere(blockWith(words)), typed);

const setting = (name: string): string =>
  new RegExp(`^${name}=(.*)$`, 'm').exec(readFileSync(join(folder, '.env'), 'utf8'))?.[1] ?? '';
function fillIn(settings: Record<string, string>): void {
  let text = readFileSync(join(folder, '.env'), 'utf8');
  for (const [name, value] of Object.entries(settings)) {
    text = text.replace(new RegExp(`^${name}=.*$`, 'm'), `${name}=${value}`);
  }
  writeFileSync(join(folder, '.env'), text);
}

/** In another terminal; the address that it prints. */
async function start(): Promise<string> {
  printed = '';
  started = spawn('sh', ['-c', asHere(blockWith('npm run start:prod'))], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [started.stdout, started.stderr])
    stream?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const port = await eventually(
    async () => /Leadline listens on http:\/\/\S+:(\d+)/.exec(printed)?.[1],
    20_000,
    'it did not start',
  ).catch((error: Error) => {
    throw new Error(`${error.message}:\n${printed}`);
  });
  return `http://127.0.0.1:${port}`;
}

async function stop(): Promise<void> {
  const { pid, exitCode } = started ?? {};
  if (!started || pid === undefined || exitCode !== null) return;
  const ended = once(started, 'exit');
  process.kill(-pid, 'SIGTERM');
  await ended;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'leadline-installed-'));
  for (const name of readdirSync(ROOT)) {
    if (!['.env', '.data', '.git'].includes(name)) symlinkSync(join(ROOT, name), join(folder, name));
  }
  const { hostname, port, username, password } = new URL((cluster ?? clusters[0])?.url ?? '');
  const superuser = { PGHOST: hostname, PGPORT: port, PGUSER: username, PGPASSWORD: password };
  shell = new ShellSession(folder, {
    ...(havePrograms ? superuser : {}),
    HOME: folder,
    PATH: [...(newest ? [newest.folder] : []), process.env.PATH].join(delimiter),
  });
  if (!havePrograms) {
    const database = await createDatabase(clusters[0]?.name, { empty: true });
    url = database.url;
    drop = () => database.drop();
    return;
  }
  url = `postgres://${NAME}:${ENCODED_PASSWORD}@${hostname}:${port}/${NAME}`;
  drop = async () => {
    const admin = new Client({ connectionString: cluster.url.replace(/\/[^/]*$/, '/postgres') });
    await admin.connect();
    for (const name of [NAME, `${NAME}_restored`])
      await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await admin.query(`DROP ROLE IF EXISTS ${NAME}`);
    await admin.end();
  };
});

afterAll(async () => {
  await stop();
  shell?.close();
  await drop();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

it('every block is run by one of the tests below', () => {
  const run = [
    'createuser',
    'cp .env',
    'db:migrate',
    'create-key',
    'start:prod',
    'npm run backup',
    'createdb',
    'npm run restore',
    'db:resume-sending',
  ];
  expect(blocks.filter(({ text }) => !run.some((words) => text.includes(words)))).toEqual([]);
  expect(blocks).toHaveLength(run.length);
});

describe('an administrator who installs it', () => {
  withPrograms(`creates the database (${REASON})`, async () => {
    await readerDoes('createuser', [PASSWORD, PASSWORD]);
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.end();
  });

  it('fills in the settings', async () => {
    const output = await readerDoes('cp .env.example .env');
    const [secret = ''] = /^[\da-f]{64}$/m.exec(output) ?? [];
    expect(secret).not.toBe('');
    const secrets = REQUIRED_SECRETS.map((name, n) => [name, `a${n}${secret.slice(2)}`]);
    fillIn({
      DATABASE_URL: url,
      ...Object.fromEntries(secrets),
      DATA_DIR: join(folder, 'state'),
      PORT: '0',
      PUBLIC_URL: 'https://leadline.example.com',
    });
  });

  it('makes the schema, which is then complete', async () => {
    expect(await readerDoes('npm run db:migrate')).not.toMatch(/pending/);
  });

  it('makes the first admin key', async () => {
    const [key] = KEY.exec(await readerDoes('admin:create-key')) ?? [];
    expect(key).toBeDefined();
    adminKey = key ?? '';
  });

  it('starts it, and the key governs', async () => {
    const api = new ApiClient(await start(), adminKey);
    expect((await api.admin('GET', 'accounts')).status).toBe(200);
  });

  withPrograms(`backs it up while it runs, and restores all of it (${REASON})`, async () => {
    const before = new Pool({ connectionString: url, max: 2 });
    const account = await AccountFixture.create(before);
    const thread = await account.addThread();
    const moved = await new ApiClient(await running(), account.key).setStatus({
      thread_id: thread,
      status_id: account.stages[1],
    });
    expect(moved.body.data).toMatchObject({ changed: true });
    const file = join(folder, 'state/media', account.id, 'ab', 'ab'.repeat(32));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, 'what a customer sent');
    await readerDoes('npm run backup');
    expect(statSync(join(folder, `${NAME}.backup`)).mode & 0o777).toBe(0o600);
    const kept = await dumpOf(before);
    await before.end();
    await stop();

    await readerDoes('leadline_restored');
    expect(setting('DATABASE_URL')).toBe(`${url}_restored`);
    writeFileSync(file, 'what came after the backup');
    await readerDoes('npm run restore');
    expect(readFileSync(file, 'utf8')).toBe('what a customer sent');
    const after = new Pool({ connectionString: `${url}_restored`, max: 2 });
    const restored = await dumpOf(after);
    await after.end();
    // With the hold, and an event that has boards read anew.
    expect(restored.sending_holds).not.toBe('');
    for (const table of ['sending_holds', 'events']) [kept[table], restored[table]] = ['', ''];
    expect(restored).toEqual(kept);

    const api = new ApiClient(await start(), account.key);
    expect((await api.setStatus({ thread_id: thread, status_id: account.stages[2] })).status).toBe(200);
    const { body } = await api.getHistory({ thread_id: thread });
    const [latest, first] = body.data.entries as { seq: number }[];
    expect(latest!.seq).toBeGreaterThan(first!.seq);
    expect(printed).toMatch(/Sending is held/);
    expect(await readerDoes('db:resume-sending')).toMatch(/Sending goes on/);
  });
});

describe('an administrator who restores it', () => {
  const OLD = 'postgres://leadline:x@db.internal:5432/leadline';
  const NEW = `${OLD}_restored`;
  let elsewhere: string;
  let session: ShellSession;

  beforeEach(() => {
    elsewhere = mkdtempSync(join(tmpdir(), 'leadline-restored-'));
    session = new ShellSession(elsewhere, { PATH: '/usr/bin:/bin' });
  });

  afterEach(() => {
    session?.close();
    rmSync(elsewhere, { recursive: true, force: true });
  });

  it.each(['', '?sslmode=verify-full', '?options=-c%20search_path=/leadline'])(
    'has the new name in an address with %j behind the old one',
    async (parameters) => {
      writeFileSync(join(elsewhere, '.env'), `PORT=3000\nDATABASE_URL=${OLD}${parameters}\n`);
      const change = blockWith('leadline_restored\\1')
        .text.split('\n')
        .find((line) => line.startsWith('sed '));
      await session.run(change ?? '');
      expect(readFileSync(join(elsewhere, '.env'), 'utf8')).toBe(
        `PORT=3000\nDATABASE_URL=${NEW}${parameters}\n`,
      );
    },
  );
});

/** The address of the process that was started. */
async function running(): Promise<string> {
  const [, port] = /Leadline listens on http:\/\/\S+:(\d+)/.exec(printed) ?? [];
  return `http://127.0.0.1:${port}`;
}
