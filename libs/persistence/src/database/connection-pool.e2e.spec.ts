import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { ConnectionPool } from './connection-pool';

/** A message of PostgreSQL's protocol (PostgreSQL: Frontend/Backend Protocol, Message Formats). */
function message(type: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
}

const AUTHENTICATED = message('R', Buffer.alloc(4));
const READY = message('Z', Buffer.from('I'));
const SHUT_DOWN = message('E', Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0'));

let server: Server;
let pool: ConnectionPool;

beforeAll(async () => {
  // It lets each session in, and ends it in the same breath.
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(Buffer.concat([AUTHENTICATED, READY, SHUT_DOWN])));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  pool = new ConnectionPool({ host: '127.0.0.1', port, user: 'nobody', database: 'none', max: 2 });
});
afterAll(async () => {
  await pool.end();
  server.close();
});

it('a connection that is closed in the moment in which it is taken fails its statement, and ends no process', async () => {
  const uncaught: unknown[] = [];
  const take = (error: unknown): void => void uncaught.push(error);
  process.on('uncaughtException', take);
  try {
    for (let n = 0; n < 5; n += 1) {
      const client = await pool.connect();
      await expect(client.query('SELECT 1')).rejects.toThrow(/not queryable|terminat/i);
      client.release();
    }
  } finally {
    process.off('uncaughtException', take);
  }
  expect(uncaught).toEqual([]);
});
