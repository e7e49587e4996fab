import { AccountFixture } from '../../support/database/fixture';
import { createDatabase, type TestDatabase } from '../../support/database/test.database';
import { eventually } from '../../support/eventually';
import { startServer, type ServerProcess } from '../../support/programs/server.process';

/** Some four turns of an agent; in the long mode ten. */
const LONG_HISTORY = 100_000;

let database: TestDatabase;
let server: ServerProcess | undefined;

beforeAll(async () => {
  database = await createDatabase();
});

afterAll(async () => {
  await server?.kill('SIGKILL');
  await database?.drop();
});

it('a long history of one account, which is counted first, does not hold up the figures of another one', async () => {
  const accounts = [await AccountFixture.create(database.pool), await AccountFixture.create(database.pool)];
  const [first, second] = accounts.sort((one, other) => (one.id < other.id ? -1 : 1));
  await first!.addEvents(await first!.addThread(), LONG_HISTORY);
  await second!.addEvents(await second!.addThread(), 1);
  server = await startServer(database.url);
  /** How many events of an account are not counted yet. */
  const leftOf = async ({ id }: AccountFixture): Promise<number> => {
    const { rows } = await database.pool.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM events
        WHERE account_id = $1
          AND seq > coalesce((SELECT seq FROM figure_positions WHERE account_id = $1), 0)`,
      [id],
    );
    return rows[0]?.n ?? 0;
  };
  await eventually(async () => (await leftOf(second!)) === 0, 50_000, 'the short history is not counted');
  expect(await leftOf(first!)).toBeGreaterThan(0);
  await eventually(async () => (await leftOf(first!)) === 0, 120_000, 'the long history is not counted');
});
