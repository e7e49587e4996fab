import { callAuth, sessionOf, signIn, tokenOf, PASSWORD } from '../../support/clients/session.client';
import { createDatabase, type TestDatabase } from '../../support/database/test.database';
import { outcomeOf, type Outcome } from '../../support/programs/program.outcome';
import { startServer } from '../../support/programs/server.process';

const USAGE =
  'Usage: npm run admin:create-user -- --account "Harbour Coffee" --email owner@example.com --name "Aigerim"   (with the -- first)\n';
const ACCOUNT = 'Harbour Coffee';
const PUBLIC_URL = 'https://leadline.example.com';

let database: TestDatabase;

const make = async (): Promise<void> => {
  database = await createDatabase('18', { empty: true });
};
const drop = (): Promise<void> => database?.drop();

const create = (...args: string[]): Promise<Outcome> =>
  outcomeOf('apps/server/src/commands/create-user.command.js', args, {
    DATABASE_URL: database.url,
    PUBLIC_URL,
  });

const admin = (email: string, name: string, account = ACCOUNT): Promise<Outcome> =>
  create('--account', account, '--email', email, '--name', name);

describe('an admin who is made', () => {
  beforeEach(make);
  afterEach(drop);

  it('the first admin made on the command line opens the link once, and signs in by the password from then on', async () => {
    const made = await admin('owner@example.com', 'Aigerim');
    expect(made).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^https:\/\/leadline\.example\.com\/invitation#[\w-]{43}\n$/),
    });
    const token = tokenOf(made.stdout.trim());
    expect(made.stderr).toMatch(/^The database had no schema of this version: made it \(.+\)\.\n/);
    expect(made.stderr).toMatch(
      /\nMade the account "Harbour Coffee" \([\da-f-]{36}\)\.\nAigerim sets a password by this link, once, until \d{4}-.+Z:\n$/,
    );
    expect(made.stderr).not.toContain(token);

    const server = await startServer(database.url);
    try {
      const accept = () => callAuth(server.url, 'accept-invitation', { token, password: PASSWORD });
      const accepted = await accept();
      expect(accepted.body.data).toMatchObject({
        user: { email: 'owner@example.com', name: 'Aigerim', role: 'admin', assistant_ids: null },
        account: { name: ACCOUNT },
      });
      const again = await accept();
      expect([again.status, again.body.error.code]).toEqual([404, 'INVITATION_NOT_FOUND']);
      const session = await signIn(server.url, 'owner@example.com', PASSWORD);
      expect(session.userId).toBe(sessionOf(server.url, accepted).userId);
      expect((await session.call('admin/users')).body.data.users).toMatchObject([{ id: session.userId }]);
    } finally {
      await server.stop();
    }
  });

  it('a second admin comes into the account that has the name, and an address is taken once, which changes nothing', async () => {
    await admin('owner@example.com', 'Aigerim');
    const second = await admin('second@example.com', 'Dana');
    expect(second).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`In the account "${ACCOUNT}" (`),
    });
    const taken = await admin('OWNER@example.com', 'Somebody', 'Another account');
    expect([taken.code, taken.stdout]).toEqual([1, '']);
    expect(taken.stderr).toContain('Somebody has this e-mail address already.');
    const { rows: users } = await database.pool.query<{ email: string; role: string; account_id: string }>(
      'SELECT email, role, account_id FROM users ORDER BY created_at',
    );
    expect(users.map(({ email, role }) => [email, role])).toEqual([
      ['owner@example.com', 'admin'],
      ['second@example.com', 'admin'],
    ]);
    expect(users[0]?.account_id).toBe(users[1]?.account_id);
  });
});

describe('a command line', () => {
  beforeAll(make);
  afterAll(drop);

  it.each([
    ['no word', []],
    ['no name', ['--account', ACCOUNT, '--email', 'owner@example.com']],
    ['an address that is none', ['--account', ACCOUNT, '--email', 'owner', '--name', 'Aigerim']],
    ['a blank account', ['--account', ' ', '--email', 'owner@example.com', '--name', 'Aigerim']],
    [
      'a name of more than 200 characters',
      ['--account', ACCOUNT, '--email', 'owner@example.com', '--name', 'x'.repeat(201)],
    ],
  ])('%s is answered with the usage, before anything is made', async (_what, args) => {
    expect(await create(...args)).toEqual({ code: 1, stdout: '', stderr: USAGE });
    const { rows } = await database.pool.query(`SELECT 1 FROM pg_tables WHERE schemaname = 'public'`);
    expect(rows).toEqual([]);
  });
});
