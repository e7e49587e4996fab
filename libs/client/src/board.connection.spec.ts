import { BOARD_NAMESPACE, type BoardAck } from '@app/contracts/board.events';
import { createServer, type Server as HttpServer } from 'node:http';
import {
  connect,
  createServer as listen,
  type AddressInfo,
  type Server as TcpServer,
  type Socket,
} from 'node:net';
import { Server } from 'socket.io';
import { eventually } from '../../../test/support/eventually';
import { BoardConnection, type ConnectionState } from './board.connection';
import type { BoardFault } from './board.requests';
import { BoardStore } from './board.store';

const DEADLINE_MS = 15_000;

type Answer = BoardAck<unknown> | 'nothing';

const refusal = (code: string): Answer =>
  ({ ok: false, error: { code, message: 'not now' } }) as BoardAck<never>;

const cardOf = (id: string, second: number) => {
  const at = `2026-01-01T00:00:0${second}.000Z`;
  return { thread_id: id, version: 1, lead_status: null, created_at: at, updated_at: at };
};

const BOARD: Answer = {
  ok: true,
  data: {
    ...{ seq: 10, statuses: [] },
    columns: [{ status_id: null, total: 2, cards: [cardOf('b', 2)], next_cursor: 'further' }],
  },
};
const PAGE: Answer = {
  ok: true,
  data: { seq: 11, status_id: null, cards: [cardOf('a', 1)], next_cursor: null },
};

/** The service's end of boards: it answers as it is told, each request by the next of its answers. */
let http: HttpServer;
let io: Server;
let asked: { name: string; body: Record<string, unknown> }[];
let answers: Record<string, Answer[]>;
/** With which codes the next handshakes are refused. */
let closedDoors: string[];

/** The network: connections that were frozen look alive, and nothing comes through them any more. */
let network: TcpServer;
let links: Socket[];
const frozen = new WeakSet<Socket>();
/** Whether new connections are frozen too. */
let isDead: boolean;

const portOf = (server: HttpServer | TcpServer): number => (server.address() as AddressInfo).port;
const open: BoardConnection[] = [];

beforeEach(async () => {
  [asked, answers, closedDoors, links, isDead] = [[], {}, [], [], false];
  http = createServer();
  io = new Server(http);
  io.of(BOARD_NAMESPACE)
    .use((_socket, next) => {
      const code = closedDoors.shift();
      next(code === undefined ? undefined : Object.assign(new Error('closed'), { data: { code } }));
    })
    .on('connection', (socket) =>
      socket.onAny((name: string, body: Record<string, unknown>, acknowledge: (answer: Answer) => void) => {
        asked.push({ name, body });
        const answer = answers[name]?.shift() ?? (name === 'board:open' ? BOARD : PAGE);
        if (answer !== 'nothing') acknowledge(answer);
      }),
    );
  network = listen((near) => {
    const far = connect(portOf(http), '127.0.0.1');
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const) {
      links.push(end);
      if (isDead) frozen.add(end);
      end.on('data', (bytes) => frozen.has(end) || other.write(bytes));
      end.on('close', () => frozen.has(end) || other.destroy()).on('error', () => end.destroy());
    }
  });
  for (const server of [http, network])
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  open.splice(0).forEach((connection) => connection.close());
  for (const end of links) end.destroy();
  await Promise.all([io.close(), new Promise((resolve) => network.close(resolve))]);
});

/** Nothing passes any more, and nobody is told. */
function die(): void {
  isDead = true;
  for (const end of links) frozen.add(end);
}

function show(socket: object = {}) {
  const store = new BoardStore();
  const refused: BoardFault[] = [];
  const connection = new BoardConnection({
    ...{ url: `http://127.0.0.1:${portOf(network)}`, store, socket },
    onRefused: (fault) => void refused.push(fault),
  });
  const states: ConnectionState[] = [];
  connection.subscribeState(() => void states.push(connection.state()));
  open.push(connection);
  connection.show({ assistantId: 'assistant' });
  return { store, connection, refused, states };
}

const until = (holds: () => boolean, words: string): Promise<boolean> =>
  eventually(() => Promise.resolve(holds()), DEADLINE_MS, words);

const timesAsked = (name: string): number => asked.filter((each) => each.name === name).length;

const untilOnline = ({ connection }: ReturnType<typeof show>): Promise<boolean> =>
  until(() => connection.state() === 'online', 'the board was not open');

describe('a connection of the board', () => {
  it('asks for its board again while the service is away or has too much to do', async () => {
    answers['board:open'] = [refusal('UNAVAILABLE'), refusal('RATE_LIMITED')];
    const shown = show();
    await untilOnline(shown);
    expect(timesAsked('board:open')).toBe(3);
    expect(shown.store.column(null)?.ids).toEqual(['b']);
    expect(shown.refused).toEqual([]);
  });

  it('asks for further cards again while the service is away or has too much to do', async () => {
    answers['board:more'] = [refusal('RATE_LIMITED'), refusal('UNAVAILABLE')];
    const shown = show();
    await untilOnline(shown);
    shown.connection.more(null);
    await until(() => shown.store.column(null)?.ids.length === 2, 'the further cards did not come');
    expect(timesAsked('board:more')).toBe(3);
  });

  it('comes again where the door was closed for a while', async () => {
    closedDoors = ['UNAVAILABLE', 'RATE_LIMITED'];
    const shown = show();
    await untilOnline(shown);
    expect(shown.states).toContain('offline');
    expect(shown.refused).toEqual([]);
  });

  it.each(['websocket', 'polling'])(
    'woken on a connection that looks alive and is dead, opens another one: %s',
    async (transport) => {
      const shown = show({ transports: [transport] });
      await untilOnline(shown);
      die();
      let isNoticed = false;
      shown.connection.subscribeState(() => {
        isNoticed = true;
        isDead = false;
      });
      shown.connection.wake();
      await until(() => isNoticed, 'its end was not noticed');
      await untilOnline(shown);
      expect(asked.at(-1)?.body.since).toBe(10);
    },
  );

  it('woken in the pause before its next try, tries at once', async () => {
    const shown = show({ reconnectionDelay: 600_000, reconnectionDelayMax: 600_000 });
    await untilOnline(shown);
    for (const end of links) end.destroy();
    await until(() => shown.connection.state() === 'connecting', 'its end was not noticed');
    shown.connection.wake();
    await untilOnline(shown);
    expect(timesAsked('board:open')).toBe(2);
  });
});
