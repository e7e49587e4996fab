import { BOARD_NAMESPACE, type BoardAck } from '@app/contracts/board-events';
import { createServer, type IncomingMessage, type Server as HttpServer } from 'node:http';
import {
  connect,
  createServer as listen,
  type AddressInfo,
  type Server as TcpServer,
  type Socket,
} from 'node:net';
import { json } from 'node:stream/consumers';
import { Server } from 'socket.io';
import { eventually } from '../../../../test/support/eventually';
import { createApi } from '../api-client';
import { BoardConnection, type ConnectionState } from './board-connection';
import type { BoardFault } from './board-requests';
import { BoardStore } from './board.store';
import { board as openBoard, type BoardOptions } from './live-board';
import { EventFollower, type FollowerOptions } from '../event-follower';

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
/** So many new connections are turned away. */
let turnedAway: number;

/** What operations answer, by the last word of their path. */
let pages: Record<string, object>;
/** Which of them was asked for, and of which dialog. */
let called: string[];

const portOf = (server: HttpServer | TcpServer): number => (server.address() as AddressInfo).port;
const open: { close(): void }[] = [];

// A pause of a second or more lasts a quarter: none of them is what these tests are about.
const { setTimeout: unhurried } = globalThis;
beforeAll(() => {
  jest
    .spyOn(globalThis, 'setTimeout')
    .mockImplementation((act: () => void, ms = 0) => unhurried(act, ms < 1_000 ? ms : ms / 4));
});
afterAll(() => jest.restoreAllMocks());

beforeEach(async () => {
  [asked, answers, closedDoors, links, isDead] = [[], {}, [], [], false];
  [turnedAway, pages, called] = [0, {}, []];
  http = createServer((request, response) => {
    const operation = request.url?.split('/').at(-1) ?? '';
    void json(request).then((body) => {
      called.push(`${operation} ${(body as { thread_id?: string }).thread_id ?? ''}`);
      const answer = { ok: true, data: pages[operation] };
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
    });
  });
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
    if (turnedAway > 0) {
      turnedAway -= 1;
      return void near.destroy();
    }
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

const replay = (...events: object[]): Answer => ({ ok: true, data: { seq: 10, events } });

const at = (second: number): string => `2026-01-01T00:00:${String(second).padStart(2, '0')}.000Z`;

const event = (seq: number, thread_id: string, second: number): object => ({
  ...{ event: 'card.moved', seq, thread_id, version: seq, at: at(second) },
  card: { ...cardOf(thread_id, 2), version: seq, assistant_id: 'assistant' },
});

/** To all who are connected. */
const send = (name: string, payload: object): void =>
  void io.of(BOARD_NAMESPACE).emit(name, { ...payload, event: undefined });

const cutAll = (): void => links.splice(0).forEach((end) => end.destroy());

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

  it('hears again of an agent whose board is not shown, asks until it does, and tells of the gap', async () => {
    const shown = show();
    await untilOnline(shown);
    const gap = jest.fn();
    shown.connection.onGap(gap);
    shown.connection.follow(['another']);
    const timesHeard = () => asked.filter(({ body }) => body.assistant_id === 'another').length;
    await until(() => timesHeard() === 1, 'it was not followed');
    answers['board:open'] = [refusal('UNAVAILABLE'), refusal('RATE_LIMITED')];
    send('board:resync', { assistant_id: 'another' });
    await until(() => timesHeard() === 4, 'it was not heard of again');
    await until(() => gap.mock.calls.length > 0, 'the gap was not told');
    expect(gap).toHaveBeenCalledTimes(1);
    expect(shown.refused).toEqual([]);
  });

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

describe('a board of the package', () => {
  function openOne(options: Partial<BoardOptions> = {}) {
    const baseUrl = `http://127.0.0.1:${portOf(network)}`;
    const board = openBoard({ baseUrl, assistantId: 'assistant', ...options });
    open.push(board);
    return board;
  }

  it('tells each event once where it has a filter, and shows what comes into it later', async () => {
    const board = openOne({ filter: { run_state: 'waiting' } });
    await board.ready;
    const told: string[] = [];
    board.on('event', (each) => void told.push(`${each.event} ${each.seq}`));
    send('card.moved', { ...event(11, 'c', 3), in_filter: false });
    send('card.updated', { ...event(11, 'c', 3), in_filter: true });
    await until(() => board.card('c') !== undefined, 'what came into the filter is not shown');
    answers['board:open'] = [replay({ ...event(11, 'c', 3), in_filter: true }, event(12, 'd', 4))];
    send('board:resync', { assistant_id: 'assistant' });
    await until(() => told.includes('card.moved 12'), 'the replay was not told');
    expect(told).toEqual(['card.moved 11', 'card.moved 12']);
  });

  it('is found with a slash at the end of the address, below a path, and by an id in capitals', async () => {
    const strip = (request: IncomingMessage): void => {
      request.url = request.url?.replace(/^\/of-a-proxy/, '');
    };
    http.prependListener('request', strip).prependListener('upgrade', strip);
    const board = openOne({
      ...{ baseUrl: `http://127.0.0.1:${portOf(network)}/of-a-proxy/`, assistantId: 'ASSISTANT' },
    });
    await board.ready;
    send('card.moved', event(11, 'c', 3));
    await until(() => board.card('c') !== undefined, 'the event was not shown');
  });

  it('tells of a gap where another view was asked for in an outage', async () => {
    const board = openOne();
    const gap = jest.fn();
    board.on('gap', gap);
    await board.ready;
    board.show({ sort: 'opened' });
    await until(() => timesAsked('board:open') === 2 && board.state() === 'online', 'it was not shown');
    expect(gap).not.toHaveBeenCalled();
    turnedAway = 2;
    cutAll();
    await until(() => board.state() !== 'online', 'the cut was not noticed');
    board.show({ sort: 'waiting' });
    await until(() => board.state() === 'online', 'it did not come back');
    expect(gap).toHaveBeenCalledTimes(1);
  });

  it('says of further cards that it was refused, and loads them when it is shown again', async () => {
    const board = openOne();
    await board.ready;
    answers['board:more'] = ['nothing'];
    const further = board.more(null);
    answers['board:open'] = [refusal('ASSISTANT_NOT_FOUND')];
    send('board:resync', { assistant_id: 'assistant' });
    await expect(further).rejects.toMatchObject({ name: 'BoardError', code: 'ASSISTANT_NOT_FOUND' });
    await expect(board.more(null)).rejects.toMatchObject({ code: 'ASSISTANT_NOT_FOUND' });
    board.show({ sort: 'opened' });
    await until(() => board.columns()[0]?.cards.length === 1, 'it was not shown again');
    await board.more(null);
    expect(board.columns()[0]?.cards).toHaveLength(2);
  });
});

describe('a follower of events', () => {
  const AGAIN = { seq: 10, columns: [] };

  function follow(given: Partial<FollowerOptions> = {}) {
    const url = `http://127.0.0.1:${portOf(network)}`;
    const told: (number | string | null)[] = [];
    const [states, ends]: [string[], unknown[]] = [[], []];
    const follower = new EventFollower({
      ...{ url, apiKey: 'key', assistantId: 'assistant' },
      api: createApi({ baseUrl: `http://127.0.0.1:${portOf(http)}`, csrf: () => null }),
      onEvent: (each) => void told.push(each.seq ?? ('message' in each ? each.message.id : null)),
      onState: (state) => void states.push(state),
      onEnd: (fault) => void ends.push(fault),
      ...given,
    });
    open.push(follower);
    return { follower, told, states, ends };
  }

  const isOnline = ({ states }: ReturnType<typeof follow>): Promise<boolean> =>
    until(() => states.at(-1) === 'online', 'it was not online');

  it('comes back where it was cut while it waited for its board, and was turned away after', async () => {
    answers['board:open'] = ['nothing', BOARD, replay()];
    const followed = follow();
    await until(() => timesAsked('board:open') === 1, 'it did not ask for its board');
    turnedAway = 2;
    cutAll();
    await isOnline(followed);
    expect(followed.ends).toEqual([]);
  });

  it('closed while it waits for its board, opens no other connection', async () => {
    answers['board:open'] = ['nothing'];
    let opened = 0;
    io.of(BOARD_NAMESPACE).on('connection', () => void (opened += 1));
    const { follower, ends } = follow();
    await until(() => timesAsked('board:open') === 1, 'it did not ask for its board');
    follower.close();
    await untilOnline(show());
    expect([opened, ends]).toEqual([2, []]);
  });

  it('tells nothing of before its start where it is cut in the midst of it', async () => {
    const before = event(9, 'b', 1);
    answers['board:open'] = [BOARD, 'nothing', replay(before), replay(before, event(11, 'b', 3))];
    const followed = follow();
    await until(() => timesAsked('board:open') === 2, 'it did not ask for what was before');
    cutAll();
    await isOnline(followed);
    send('board:resync', { assistant_id: 'assistant' });
    await until(() => followed.told.length > 0, 'it told nothing');
    expect(followed.told).toEqual([11]);
  });

  it('reads what was committed late, and nothing of before its start, where no replay reaches it', async () => {
    answers['board:open'] = [BOARD, replay(event(9, 'a', 20)), { ok: true, data: { ...AGAIN, seq: 200 } }];
    const followed = follow();
    await isOnline(followed);
    send('card.moved', event(101, 'a', 40));
    await until(() => followed.told.length === 1, 'it told nothing');
    pages = {
      'get-threads': { threads: [{ thread_id: 'b' }], has_more: false, next_cursor: null },
      'get-history': {
        entries: [
          { seq: 100, at: at(39), type: 'status' },
          { seq: 5, at: '2025-12-31T23:00:00.000Z', type: 'status' },
        ],
        next_cursor: null,
      },
      'get-messages': {
        messages: [
          { id: 'late', created_at: at(38) },
          { id: 'old', created_at: '2025-12-31T23:59:45.000Z' },
        ],
        next_cursor: null,
      },
    };
    send('board:resync', { assistant_id: 'assistant' });
    await until(() => followed.told.length >= 3, 'what was late was not told');
    send('card.moved', event(201, 'a', 50));
    await until(() => followed.told.includes(201), 'it did not go on');
    expect(followed.told).toEqual([101, 'late', 100, 201]);
  });

  it('reads again no dialog that is as it was told or read', async () => {
    const snapshot = (seq: number): Answer => ({ ok: true, data: { ...AGAIN, seq } });
    answers['board:open'] = [BOARD, replay(), snapshot(200), snapshot(300), snapshot(400)];
    const followed = follow();
    await isOnline(followed);
    send('card.moved', event(101, 'a', 40));
    await until(() => followed.told.length === 1, 'it told nothing');
    /** Which dialogs are read where the lists say so. */
    const readAt = async (a: object, next: number): Promise<string[]> => {
      called = [];
      pages = {
        'get-threads': {
          threads: [
            { ...cardOf('a', 2), ...a },
            { ...cardOf('b', 3), created_at: '2025-12-31T23:00:00.000Z' },
          ],
          ...{ has_more: false, next_cursor: null },
        },
        'get-history': { entries: [], next_cursor: null },
        'get-messages': { messages: [], next_cursor: null },
      };
      send('board:resync', { assistant_id: 'assistant' });
      await until(() => called.length > 0, 'it did not ask for what was missed');
      send('card.moved', event(next, 'c', 50));
      await until(() => followed.told.includes(next), 'it did not go on');
      return called.filter((each) => each.startsWith('get-history'));
    };
    expect(await readAt({ version: 101 }, 201)).toEqual(['get-history b']);
    expect(await readAt({ version: 102 }, 301)).toEqual(['get-history a']);
    // As after a restore: the same number of another state.
    expect(await readAt({ version: 102, updated_at: at(9) }, 401)).toEqual(['get-history a']);
  });

  it('given an event that is too old for a replay, ends and says so, unless the time is given as well', async () => {
    const snapshot: Answer = { ok: true, data: { ...AGAIN, seq: 5_000 } };
    answers['board:open'] = [BOARD, snapshot, BOARD, snapshot];
    const { ends, told } = follow({ since: { seq: 7 } });
    await until(() => ends.length > 0, 'it did not end');
    expect(String(ends[0])).toMatch(/event 7 .*time/);
    expect(told).toEqual([]);
    pages = {
      'get-threads': { threads: [{ thread_id: 'b' }], has_more: false, next_cursor: null },
      'get-history': {
        entries: [8, 7, 3].map((seq) => ({ seq, at: at(seq * 5), type: 'status' })),
        next_cursor: null,
      },
      'get-messages': { messages: [], next_cursor: null },
    };
    const other = follow({ since: { seq: 7, at: '2026-01-01T00:01:00.000Z' } });
    await until(() => other.told.length > 0, 'it read nothing');
    send('card.moved', event(5_001, 'a', 50));
    await until(() => other.told.length > 2, 'it did not go on');
    // What was committed late may be half a minute older than the event that was given.
    expect(other.told).toEqual([7, 8, 5_001]);
  });
});
