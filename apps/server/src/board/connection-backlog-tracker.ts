import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Socket } from 'socket.io';

type Connection = Socket['conn'];

/** Most bytes that may wait in this process for one connection before its boards are asked to open again. */
const WAITING_BYTES_MAX = 4 * 1024 * 1024;
/**
 * More than waits for any client that reads. Boards' first answers do not count: those of fifty boards may be 19 MB.
 */
const FLOODED_BYTES = 4 * WAITING_BYTES_MAX;
/** The cost of a packet besides its text. */
const PACKET_BYTES = 500;
const STUCK_AFTER_MS = 30_000;

interface Backlog {
  /**
   * Bytes that wait in this process since the transport last took some: first answers of boards, and everything else.
   */
  answerBytes: number;
  bytes: number;
  answering: boolean;
  /** Openings of boards that wait until there is room for their answers. */
  openings: Set<() => void>;
  /** Runs once the connection takes them. */
  waiting: (() => void)[];
  stuckTimer: NodeJS.Timeout | null;
}

/** How many bytes wait in this process for each connection, and until when. */
@Injectable()
export class ConnectionBacklogs implements OnApplicationShutdown {
  private readonly backlogs = new WeakMap<Connection, Backlog>();
  private readonly stuckTimers = new Set<NodeJS.Timeout>();

  onApplicationShutdown(): void {
    for (const timer of this.stuckTimers) clearTimeout(timer);
  }

  /** Starts watching how well a new connection keeps up. */
  track(conn: Connection): void {
    if (this.backlogs.has(conn)) return;
    const backlog: Backlog = {
      answerBytes: 0,
      bytes: 0,
      answering: false,
      openings: new Set(),
      waiting: [],
      stuckTimer: null,
    };
    this.backlogs.set(conn, backlog);
    conn.on('packetCreate', ({ data }: { data?: string | ArrayBufferView }) => {
      const length = typeof data === 'string' ? Buffer.byteLength(data) : (data?.byteLength ?? 0);
      if (backlog.answering) backlog.answerBytes += length + PACKET_BYTES;
      else backlog.bytes += length + PACKET_BYTES;
    });
    conn.on('drain', () => {
      backlog.answerBytes = 0;
      backlog.bytes = 0;
      for (const act of this.settle(backlog)) act();
      letNextOpen(backlog);
    });
    conn.on('close', () => this.settle(backlog));
  }

  /** Whether so much waits for a connection that it must get no more events. */
  isBehind(conn: Connection): boolean {
    return this.bytesFor(conn) > WAITING_BYTES_MAX;
  }

  /** Whether so much waits for a connection that it cannot be reading: the answers to its requests have piled up. */
  isFlooded(conn: Connection): boolean {
    return this.bytesFor(conn) > FLOODED_BYTES;
  }

  /**
   * Opens a board at once, or one after the other while large first answers wait. So a client that reads over a slow
   * line gets all of them, although no limit counts them, and one that does not read causes no more of them. A
   * cancelled opening runs at once, to end.
   */
  async inLine(conn: Connection, givenUp: AbortSignal, open: () => Promise<void>): Promise<void> {
    const backlog = this.backlogs.get(conn);
    if (!backlog) return open();
    if (backlog.openings.size > 0 || !hasRoomForAnswer(backlog)) await positionInLine(backlog, givenUp);
    try {
      await open();
    } finally {
      letNextOpen(backlog);
    }
  }

  /** Sends the first answer of a board, in order. */
  sendFirstAnswer(conn: Connection, send: () => void): void {
    const backlog = this.backlogs.get(conn);
    if (!backlog) return send();
    backlog.answering = true;
    try {
      send();
    } finally {
      backlog.answering = false;
    }
  }

  /**
   * Acts once the connection has taken everything that waits, at once if nothing does. A connection that takes
   * nothing is ended.
   */
  onceTaken(conn: Connection, act: () => void): void {
    const backlog = this.backlogs.get(conn);
    if (!backlog) return;
    if (backlog.bytes + backlog.answerBytes === 0) return act();
    backlog.waiting.push(act);
    if (backlog.stuckTimer) return;
    const timer = setTimeout(() => conn.close(true), STUCK_AFTER_MS);
    backlog.stuckTimer = timer;
    this.stuckTimers.add(timer);
  }

  /** Ends a connection's waiting and runs what waited for it. */
  private settle(backlog: Backlog): (() => void)[] {
    if (backlog.stuckTimer) {
      clearTimeout(backlog.stuckTimer);
      this.stuckTimers.delete(backlog.stuckTimer);
      backlog.stuckTimer = null;
    }
    return backlog.waiting.splice(0);
  }

  private bytesFor(conn: Connection): number {
    return this.backlogs.get(conn)?.bytes ?? 0;
  }
}

const hasRoomForAnswer = ({ answerBytes }: Backlog): boolean => answerBytes <= WAITING_BYTES_MAX;

function positionInLine({ openings }: Backlog, givenUp: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    openings.add(resolve);
    const end = (): void => {
      openings.delete(resolve);
      resolve();
    };
    if (givenUp.aborted) end();
    else givenUp.addEventListener('abort', end, { once: true });
  });
}

/** One after the other, because each answer may fill the room. */
function letNextOpen(backlog: Backlog): void {
  const [next] = backlog.openings;
  if (!next || !hasRoomForAnswer(backlog)) return;
  backlog.openings.delete(next);
  next();
}
