import type {
  BoardClientEvents,
  BoardEvent,
  BoardReplay,
  BoardServerEvents,
  BoardSnapshot,
} from '@app/contracts/board.events';
import { CodedError } from '@app/contracts/coded.error';
import type { Principal } from '@app/domain/accounts/principal.rules';
import { boardKey, type BoardAddress } from '@app/domain/board/board.address';
import { BoardService } from '@app/domain/board/board.service';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Namespace, Socket } from 'socket.io';

type NoEvents = Record<never, never>;
interface SocketData {
  principal: Principal;
  /** The boards that the socket shows or is opening, by their keys. */
  boards: Map<string, BoardAddress>;
}
export type BoardNamespace = Namespace<BoardClientEvents, BoardServerEvents, NoEvents, SocketData>;
export type BoardSocket = Socket<BoardClientEvents, BoardServerEvents, NoEvents, SocketData>;

class OpenedAnewError extends CodedError {
  readonly code = 'UNAVAILABLE';

  constructor() {
    super('This board was opened or closed again before it was ready: the later request counts.');
  }
}

/** A board between its joining and its answer: what happens meanwhile is told right after the answer. */
interface Opening {
  missed: BoardEvent[];
  overflown: boolean;
}

interface Room {
  address: BoardAddress;
  unwatch: () => void;
  opening: Map<BoardSocket, Opening>;
  live: Set<BoardSocket>;
}

const MISSED_MAX = 1_000;
/** What may wait in this process for one connection before its boards are told to open themselves anew. */
const WAITING_BYTES_MAX = 4 * 1024 * 1024;
/** More than the first answers of every board that one socket may open. */
const FLOODED_BYTES = 4 * WAITING_BYTES_MAX;
/** What a packet costs beside its text. */
const PACKET_BYTES = 500;
const STUCK_AFTER_MS = 30_000;

const roomName = (address: BoardAddress): string => `board:${boardKey(address)}`;

/** Which sockets show which boards, and carrying events to them. Carries only: what a board may see is decided in the domain. */
@Injectable()
export class BoardRooms implements OnApplicationShutdown {
  private readonly rooms = new Map<string, Room>();
  private readonly stuckTimers = new Set<NodeJS.Timeout>();
  private namespace: BoardNamespace | null = null;

  /** Bytes for a connection that wait in this process, since the transport last took some. */
  private readonly waiting = new WeakMap<BoardSocket['conn'], number>();

  constructor(private readonly board: BoardService) {}

  /** Begins to watch how well a new connection keeps up. */
  track({ conn }: BoardSocket): void {
    if (this.waiting.has(conn)) return;
    this.waiting.set(conn, 0);
    conn.on('packetCreate', ({ data }: { data?: string | ArrayBufferView }) => {
      const length = typeof data === 'string' ? data.length : (data?.byteLength ?? 0);
      this.waiting.set(conn, this.backlogOf(conn) + length + PACKET_BYTES);
    });
    conn.on('drain', () => this.waiting.set(conn, 0));
  }

  /** Whether so much waits for a connection that it must be reading nothing: its own requests have piled up answers. */
  isFlooded({ conn }: BoardSocket): boolean {
    return this.backlogOf(conn) > FLOODED_BYTES;
  }

  useNamespace(namespace: BoardNamespace): void {
    this.namespace = namespace;
  }

  onApplicationShutdown(): void {
    for (const timer of this.stuckTimers) clearTimeout(timer);
  }

  /** The boards that a socket shows or is opening, by their keys. */
  boardsOf(socket: BoardSocket): ReadonlyMap<string, BoardAddress> {
    return socket.data.boards;
  }

  /**
   * Puts a socket on a board. It watches first and reads afterwards, so that nothing falls between the answer and
   * the first live event; `answer` is called before any of them goes out.
   * @throws OpenedAnewError when the socket opened or closed the board again meanwhile: only the last answer counts.
   */
  async open(
    socket: BoardSocket,
    address: BoardAddress,
    since: number | undefined,
    answer: (data: BoardSnapshot | BoardReplay) => void,
  ): Promise<void> {
    this.leave(socket, address);
    const room = this.roomOf(address);
    const opening: Opening = { missed: [], overflown: false };
    room.opening.set(socket, opening);
    socket.data.boards.set(boardKey(address), address);
    try {
      const data = await this.board.open(address, since);
      if (room.opening.get(socket) !== opening) throw new OpenedAnewError();
      answer(data);
      for (const event of opening.missed) emit(socket, event);
      room.opening.delete(socket);
      if (opening.overflown) {
        socket.data.boards.delete(boardKey(address));
        socket.emit('board:resync', { assistant_id: address.assistantId });
      } else {
        room.live.add(socket);
        void socket.join(roomName(address));
      }
    } finally {
      if (room.opening.get(socket) === opening) this.leave(socket, address);
      else this.closeIfEmpty(address);
    }
  }

  leave(socket: BoardSocket, address: BoardAddress): void {
    const room = this.rooms.get(boardKey(address));
    if (!room) return;
    room.opening.delete(socket);
    room.live.delete(socket);
    socket.data.boards.delete(boardKey(address));
    void socket.leave(roomName(address));
    this.closeIfEmpty(address);
  }

  leaveAll(socket: BoardSocket): void {
    for (const address of [...socket.data.boards.values()]) this.leave(socket, address);
  }

  private backlogOf(conn: BoardSocket['conn']): number {
    return this.waiting.get(conn) ?? 0;
  }

  private roomOf(address: BoardAddress): Room {
    const known = this.rooms.get(boardKey(address));
    if (known) return known;
    const room: Room = {
      address,
      unwatch: this.board.watch(address, (event) => this.carry(room, event)),
      opening: new Map(),
      live: new Set(),
    };
    this.rooms.set(boardKey(address), room);
    return room;
  }

  private closeIfEmpty(address: BoardAddress): void {
    const room = this.rooms.get(boardKey(address));
    if (!room || room.live.size > 0 || room.opening.size > 0) return;
    room.unwatch();
    this.rooms.delete(boardKey(address));
  }

  private carry(room: Room, event: BoardEvent): void {
    for (const opening of room.opening.values()) {
      if (opening.missed.length < MISSED_MAX) opening.missed.push(event);
      else opening.overflown = true;
    }
    if (room.live.size === 0) return;
    for (const socket of room.live) {
      if (this.backlogOf(socket.conn) > WAITING_BYTES_MAX) this.setAside(socket, room.address);
    }
    // One encoding for all sockets of the room.
    if (this.namespace) emit(this.namespace.to(roomName(room.address)), event);
  }

  /** Takes a board that does not keep up off the room; once it has read what waits, it is told to open itself anew. */
  private setAside(socket: BoardSocket, address: BoardAddress): void {
    this.leave(socket, address);
    const { conn } = socket;
    const timer = setTimeout(() => {
      this.stuckTimers.delete(timer);
      conn.close(true);
    }, STUCK_AFTER_MS);
    this.stuckTimers.add(timer);
    const settled = (): void => {
      clearTimeout(timer);
      this.stuckTimers.delete(timer);
      conn.off('drain', drained);
    };
    const drained = (): void => {
      settled();
      socket.emit('board:resync', { assistant_id: address.assistantId });
    };
    conn.on('drain', drained);
    conn.once('close', settled);
  }
}

function emit(to: Pick<BoardSocket, 'emit'>, { event, ...payload }: BoardEvent): void {
  (to as { emit(name: string, payload: unknown): unknown }).emit(event, payload);
}
