import { callAuth, sessionOf, signIn, tokenOf, PASSWORD } from '../../support/clients/session.client';
import { createDatabase } from '../../support/database/test.database';
import { outcomeOf, type Outcome } from '../../support/programs/program.outcome';
import { setScene } from '../../support/scenes/base.scene';

const USAGE =
  'Usage: npm run admin:create-user -- --account "Harbour Coffee" --email owner@example.com --name "Aigerim"   (with the -- first)\n';
const ACCOUNT = 'Harbour Coffee';
const ANOTHER = 'Another account';

const scene = setScene();

const create = (args: string[], url = scene.database.url): Promise<Outcome> =>
  outcomeOf('apps/server/src/commands/create-user.command.js', args, {
    DATABASE_URL: url,
    PUBLIC_URL: 'https://leadline.example.com',
  });

const wordsOf = (email: string, name: string, account = ACCOUNT): string[] => [
  ...['--account', account, '--email', email, '--name', name],
];

const admin = (...words: Parameters<typeof wordsOf>): Promise<Outcome> => create(wordsOf(...words));

const kept = async (): Promise<object[]> => {
  const { rows } = await scene.database.pool.query<object>(
    `SELECT a.name AS account, u.email, u.role FROM accounts a LEFT JOIN users u ON u.account_id = a.id
      WHERE a.name = ANY ($1) ORDER BY u.created_at`,
    [[ACCOUNT, ANOTHER]],
  );
  return rows;
};

it('the first admin made on the command line opens the link once, and signs in by the password from then on', async () => {
  const made = await admin('owner@example.com', 'Aigerim');
  expect(made).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^https:\/\/leadline\.example\.com\/invitation#[\w-]{43}\n$/),
  });
  const token = tokenOf(made.stdout.trim());
  expect(made.stderr).toMatch(
    /^Made the account "Harbour Coffee" \([\da-f-]{36}\)\.\nAigerim sets a password by this link, once, until \d{4}-.+Z:\n$/,
  );
  expect(made.stderr).not.toContain(token);
  const { url } = scene.server;
  const accept = () => callAuth(url, 'accept-invitation', { token, password: PASSWORD });
  const accepted = await accept();
  expect(accepted.body.data).toMatchObject({
    user: { email: 'owner@example.com', name: 'Aigerim', role: 'admin', assistant_ids: null },
    account: { name: ACCOUNT },
  });
  const again = await accept();
  expect([again.status, again.body.error.code]).toEqual([404, 'INVITATION_NOT_FOUND']);
  const session = await signIn(url, 'owner@example.com', PASSWORD);
  expect(session.userId).toBe(sessionOf(url, accepted).userId);
  expect((await session.call('admin/users')).body.data.users).toMatchObject([{ id: session.userId }]);
});

it('a second admin comes into the account that has the name, and an address is taken once, which changes nothing', async () => {
  const [second, taken] = [
    await admin('second@example.com', 'Dana'),
    await admin('OWNER@example.com', 'Somebody', ANOTHER),
  ];
  expect(second).toMatchObject({ code: 0, stderr: expect.stringContaining(`In the account "${ACCOUNT}" (`) });
  expect([taken.code, taken.stdout]).toEqual([1, '']);
  expect(taken.stderr).toContain('Somebody has this e-mail address already.');
  expect(await kept()).toEqual([
    { account: ACCOUNT, email: 'owner@example.com', role: 'admin' },
    { account: ACCOUNT, email: 'second@example.com', role: 'admin' },
  ]);
});

it('what is no address, name or account is answered with the usage, before anything is made', async () => {
  const before = await kept();
  const wrong = [
    wordsOf('owner', 'Aigerim'),
    wordsOf('third@example.com', 'Aigerim', ' '),
    wordsOf('fourth@example.com', 'x'.repeat(201)),
  ];
  const outcomes = await Promise.all(wrong.map((args) => create(args)));
  expect(outcomes).toEqual(wrong.map(() => ({ code: 1, stdout: '', stderr: USAGE })));
  expect(await kept()).toEqual(before);
});

it('in an empty database the schema is made first, and said so', async () => {
  const empty = await createDatabase('18', { empty: true });
  try {
    expect(await create(wordsOf('owner@example.com', 'Aigerim'), empty.url)).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(
        /^The database had no schema of this version: made it \(\w+(?:, \w+)*\)\.\nMade the account /,
      ),
    });
  } finally {
    await empty.drop();
  }
});
