import { Agent, request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { eventually } from '../../support/eventually';
import { AccountFixture } from '../../support/database/fixture';
import { BoardClient } from '../../support/clients/board.client';
import { endAll, startServer, type ServerProcess } from '../../support/programs/server.process';
import { createDatabase, type TestDatabase } from '../../support/database/test.database';
import { uuidOf } from '../../support/database/thread.uuid';
import { untilWaiting } from '../../support/faults/waiting.sessions';

let database: TestDatabase;
/** One for each test, which stops it: their ends are waited for side by side. */
let servers: ServerProcess[] = [];
let taken = 0;
let account: AccountFixture;

beforeAll(async () => {
  database = await createDatabase();
  account = await AccountFixture.create(database.pool);
  servers = await Promise.all(Array.from({ length: 2 }, () => startServer(database.url)));
});

afterAll(async () => {
  await endAll(servers);
  await database?.drop();
});

/** A server of the test's own. */
const takeServer = (): ServerProcess => servers[taken++]!;

interface Outcome {
  /** 0: the request was sent on an established connection and got no answer. */
  status: number;
  /** Never reached the process: it listens no more. */
  refused: boolean;
}

/** A move over a connection that is kept alive, as integrators' clients do. */
function moveBy(
  server: ServerProcess,
  agent: Agent,
  thread: string,
  statusId: string | undefined,
): Promise<Outcome> {
  const body = JSON.stringify({ thread_id: thread, status_id: statusId });
  return new Promise((resolve) => {
    const sent = httpRequest(`${server.url}/api/v1/leads/set-status`, {
      method: 'POST',
      agent,
      headers: {
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(body),
        'X-API-Key': account.key,
      },
    });
    sent.on('response', (response) => {
      response.resume();
      response.on('end', () => resolve({ status: response.statusCode ?? 0, refused: false }));
      response.on('error', () => resolve({ status: 0, refused: false }));
    });
    sent.on('error', (error: NodeJS.ErrnoException) =>
      resolve({ status: 0, refused: error.code === 'ECONNREFUSED' }),
    );
    sent.end(body);
  });
}

describe('SIGTERM', () => {
  it.concurrent('under load lets every request that was sent have its answer, and ends with exit code 0', async () => {
    const server = takeServer();
    const agent = new Agent({ keepAlive: true, maxSockets: 16 });
    const threads = await Promise.all(Array.from({ length: 16 }, () => account.addThread()));
    const outcomes: Outcome[] = [];
    const work = async (thread: string): Promise<void> => {
      for (let move = 0; ; move++) {
        const outcome = await moveBy(server, agent, thread, account.stages[move % 2]);
        outcomes.push(outcome);
        if (outcome.status !== 200) return;
      }
    };
    const workers = Promise.all(threads.map(work));
    await eventually(async () => outcomes.length > 200, 20_000, 'the load was too small');
    expect(await server.stop()).toBe(0);
    await workers;
    agent.destroy();
    const statuses = new Set(outcomes.filter(({ refused }) => !refused).map(({ status }) => status));
    statuses.delete(503);
    expect([...statuses]).toEqual([200]);
    const acknowledged = outcomes.filter(({ status }) => status === 200).length;
    const { rows } = await database.pool.query<{ moves: number }>(
      'SELECT count(*)::int AS moves FROM events WHERE thread_id = ANY ($1)',
      [threads.map(uuidOf)],
    );
    expect(rows[0]?.moves).toBe(acknowledged);
  });

  it.concurrent('lets a request that waits for a lock have its answer, tells the boards to go elsewhere, and waits for no socket that never answers', async () => {
    const server = takeServer();
    const thread = await account.addThread();
    const board = await BoardClient.connect(server.url, { api_key: account.key });
    await board.open(account.assistantId);
    const silent = await silentSocket(server);
    const agent = new Agent({ keepAlive: true });
    const holder = await database.pool.connect();
    const { rows } = await holder.query<{ behind: number }>('SELECT pg_backend_pid() AS behind');
    const behind = rows[0]!.behind;
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM threads WHERE id = $1 FOR UPDATE', [uuidOf(thread)]);
    const waiting = moveBy(server, agent, thread, account.stages[0]);
    await untilWaiting(database.pool, 1, { behind });
    const stopped = server.stop();
    await eventually(async () => board.disconnectedBecause, 5_000, 'the board was not disconnected');
    await holder.query('COMMIT');
    holder.release();
    expect(await waiting).toEqual({ status: 200, refused: false });
    expect(await stopped).toBe(0);
    agent.destroy();
    silent.destroy();
  });
});

/** A websocket that is connected and takes nothing any more. */
async function silentSocket(server: ServerProcess): Promise<Socket> {
  const { hostname, port } = new URL(server.url);
  const silent = connect(Number(port), hostname);
  silent.on('error', () => undefined);
  let heard = '';
  silent.on('data', (bytes) => (heard += bytes.toString('latin1')));
  silent.write(
    [
      'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1',
      `Host: ${hostname}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      `Sec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}`,
      '\r\n',
    ].join('\r\n'),
  );
  // The end of the upgrade, and the first packet of Socket.IO.
  await eventually(async () => heard.includes('"sid"'), 5_000, 'the connection was not upgraded');
  return silent.removeAllListeners('data').pause();
}
