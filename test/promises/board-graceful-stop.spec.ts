import { BoardClient } from '../support/board.client';
import { AccountFixture } from '../support/fixture';
import { eventually } from '../support/eventually';
import { startServer } from '../support/server.process';
import { createDatabase, type TestDatabase } from '../support/test.database';

describe('a process that is stopped', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createDatabase();
  });

  afterAll(() => database?.drop());

  it('lets its boards go so that they come back by themselves', async () => {
    const account = await AccountFixture.create(database.pool);
    const first = await startServer(database.url);
    const options = { reconnection: true, reconnectionDelay: 50, reconnectionDelayMax: 100 };
    const board = await BoardClient.connect(first.url, { api_key: account.key }, options);
    await first.stop();
    await eventually(async () => board.disconnectedBecause, 5_000, 'the board was not let go');
    const second = await startServer(database.url, { PORT: new URL(first.url).port });
    await eventually(async () => board.socket.connected, 5_000, 'the board stayed away');
    const { columns } = await board.open(account.assistantId);
    expect(columns).toHaveLength(4);
    board.close();
    await second.stop();
  });
});
