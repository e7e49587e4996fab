import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { holdPort } from '../../support/faults/held.port';
import { outcomeOf, type Outcome } from '../../support/programs/program.outcome';
import { SECRETS } from '../../support/programs/server.process';
import { createDatabase, type TestDatabase } from '../../support/database/test.database';

const UNREACHABLE = 'postgres://leadline:x@127.0.0.1:1/leadline';
const UNREACHABLE_LINE =
  'The database that DATABASE_URL names cannot be reached (ECONNREFUSED): check its host and port, and that PostgreSQL runs there.\n';
const SILENT_LINE =
  'The database that DATABASE_URL names cannot be reached (no answer in time): check its host and port, and that PostgreSQL runs there.\n';

let database: TestDatabase;
/** It waits for ten seconds, and meanwhile the other tests run. */
let outcomeOfSilence: Promise<Outcome>;

beforeAll(async () => {
  const holder = await holdPort();
  const silent = `postgres://leadline:x@127.0.0.1:${holder.port}/leadline`;
  outcomeOfSilence = startOn(silent).finally(() => holder.close());
  database = await createDatabase('18', { empty: true });
});

afterAll(() => database?.drop());

/** What a start in production says and how it ends, with all that it logs. */
const startOn = (databaseUrl: string, settings: Record<string, string> = {}): Promise<Outcome> =>
  outcomeOf('apps/server/src/main.js', [], {
    ...SECRETS,
    ...{ DATABASE_URL: databaseUrl, PORT: '0', ALLOW_HTTP: '1', LOG_LEVEL: 'info' },
    ...settings,
  });

const runOn = (command: string, databaseUrl: string, ...words: string[]): Promise<Outcome> =>
  outcomeOf(`apps/server/src/commands/${command}.command.js`, words, { DATABASE_URL: databaseUrl });

const failing = (stderr: string): Outcome => ({ code: 1, stdout: '', stderr });

// What is said of other failures: start-explanation.spec.ts, and of what a database refuses: migrations.db.spec.ts.
describe('a start that fails ends with exit code 1 and prints one line, which names the setting to correct', () => {
  it('DATABASE_URL, when nothing answers there', async () => {
    expect(await startOn(UNREACHABLE)).toEqual(failing(UNREACHABLE_LINE));
  });

  it('PORT, when another program has it', async () => {
    const migrated = await createDatabase();
    const holder = await holdPort();
    const line = `PORT ${holder.port} is already in use: stop the other program or choose another PORT.\n`;
    const outcome = await startOn(migrated.url, { PORT: holder.port });
    holder.close();
    await migrated.drop();
    expect(outcome).toEqual(failing(line));
  });

  it('MEDIA_DIR, when nothing can be written there, before the database is asked', async () => {
    const folder = join(__filename, 'media');
    const line = `The folder of files, ${folder}, cannot be written by this user (ENOTDIR): make it this user's own, or choose another one by MEDIA_DIR or DATA_DIR.\n`;
    expect(await startOn(UNREACHABLE, { MEDIA_DIR: folder })).toEqual(failing(line));
  });

  it('DATABASE_URL, when something takes the connection there and never answers', async () => {
    expect(await outcomeOfSilence).toEqual(failing(SILENT_LINE));
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

describe('a command', () => {
  it('ends with exit code 1 and says one line that names DATABASE_URL, when nothing answers there', async () => {
    expect(await runOn('migrate', UNREACHABLE)).toEqual(failing(UNREACHABLE_LINE));
  });

  it('does nothing for what it does not know, and nothing but to say what it does for --help', async () => {
    const [unknown, help] = await Promise.all([
      runOn('migrate', database.url, '--dry-run'),
      runOn('migrate', database.url, '--help'),
    ]);
    expect(unknown).toEqual(failing('"--dry-run" is not understood. Usage: npm run db:migrate\n'));
    expect(help).toMatchObject({ code: 0, stderr: '' });
    expect(help.stdout).toMatch(/^Usage: npm run db:migrate\n[A-Z].* DATABASE_URL .*\.\n$/);
    const { rows } = await database.pool.query(`SELECT 1 FROM pg_tables WHERE schemaname = 'public'`);
    expect(rows).toEqual([]);
  });

  it('is run as every other one: each of them is', () => {
    const folder = join(process.cwd(), 'apps/server/src/commands');
    const commands = readdirSync(folder).filter((name) => name.endsWith('.command.ts'));
    expect(commands.length).toBeGreaterThan(5);
    const run = /^void runCommand\(\{\n {2}usage:\s+['`]Usage: npm run \S+/m;
    for (const name of commands)
      expect([name, run.test(readFileSync(join(folder, name), 'utf8'))]).toEqual([name, true]);
  });
});
