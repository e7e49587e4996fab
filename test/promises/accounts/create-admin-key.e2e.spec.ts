import { ApiClient } from '../../support/clients/api.client';
import { outcomeOf, type Outcome } from '../../support/programs/program.outcome';
import { startServer } from '../../support/programs/server.process';
import { createDatabase, type TestDatabase } from '../../support/database/test.database';

const USAGE = 'Usage: npm run admin:create-key -- --name "First admin"   (with the -- before --name)\n';

let database: TestDatabase;

beforeEach(async () => {
  database = await createDatabase('18', { empty: true });
});

afterEach(() => database?.drop());

const create = (...args: string[]): Promise<Outcome> =>
  outcomeOf('apps/server/src/commands/create-admin-key.command.js', args, { DATABASE_URL: database.url });

it('an admin key made on the command line is alone on standard output, and works; its id and name go to standard error', async () => {
  const first = await create('--name', 'First admin');
  expect(first).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ll_[\w-]{43}\n$/) });
  expect(first.stderr).toMatch(
    /^The database had no schema of this version: made it \(\w+(?:, \w+)*\)\.\nMade the admin key "First admin" with the id [\da-f-]{36}\. Keep what follows: it is not shown again\.\n$/,
  );
  const second = await create('--name=Second');
  expect(second.stderr).toMatch(/^Made the admin key "Second" .*\n$/);

  const server = await startServer(database.url);
  const api = new ApiClient(server.url, first.stdout.trim());
  const { status, body } = await api.admin('GET', 'api-keys');
  await server.stop();
  expect(status).toBe(200);
  const keys = body.data.api_keys as { id: string; name: string }[];
  expect(keys.map(({ name }) => name)).toEqual(['Second', 'First admin']);
  expect(first.stderr).toContain(keys[1]?.id);
});

it.each([
  ['no name', []],
  ['an empty name', ['--name', '']],
  ['a blank name', ['--name', '  ']],
  ['a name of more than 200 characters', ['--name', 'x'.repeat(201)]],
  ['an option without its name', ['--name']],
  ['a name without its option', ['First admin'], 'First admin'],
  ['a word too many', ['--name', 'First', 'admin'], 'admin'],
  ['an unknown option', ['--nam', 'x'], '--nam'],
])('%s is answered with the usage, before anything is made', async (_what, args, wrong = '') => {
  const named = wrong && `"${wrong}" is not understood. `;
  expect(await create(...args)).toEqual({ code: 1, stdout: '', stderr: named + USAGE });
  const { rows } = await database.pool.query(`SELECT 1 FROM pg_tables WHERE schemaname = 'public'`);
  expect(rows).toEqual([]);
});

it('--help is the usage and what it does', async () => {
  const purpose = 'Makes an admin key in the database that DATABASE_URL names, and prints it, once.\n';
  expect(await create('--help')).toEqual({ code: 0, stdout: USAGE + purpose, stderr: '' });
});
