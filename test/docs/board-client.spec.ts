import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BOARD_NAMESPACE } from '@app/contracts/board.events';
import { Server } from 'socket.io';
import { readPages, ROOT } from '../support/markdown.document';
import { eventually } from '../support/eventually';
import { ShellSession } from '../support/shell.session';

const PAGE = 'docs/integrators/board.md';
const FILE = 'board.mjs';

let folder: string;
let shell: ShellSession;
let board: Server;
/** What stands in for a service that turns clients away refuses the next connections with, in order. */
let refusals: string[] = [];

beforeAll(async () => {
  const http = createServer();
  await once(http.listen(0, '127.0.0.1'), 'listening');
  board = new Server(http);
  board.of(BOARD_NAMESPACE).use((_, next) => {
    const code = refusals.shift();
    next(code === undefined ? undefined : Object.assign(new Error(code), { data: { code } }));
  });
  board.of(BOARD_NAMESPACE).on('connection', (socket) => {
    socket.on('board:open', (_request: unknown, reply: (answer: object) => void) => {
      reply({ ok: true, data: { seq: 1, totals_seq: 1, totals_counted: [], statuses: [], columns: [] } });
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
});
