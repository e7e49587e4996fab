import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BOARD_NAMESPACE } from '@app/contracts/board.events';
import { CONNECTION_LIMITS } from '@app/persistence/database/data-source.options';
import type { MoveOutcome } from '@app/persistence/leads/lead.repository';
import { FIND, MOVE } from '@app/persistence/leads/lead.statements';
import { POOL_SIZE } from '@app/persistence/persistence.module';
import type { LeadRow } from '@app/persistence/threads/card.columns';
import { Pool } from 'pg';
import { Server } from 'socket.io';
import { movedEvent } from './floor.event';
import { uuidOf } from '../support/thread.uuid';

/**
 * The floor: the least that could answer at all. The same prepared statements through a pool of the same size, and
 * the same socket library and event; no keys, no limits, no checks, no log, no feed: it tells boards what it just did itself.
 * Its caller says whose dialog it means, which in the service the key does.
 */
const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: POOL_SIZE, ...CONNECTION_LIMITS });
const ACTOR = JSON.stringify({ type: 'api_key', id: 'floor', name: 'floor' });

interface FloorRequest {
  account_id: string;
  assistant_id: string;
  thread_id: string;
  status_id: string;
}

async function setStatus({ account_id, assistant_id, thread_id, status_id }: FloorRequest): Promise<object> {
  const request = [account_id, uuidOf(thread_id), status_id, [assistant_id], false, false, null];
  const { rows } = await pool.query<MoveOutcome>({ ...MOVE, values: [...request, 'SYSTEM', ACTOR, true] });
  const [outcome] = rows;
  if (!outcome?.stage_id || outcome.seq === null) throw new Error('this was no move');
  const status = {
    id: outcome.stage_id,
    name: outcome.stage_name ?? '',
    kind: outcome.stage_kind ?? 'active',
    order: outcome.stage_order ?? 0,
  };
  const move = { seq: outcome.seq, threadId: thread_id, assistantId: assistant_id, status };
  boards.to('board').emit('card.moved', movedEvent(move));
  return {
    thread_id,
    changed: outcome.verdict === 'move',
    answered_pending_message: outcome.took,
    status: { ...status, ai_enabled: outcome.stage_ai_enabled },
  };
}

async function getLead({ account_id, assistant_id, thread_id }: FloorRequest): Promise<object> {
  const values = [account_id, uuidOf(thread_id), [assistant_id]];
  const { rows } = await pool.query<LeadRow>({ ...FIND, values });
  const [lead] = rows;
  return {
    thread_id,
    assistant_id: lead?.assistant_id,
    channel: lead?.channel,
    phone: lead?.phone,
    message_handler: lead?.ai_enabled ? 'AI' : 'OPERATOR',
    status: {
      id: lead?.status_id,
      name: lead?.status_name,
      kind: lead?.status_kind,
      order: lead?.status_order,
    },
    status_set_at: lead?.status_set_at,
    status_set_by: lead?.status_set_by,
  };
}

function answer(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) };
  response.writeHead(status, headers).end(text);
}

function serve(request: IncomingMessage, response: ServerResponse): void {
  const act = request.url?.endsWith('/set-status') ? setStatus : getLead;
  let text = '';
  request.setEncoding('utf8');
  request.on('data', (chunk: string) => (text += chunk));
  request.on('end', () => {
    act(JSON.parse(text) as FloorRequest).then(
      (data) => answer(response, 200, { ok: true, data }),
      (error: unknown) => answer(response, 500, { ok: false, error: String(error) }),
    );
  });
}

const server = createServer(serve);
const io = new Server(server, { serveClient: false, perMessageDeflate: false, transports: ['websocket'] });
const boards = io.of(BOARD_NAMESPACE).on('connection', (socket) => {
  socket.on('board:open', (_request: unknown, acknowledge: (answer: object) => void) => {
    void socket.join('board');
    acknowledge({ ok: true });
  });
});
server.listen(0, '127.0.0.1', () => {
  console.log(`The floor listens on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.on('SIGTERM', () => process.exit(0));
