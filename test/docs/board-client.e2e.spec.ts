import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BOARD_NAMESPACE } from '@app/contracts/board-events';
import { Server } from 'socket.io';
import { readPages, ROOT } from './markdown.document';
import { eventually } from '../support/eventually';
import { ShellSession } from '../support/programs/shell.session';

const PAGE = 'docs/integrators/board.md';
const FILE = 'board.mjs';

let folder: string;
let shell: ShellSession;
let board: Server;
/** The refusals with which the stand-in for a service answers the next connections, in order. */
let refusals: string[] = [];
/** What it answers to a client that comes back. */
let missed: object[] = [];

beforeAll(async () => {
  const http = createServer();
  await once(http.listen(0, '127.0.0.1'), 'listening');
  board = new Server(http);
  board.of(BOARD_NAMESPACE).use((_, next) => {
    const code = refusals.shift();
    next(code === undefined ? undefined : Object.assign(new Error(code), { data: { code } }));
  });
  board.of(BOARD_NAMESPACE).on('connection', (socket) => {
    socket.on('board:open', ({ since }: { since?: number }, reply: (answer: object) => void) => {
      if (since !== undefined) return reply({ ok: true, data: { seq: since + 1, events: missed } });
      reply({ ok: true, data: { seq: 1, statuses: [], columns: [] } });
    });
  });
  folder = mkdtempSync(join(tmpdir(), 'leadline-client-'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  mkdirSync(join(folder, '.data'));
  const demo = {
    base_url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    assistants: [{ id: 'agent' }],
    api_keys: [{ key: 'key' }],
  };
  writeFileSync(join(folder, '.data/demo.json'), JSON.stringify(demo));
  const program = readPages()
    .find(({ path }) => path === PAGE)
    ?.blocks.find(({ words }) => words.includes(FILE));
  writeFileSync(join(folder, FILE), program?.text ?? '');
});

beforeEach(() => {
  shell = new ShellSession(folder);
});

afterEach(() => shell?.close());

afterAll(async () => {
  await board?.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

describe('the client that the page about the board gives to its readers', () => {
  it.each(['UNAVAILABLE', 'RATE_LIMITED'])('connects in the end, when it was refused as %s', async (code) => {
    refusals = [code, code];
    await shell.leaveRunning(FILE);
    await eventually(
      async () => shell.printed.includes('0 cards in 0 columns'),
      20_000,
      'it did not open its board',
    );
    expect(shell.printed.split('\n').filter((line) => line === code)).toHaveLength(2);
  });

  it('says after an outage how much it missed, repeated events counted once', async () => {
    const event = {
      event: 'ai.switched',
      seq: 2,
      thread_id: 't',
      version: 1,
      card: { phone: '+1', version: 1 },
    };
    missed = [event, event];
    await shell.leaveRunning(FILE);
    await eventually(async () => shell.printed.includes('0 columns'), 5_000, 'it did not open its board');
    // As when the connection breaks, which a client comes back from by itself.
    for (const socket of board.of(BOARD_NAMESPACE).sockets.values()) socket.conn.close();
    await eventually(
      async () => shell.printed.includes('watching again, 1 events missed\n'),
      20_000,
      'it did not say what it missed',
    );
    expect(shell.printed.split('\n').filter((line) => line === '+1: ai.switched')).toHaveLength(1);
  });
});
