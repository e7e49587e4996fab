import {
  BOARD_EVENTS,
  type BoardEvent,
  type BoardOpenRequest,
  type BoardReplay,
  type BoardSnapshot,
  type ColumnTotal,
  type DialogPresence,
  BOARD_NAMESPACE,
} from '@app/contracts/board-events';
import type { ErrorCode } from '@app/contracts/error-codes';
import { io, type ManagerOptions, type Socket, type SocketOptions } from 'socket.io-client';
import { BoardRequests, passes, type BoardFault } from './board-requests';

const RETRY_MS = 1_000;

/** What is to be done later, unless all is over before. */
export class PauseTimers {
  private readonly timers = new Set<ReturnType<typeof setTimeout>>();

  after(ms: number, act: () => unknown): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      act();
    }, ms);
    this.timers.add(timer);
  }

  /** After a second or two: many clients should not come back at one instant. */
  soon(act: () => unknown, ms = RETRY_MS): void {
    this.after(ms + RETRY_MS * Math.random(), act);
  }

  stop(): void {
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
  }
}

/** Where the boards of a service are, in the words of Socket.IO. */
interface BoardAddress {
  url: string;
  path: string;
}

/**
 * @param baseUrl of the service, with or without a slash at its end, such as `https://example.com/leadline`; in its own
 * pages none is needed
 */
function boardAddress(baseUrl = ''): BoardAddress {
  const [, origin = '', prefix = ''] = /^([a-z][a-z\d+.-]*:\/\/[^/]*)?(.*?)\/*$/i.exec(baseUrl) ?? [];
  return { url: origin + BOARD_NAMESPACE, path: `${prefix}/socket.io` };
}

export interface BoardSocketOptions {
  /** Of the service; in its own pages none is needed. */
  url?: string;
  /** `extraHeaders` or `auth`, where the cookie does not come by itself. */
  socket?: Partial<ManagerOptions & SocketOptions>;
}

/** What a connection tells. */
interface BoardSocketListener {
  connected: () => void;
  /** It was lost, and comes back by itself. */
  lost: () => void;
  /** A try has failed. Another one follows, unless it was refused for good: that is told, too. */
  failed: () => void;
  refused: (fault: BoardFault) => void;
  event: (event: BoardEvent) => void;
  /** The board of this agent must be opened again. */
  resync: (assistantId: string) => void;
  total?: (total: ColumnTotal) => void;
  presence?: (presence: DialogPresence) => void;
}

/** What becomes of the question for a board. */
interface BoardAnswers {
  taken: (answer: BoardSnapshot | BoardReplay) => void;
  refused: (fault: BoardFault) => void;
}

/** A connection to boards that comes back by itself, and asks for a board until it has it. */
export class BoardSocket {
  readonly requests: BoardRequests;
  readonly pauses = new PauseTimers();
  private readonly socket: Socket;
  /** The last question for a board; the answers to others are outdated. */
  private asked = 0;

  constructor(
    { url, socket }: BoardSocketOptions,
    private readonly listener: BoardSocketListener,
  ) {
    const { url: address, path } = boardAddress(url);
    this.socket = io(address, {
      path,
      transports: ['websocket', 'polling'],
      tryAllTransports: true,
      reconnectionDelay: 500,
      reconnectionDelayMax: 5_000,
      forceNew: true,
      ...socket,
    });
    this.requests = new BoardRequests(this.socket);
    this.listen();
  }

  get isConnected(): boolean {
    return this.socket.connected;
  }

  /** Another one when a board was asked for, or none is wanted, or the connection was lost. */
  get turn(): number {
    return this.asked;
  }

  /** Asks for a board, and asks again while its failure may pass; the last question counts. */
  open(request: () => BoardOpenRequest, { taken, refused }: BoardAnswers, deadlineMs?: number): void {
    const turn = (this.asked += 1);
    if (!this.isConnected) return;
    this.requests.send<BoardSnapshot | BoardReplay>(
      'board:open',
      request(),
      (answer) => turn === this.asked && taken(answer),
      (fault) => {
        if (turn !== this.asked) return;
        // Nothing is heard on it: another connection is needed.
        if (fault.code === 'TIMEOUT') this.connectAnew();
        else if (passes(fault.code))
          this.pauses.soon(() => turn === this.asked && this.open(request, { taken, refused }));
        else refused(fault);
      },
      deadlineMs,
    );
  }

  /** What was asked for is not wanted any more. */
  drop(): void {
    this.asked += 1;
  }

  /**
   * Without waiting: neither for the pause before the next try, nor for a dead connection to close. To close its transport
   * would be to wait: polling first sends what is on its way.
   */
  connectAnew(): void {
    this.socket.disconnect().connect();
  }

  close(): void {
    this.drop();
    this.requests.stop();
    this.pauses.stop();
    this.socket.removeAllListeners();
    this.socket.disconnect();
  }

  private listen(): void {
    const { socket, listener } = this;
    for (const name of BOARD_EVENTS)
      socket.on(name, (payload: object) => listener.event({ event: name, ...payload } as BoardEvent));
    socket.on('column.total', (total: ColumnTotal) => listener.total?.(total));
    socket.on('presence', (presence: DialogPresence) => listener.presence?.(presence));
    socket.on('board:resync', ({ assistant_id }: { assistant_id: string }) => listener.resync(assistant_id));
    socket.on('connect', () => listener.connected());
    socket.on('disconnect', (reason) => {
      this.drop();
      listener.lost();
      // The service ended it: the next try tells why.
      if (reason === 'io server disconnect') this.pauses.soon(() => socket.connect(), 0);
    });
    socket.on('connect_error', (error: Error & { data?: { code?: ErrorCode; message?: string } }) => {
      listener.failed();
      const code = error.data?.code;
      // Without a code the network failed, and Socket.IO tries again by itself.
      if (!code) return;
      if (passes(code)) this.pauses.soon(() => socket.connect());
      else listener.refused({ code, message: error.data?.message ?? error.message });
    });
  }
}
