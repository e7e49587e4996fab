import { setTimeout as sleep } from 'node:timers/promises';
import { BoardClient } from '../../support/clients/board.client';
import { AccountFixture } from '../../support/database/fixture';
import { eventually } from '../../support/eventually';
import { startServer, type ServerProcess } from '../../support/programs/server.process';
import { createDatabase, type TestDatabase } from '../../support/database/test.database';
import { untilWaiting } from '../../support/faults/waiting.sessions';

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

  afterEach(async () => {
    board?.close();
    await Promise.all(servers.splice(0).map((server) => server.stop()));
  });

  afterAll(() => database?.drop());

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

  it('ends quietly when it is stopped while it reads the event log', async () => {
    const account = await AccountFixture.create(database.pool);
    const server = await start();
    board = await BoardClient.connect(server.url, { api_key: account.key });
    await board.open(account.assistantId);
    const held = await database.pool.connect();
    try {
      await held.query('BEGIN; LOCK TABLE events IN ACCESS EXCLUSIVE MODE');
      await untilWaiting(database.pool, 1, { application: 'leadline feed' });
      const stopped = server.stop();
      // The feed reads each second: one read falls between the end of the boards and the end of the feed.
      await sleep(1_500);
      await held.query('ROLLBACK');
      expect(await stopped).toBe(0);
    } finally {
      held.release();
    }
    expect(server.output()).not.toContain('Cannot use a pool');
  });
});
