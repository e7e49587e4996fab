import { createDatabase, type TestDatabase } from '../../support/database/test.database';
import { eventually } from '../../support/eventually';
import { WorkDatabase } from '@app/persistence/database/database.service';
import { WaitingRowsRepository } from '@app/persistence/sweeps/waiting-rows.repository';

let database: TestDatabase;
let rows: WaitingRowsRepository;
const asked: string[] = [];

beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database?.drop());
beforeEach(() => {
  asked.length = 0;
  const work = new WorkDatabase(database.pool);
  const run = work.run.bind(work);
  jest.spyOn(work, 'run').mockImplementation((statement, ...values) => {
    asked.push(statement.name);
    return run(statement, ...values);
  });
  rows = new WaitingRowsRepository(work);
});

it('sweeps that ask together share one look, and each hears of its own kinds', async () => {
  await database.pool.query(
    `SET LOCAL session_replication_role = replica; INSERT INTO parked_states (account_id, bot_id, channel, provider_id, state, body, next_check_at)
     SELECT gen_random_uuid(), gen_random_uuid(), 'whatsapp', 'p', 'read', '{}', now()`,
  );
  const answers = [rows.any(['parked']), rows.any(['imports', 'parked']), rows.any(['imports', 'media'])];
  expect(await Promise.all(answers)).toEqual([true, true, false]);
  expect(asked).toHaveLength(1);
});

it('a table that is locked holds up no sweep: there may be rows, and no second look waits beside the first', async () => {
  const holder = await database.pool.connect();
  await holder.query('BEGIN; LOCK TABLE imports IN ACCESS EXCLUSIVE MODE');
  expect(await rows.any(['imports'])).toBe(true);
  expect(await rows.any(['media'])).toBe(true);
  expect(asked).toHaveLength(1);
  await holder.query('ROLLBACK');
  holder.release();
  await eventually(async () => !(await rows.any(['media'])), 10_000, 'the look goes on');
});
