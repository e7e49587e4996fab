import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BOARD_NAMESPACE } from '@app/contracts/board-events';
import { LeadRepository } from '@app/persistence/leads/lead.repository';
import { PersistenceModule } from '@app/persistence/persistence.module';
import { NestFactory } from '@nestjs/core';
import { Server } from 'socket.io';
import { movedEvent } from './bare.event';
import { uuidOf } from '../support/database/thread.uuid';

/**
 * A bare server with the service's statements, which grows with them. It has no keys, limits, checks, log or feed. It
 * sends its own moves to boards. Its caller names the dialog's account, which in the service the key does.
 */
const ACTOR = { type: 'key', id: 'bare', name: 'bare' } as const;
let leads: LeadRepository;

interface BareRequest {
  account_id: string;
  assistant_id: string;
  thread_id: string;
  status_id: string;
}

async function setStatus({ account_id, assistant_id, thread_id, status_id }: BareRequest): Promise<object> {
  const of = { accountId: account_id, assistantIds: [assistant_id] };
  const outcome = await leads.moveToStage(of, {
    threadId: uuidOf(thread_id),
    statusId: status_id,
    setBy: 'SYSTEM',
    actor: ACTOR,
    answerPendingMessage: false,
    skipScenarios: false,
  });
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

async function getLead({ account_id, assistant_id, thread_id }: BareRequest): Promise<object> {
  const of = { accountId: account_id, assistantIds: [assistant_id] };
  const lead = await leads.findLead(of, uuidOf(thread_id));
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
    act(JSON.parse(text) as BareRequest).then(
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

async function listen(): Promise<void> {
  const url = process.env.DATABASE_URL ?? '';
  const app = await NestFactory.createApplicationContext(PersistenceModule.forDatabase(url), {
    logger: ['error'],
  });
  leads = app.get(LeadRepository);
  server.listen(0, '127.0.0.1', () => {
    console.log(`The bare server listens on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
}

void listen();
process.on('SIGTERM', () => process.exit(0));
