import { BoardClient } from '../support/board.client';
import { AccountFixture } from '../support/fixture';
import { eventually } from '../support/eventually';
import { startServer, type ServerProcess } from '../support/server.process';
import { createDatabase, type TestDatabase } from '../support/test.database';

describe('a process that is stopped', () => {
  let database: TestDatabase;
  let board: BoardClient | undefined;
  const servers: ServerProcess[] = [];

  const start = async (environment: Record<string, string> = {}): Promise<ServerProcess> => {
    const server = await startServer(database.url, environment);
    servers.push(server);
    return server;
  };

  beforeAll(async () => {
    database = await createDatabase();
  });

  afterAll(async () => {
    board?.close();
    await Promise.all(servers.map((server) => server.stop()));
    await database?.drop();
  });

  it('lets its boards go so that they come back by themselves', async () => {
    const account = await AccountFixture.create(database.pool);
    const first = await start();
    const options = { reconnection: true, reconnectionDelay: 50, reconnectionDelayMax: 100 };
    board = await BoardClient.connect(first.url, { api_key: account.key }, options);
    const { socket } = board;
    await first.stop();
    await eventually(async () => !socket.connected, 5_000, 'the board was not let go');
    await start({ PORT: new URL(first.url).port });
    await eventually(async () => socket.connected, 5_000, 'the board stayed away');
    const { columns } = await board.open(account.assistantId);
    expect(columns).toHaveLength(4);
  });
});
