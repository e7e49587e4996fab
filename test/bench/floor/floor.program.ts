import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'pg';
import { Server } from 'socket.io';

/**
 * The floor that the service is measured against: the least that could answer at all. One prepared statement for each
 * call, node:http and Socket.IO; no keys, limits, checks, log or feed. It sends each move to every open board.
 *
 * It is frozen and does not grow with the product: it imports nothing of the product, and has its own statements and
 * tables. A floor that runs the product's statements hides what those cost: it showed 0.71 where this one shows 0.39.
 */
const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 16 });

const MOVE = {
  name: 'floor-move',
  text: `WITH old AS (SELECT id, status_id FROM floor_threads WHERE id = $1 FOR UPDATE),
    moved AS (UPDATE floor_threads t SET status_id = $2, version = t.version + 1, last_activity_at = now(), updated_at = now()
      FROM old WHERE t.id = old.id RETURNING t.id, old.status_id AS from_status, t.status_id, t.version),
    event AS (INSERT INTO floor_history (thread_id, from_status, to_status, actor, payload)
      SELECT id, from_status, status_id, 1, '{"type":"lead.status","v":1}' FROM moved RETURNING id)
    SELECT moved.*, event.id AS seq FROM moved, event`,
};
const FIND = {
  name: 'floor-find',
  text: 'SELECT id, assistant_id, status_id, title, phone, last_message, last_activity_at, version FROM floor_threads WHERE id = $1',
};

interface FloorRequest {
  thread_id: string;
  status_id: number;
}

interface MovedRow {
  version: number;
  seq: string;
}

async function setStatus({ thread_id, status_id }: FloorRequest): Promise<object | undefined> {
  const { rows } = await pool.query<MovedRow>({ ...MOVE, values: [thread_id, status_id] });
  const [row] = rows;
  if (row) board.emit('card.moved', { thread_id, version: row.version, seq: row.seq, status_id });
  return row;
}

async function getLead({ thread_id }: FloorRequest): Promise<object | undefined> {
  const { rows } = await pool.query<object>({ ...FIND, values: [thread_id] });
  return rows[0];
}

function serve(request: IncomingMessage, response: ServerResponse): void {
  const act = request.url?.endsWith('/set-status') ? setStatus : getLead;
  let text = '';
  request.setEncoding('utf8');
  request.on('data', (chunk: string) => (text += chunk));
  request.on('end', () => {
    act(JSON.parse(text) as FloorRequest).then(
      (data) => {
        const body = JSON.stringify({ ok: data !== undefined, data });
        const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
        response.writeHead(200, headers).end(body);
      },
      (error: unknown) => {
        const body = String(error);
        response.writeHead(500, { 'content-length': Buffer.byteLength(body) }).end(body);
      },
    );
  });
}

const server = createServer(serve);
const board = new Server(server, {
  perMessageDeflate: false,
  transports: ['websocket'],
  serveClient: false,
}).of('/board');
server.listen(0, '127.0.0.1', () => {
  console.log(`The floor listens on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.on('SIGTERM', () => process.exit(0));
