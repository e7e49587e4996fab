import { join } from 'node:path';
import { DatabaseUnavailableError } from '@app/persistence/database/database.errors';
import { explainStart } from '../../../apps/server/src/start.explanation';
import { holdPort } from '../../support/faults/held.port';
import { outcomeOf, type Outcome } from '../../support/programs/program.outcome';
import { SECRETS } from '../../support/programs/server.process';
import { CLUSTERS, createDatabase, type TestDatabase } from '../../support/database/test.database';

const UNREACHABLE = 'postgres://leadline:x@127.0.0.1:1/leadline';
const UNREACHABLE_LINE =
  'The database that DATABASE_URL names cannot be reached (ECONNREFUSED): check its host and port, and that PostgreSQL runs there.\n';
const SILENT_LINE =
  'The database that DATABASE_URL names cannot be reached (no answer in time): check its host and port, and that PostgreSQL runs there.\n';

let database: TestDatabase;
/** They wait for ten seconds, and meanwhile the other tests run. */
let outcomesOfSilence: Promise<Outcome[]>;

beforeAll(async () => {
  const holder = await holdPort();
  const silent = `postgres://leadline:x@127.0.0.1:${holder.port}/leadline`;
  outcomesOfSilence = Promise.all([startOn(silent), runOn('migrate-status', silent)]).finally(() =>
    holder.close(),
  );
  database = await createDatabase();
});

afterAll(() => database?.drop());

/** What a start in production says and how it ends, with all that it logs. */
const startOn = (databaseUrl: string, settings: Record<string, string> = {}): Promise<Outcome> =>
  outcomeOf('apps/server/src/main.js', [], {
    ...SECRETS,
    ...{ DATABASE_URL: databaseUrl, PORT: '0', ALLOW_HTTP: '1', LOG_LEVEL: 'info' },
    ...settings,
  });

const failing = (stderr: string): Outcome => ({ code: 1, stdout: '', stderr });

describe('a start that fails ends with exit code 1 and prints one line, which names the setting to correct', () => {
  it('DATABASE_URL, when nothing answers there', async () => {
    expect(await startOn(UNREACHABLE)).toEqual(failing(UNREACHABLE_LINE));
  });

  it('HOST, when it is no address of this machine', async () => {
    const line = 'HOST 192.0.2.1 is no address of this machine.\n';
    expect(await startOn(database.url, { HOST: '192.0.2.1' })).toEqual(failing(line));
  });

  it('PORT, when another program has it', async () => {
    const holder = await holdPort();
    const line = `PORT ${holder.port} is already in use: stop the other program or choose another PORT.\n`;
    const outcome = await startOn(database.url, { PORT: holder.port });
    holder.close();
    expect(outcome).toEqual(failing(line));
  });

  it('MEDIA_DIR, when nothing can be written there, before the database is asked', async () => {
    const folder = join(__filename, 'media');
    const line = `The folder of files, ${folder}, cannot be written by this user (ENOTDIR): make it this user's own, or choose another one by MEDIA_DIR or DATA_DIR.\n`;
    expect(await startOn(UNREACHABLE, { MEDIA_DIR: folder })).toEqual(failing(line));
  });

  it.each(['ENOTFOUND', 'EAI_AGAIN'])('the one of DATABASE_URL and HOST whose name gives %s', (code) => {
    const explain = (hostname: string) =>
      explainStart(Object.assign(new Error(`getaddrinfo ${code}`), { code, hostname }), {
        port: 3000,
        host: 'leadline.internal',
      });
    expect(explain('leadline.internal')).toMatch(/^HOST leadline\.internal /);
    expect(explain('db.internal')).toMatch(/DATABASE_URL .*\./);
  });

  it.each([
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'CERT_HAS_EXPIRED',
  ])('DATABASE_URL, when the certificate of its host gives %s', (code) => {
    const line = explainStart(Object.assign(new Error('of the certificate'), { code }));
    expect(line).toMatch(/^The database that DATABASE_URL names .* sslrootcert=/);
    expect(line).toContain(code);
  });

  it('the database, when it went away after the schema was up to date', () => {
    const line = explainStart(
      new DatabaseUnavailableError(new Error('timeout exceeded when trying to connect')),
    );
    expect(line).toMatch(/^The database that DATABASE_URL names cannot be reached \(no answer in time\)/);
  });

  it('PORT for an EACCES of listening only, not for one of a file', () => {
    const explain = (syscall: string) =>
      explainStart(Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES', syscall }), {
        port: 80,
        host: '127.0.0.1',
      });
    expect(explain('listen')).toMatch(/^PORT 80 may not be opened/);
    expect(explain('open')).not.toContain('PORT');
  });
});

const COMMANDS = ['migrate', 'migrate-status', 'create-admin-key'] as const;
const runOn = (command: (typeof COMMANDS)[number], databaseUrl: string): Promise<Outcome> =>
  outcomeOf(
    `apps/server/src/commands/${command}.command.js`,
    command === 'create-admin-key' ? ['--name', 'First admin'] : [],
    { DATABASE_URL: databaseUrl },
  );

function withUrl(change: (url: URL) => void): string {
  const url = new URL(CLUSTERS[0]?.url ?? '');
  change(url);
  return url.toString();
}

describe('a command ends with exit code 1 and says one line that names DATABASE_URL', () => {
  it.each(COMMANDS)('%s, when nothing answers there', async (name) => {
    expect(await runOn(name, UNREACHABLE)).toEqual(failing(UNREACHABLE_LINE));
  });

  it.each([
    [
      'the password is wrong',
      (url: URL) => void (url.password = 'wrong'),
      /: password authentication failed .* the user and password in DATABASE_URL/,
    ],
    [
      'the database does not exist',
      (url: URL) => void (url.pathname = '/none'),
      /: database "none" does not exist.* name in DATABASE_URL/,
    ],
    [
      'it speaks no TLS',
      (url: URL) => void (url.search = '?sslmode=verify-full'),
      /refuses: The server does not support SSL connections\. .* sslmode out of DATABASE_URL\.$/m,
    ],
    [
      'its host has no address',
      (url: URL) => void (url.hostname = 'none.invalid'),
      /cannot be reached \((ENOTFOUND|EAI_AGAIN)\).* its password must be percent-encoded\.$/m,
    ],
  ])('when %s', async (_what, change, line) => {
    const { code, stdout, stderr } = await runOn('migrate-status', withUrl(change));
    expect([code, stdout, stderr.split('\n').length]).toEqual([1, '', 2]);
    expect(stderr).toMatch(/^The database that DATABASE_URL names /);
    expect(stderr).toMatch(line);
  });
});

it.each([
  ['npm start', 'apps/demo/src/main.js', ['--port', '3001']],
  ['npm run start:prod', 'apps/server/src/main.js', ['--help']],
])('%s says that settings are no words', async (command, main, words) => {
  expect(await outcomeOf(main, words, { DATABASE_URL: UNREACHABLE })).toEqual(
    failing(`${command} takes no words: settings are environment variables, such as PORT=3001 ${command}\n`),
  );
});

it.each(['migrate', 'migrate-status'])(
  'the command %s does nothing for what it does not know',
  async (name) => {
    const empty = await createDatabase('18', { empty: true });
    const ask = (argument: string): Promise<Outcome> =>
      outcomeOf(`apps/server/src/commands/${name}.command.js`, [argument], { DATABASE_URL: empty.url });
    const usage = `Usage: npm run db:${name.replace('-', ':')}\n`;
    const help = await ask('--help');
    expect(help).toMatchObject({ code: 0, stderr: '' });
    expect(help.stdout).toMatch(new RegExp(`^${usage}[A-Z].* DATABASE_URL .*\\.\n$`));
    for (const word of ['--dry-run', 'now'])
      expect(await ask(word)).toEqual(failing(`"${word}" is not understood. ${usage}`));
    const { rows } = await empty.pool.query(`SELECT 1 FROM pg_tables WHERE schemaname = 'public'`);
    await empty.drop();
    expect(rows).toEqual([]);
  },
);

it('a user who may not create tables learns who must own the database', async () => {
  const empty = await createDatabase('18', { empty: true });
  const user = `poor_${process.pid}`;
  await empty.pool.query(`CREATE ROLE ${user} LOGIN PASSWORD 'poor'`);
  const url = new URL(empty.url);
  [url.username, url.password] = [user, 'poor'];
  const outcome = await runOn('migrate', url.toString());
  await empty.pool.query(`DROP ROLE ${user}`);
  await empty.drop();
  expect(outcome.stderr).toMatch(
    /DATABASE_URL .* permission denied for schema public.* owner of the database/,
  );
  expect(outcome.stderr.split('\n')).toHaveLength(2);
});

it.each(CLUSTERS)(
  'a database that cannot keep every alphabet is refused (PostgreSQL $name)',
  async ({ name }) => {
    const latin = await createDatabase(name, { empty: true, encoding: 'LATIN1' });
    const line =
      'The database that DATABASE_URL names keeps text as LATIN1: make one in UTF-8, with createdb --encoding UTF8 --template template0.\n';
    const outcomes = await Promise.all([startOn(latin.url), runOn('migrate', latin.url)]);
    const { rows } = await latin.pool.query(`SELECT 1 FROM pg_tables WHERE schemaname = 'public'`);
    await latin.drop();
    expect(outcomes).toEqual([failing(line), failing(line)]);
    expect(rows).toEqual([]);
  },
);

it('a start and a command say in a line that the database takes the connection and never answers', async () => {
  expect(await outcomesOfSilence).toEqual([failing(SILENT_LINE), failing(SILENT_LINE)]);
});
