import type {
  BoardClientEvents,
  BoardNews,
  BoardReplay,
  BoardServerEvents,
  BoardSnapshot,
} from '@app/contracts/board-events';
import { CodedError } from '@app/contracts/coded.errors';
import type { Principal } from '@app/domain/accounts/principal.rules';
import { boardKey, viewKey, type BoardAddress, type BoardView } from '@app/domain/board/board-address';
import { BoardService, type BoardOpening } from '@app/domain/board/board.service';
import { Injectable } from '@nestjs/common';
import type { Namespace, Socket } from 'socket.io';
import { TooManyFiltersError } from './board.errors';
import { ConnectionBacklogs } from './connection-backlog-tracker';

type NoEvents = Record<never, never>;
interface SocketData {
  principal: Principal;
  /** The boards that the socket shows or is opening, by their keys. */
  boards: Map<string, BoardView>;
  /** The last request about each board, by their keys: only that counts. */
  turns: Map<string, object>;
}
export type BoardNamespace = Namespace<BoardClientEvents, BoardServerEvents, NoEvents, SocketData>;
export type BoardSocket = Socket<BoardClientEvents, BoardServerEvents, NoEvents, SocketData>;

class OpenedAnewError extends CodedError {
  readonly code = 'UNAVAILABLE';

  constructor() {
    super('This board was opened or closed again before it was ready: the later request counts.');
  }
}

/** A board between its joining and its answer. Events of this time are sent right after the answer. */
interface Opening {
  missed: BoardNews[];
  /** The answer and the missed events are not enough: the board must be opened again. */
  outdated: boolean;
  givenUp: AbortController;
}

interface Room {
  view: BoardView;
  unwatch: () => void;
  opening: Map<BoardSocket, Opening>;
  live: Set<BoardSocket>;
}

const MISSED_MAX = 1_000;
/** Of an account in this process: each costs its own encoding of every event. */
const FILTERS_MAX = 200;

const roomName = (view: BoardView): string => `board:${viewKey(view)}`;

/** Knows which sockets show which boards, and sends them events. The domain decides what a board may see. */
@Injectable()
export class BoardRooms {
  private readonly rooms = new Map<string, Room>();
  private namespace: BoardNamespace | null = null;

  constructor(
    private readonly board: BoardService,
    private readonly backlogs: ConnectionBacklogs,
  ) {}

  useNamespace(namespace: BoardNamespace): void {
    this.namespace = namespace;
  }

  /** The boards that a socket shows or is opening, by their keys. */
  boardsOf(socket: BoardSocket): ReadonlyMap<string, BoardView> {
    return socket.data.boards;
  }

  /**
   * A request about a board begins, and makes those before it void.
   * @returns what throws OpenedAnewError when a later one has begun, or the connection is closed
   */
  turnOf(socket: BoardSocket, address: BoardAddress): () => void {
    const turn = {};
    socket.data.turns.set(boardKey(address), turn);
    return () => {
      if (!socket.connected || socket.data.turns.get(boardKey(address)) !== turn) throw new OpenedAnewError();
    };
  }

  /**
   * Puts a socket on a view of a board, and takes it off any other view of it. It joins first and reads afterwards, so that nothing is lost between the answer and the
   * first live event. `answer` is called before any event is sent.
   * @throws OpenedAnewError when the socket opened or closed the board again meanwhile: only the last answer counts;
   * TooManyFiltersError, and then the socket stays where it was.
   */
  async open(
    socket: BoardSocket,
    view: BoardView,
    how: BoardOpening,
    answer: (data: BoardSnapshot | BoardReplay) => void,
  ): Promise<void> {
    this.requirePlace(view);
    this.leave(socket, view);
    const room = this.roomOf(view);
    const opening: Opening = { missed: [], outdated: false, givenUp: new AbortController() };
    room.opening.set(socket, opening);
    socket.data.boards.set(boardKey(view), view);
    try {
      await this.backlogs.inLine(socket.conn, opening.givenUp.signal, async () => {
        requireUnderWay(room, socket, opening);
        const data = await this.board.open(view, how);
        requireUnderWay(room, socket, opening);
        this.backlogs.sendFirstAnswer(socket.conn, () => answer(data));
        this.goLive(room, socket, opening);
      });
    } finally {
      if (room.opening.get(socket) === opening) this.leave(socket, view);
      else this.closeIfEmpty(view);
    }
  }

  leave(socket: BoardSocket, address: BoardAddress): void {
    const view = socket.data.boards.get(boardKey(address));
    const room = view && this.rooms.get(viewKey(view));
    if (!room) return;
    room.opening.get(socket)?.givenUp.abort();
    room.opening.delete(socket);
    room.live.delete(socket);
    socket.data.boards.delete(boardKey(address));
    void socket.leave(roomName(view));
    this.closeIfEmpty(view);
  }

  leaveAll(socket: BoardSocket): void {
    for (const view of [...socket.data.boards.values()]) this.leave(socket, view);
  }

  /** Sends the events of the time while the board was being opened, and then all further ones. */
  private goLive(room: Room, socket: BoardSocket, { missed, outdated }: Opening): void {
    room.opening.delete(socket);
    room.live.add(socket);
    void socket.join(roomName(room.view));
    this.board.answered(room.view);
    for (const event of [...missed, ...this.board.presences(room.view)]) {
      if (this.backlogs.isBehind(socket.conn)) return this.setAside(socket, room.view);
      emit(socket, event);
    }
    if (outdated) this.setAside(socket, room.view);
  }

  private requirePlace(view: BoardView): void {
    if (view.filter === null || this.rooms.has(viewKey(view))) return;
    const isOfAccount = ({ view: { accountId, filter } }: Room): boolean =>
      filter !== null && accountId === view.accountId;
    if ([...this.rooms.values()].filter(isOfAccount).length >= FILTERS_MAX)
      throw new TooManyFiltersError(FILTERS_MAX);
  }

  private roomOf(view: BoardView): Room {
    const known = this.rooms.get(viewKey(view));
    if (known) return known;
    const room: Room = {
      view,
      unwatch: this.board.watch(view, {
        happened: (event) => this.carry(room, event),
        outdated: () => this.openAnew(room),
      }),
      opening: new Map(),
      live: new Set(),
    };
    this.rooms.set(viewKey(view), room);
    return room;
  }

  private closeIfEmpty(view: BoardView): void {
    const room = this.rooms.get(viewKey(view));
    if (!room || room.live.size > 0 || room.opening.size > 0) return;
    room.unwatch();
    this.rooms.delete(viewKey(view));
  }

  private carry(room: Room, event: BoardNews): void {
    for (const opening of room.opening.values()) {
      if (opening.missed.length < MISSED_MAX) opening.missed.push(event);
      else opening.outdated = true;
    }
    if (room.live.size === 0) return;
    for (const socket of room.live) {
      if (this.backlogs.isBehind(socket.conn)) this.setAside(socket, room.view);
    }
    // One encoding for all sockets of the room.
    if (this.namespace) emit(this.namespace.to(roomName(room.view)), event);
  }

  /** Makes every socket of a board open it again. Those that are just being answered do so right after the answer. */
  private openAnew(room: Room): void {
    for (const opening of room.opening.values()) opening.outdated = true;
    for (const socket of [...room.live]) this.setAside(socket, room.view);
  }

  /** Removes a board that cannot keep up from the room. Once it has read what waits, it is asked to open again. */
  private setAside(socket: BoardSocket, address: BoardAddress): void {
    this.leave(socket, address);
    this.backlogs.onceTaken(socket.conn, () =>
      socket.emit('board:resync', { assistant_id: address.assistantId }),
    );
  }
}

function requireUnderWay(room: Room, socket: BoardSocket, opening: Opening): void {
  if (room.opening.get(socket) !== opening) throw new OpenedAnewError();
}

function emit(to: Pick<BoardSocket, 'emit'>, { event, ...payload }: BoardNews): void {
  (to as { emit(name: string, payload: unknown): unknown }).emit(event, payload);
}
