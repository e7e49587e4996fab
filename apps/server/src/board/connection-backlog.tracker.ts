import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Socket } from 'socket.io';

type Connection = Socket['conn'];

/** What may wait in this process for one connection before its boards are asked to open themselves anew. */
const WAITING_BYTES_MAX = 4 * 1024 * 1024;
/** More than waits for anybody who reads. Boards' first answers do not count: those of fifty may be 19 MB, or any figure. */
const FLOODED_BYTES = 4 * WAITING_BYTES_MAX;
/** What a packet costs beside its text. */
const PACKET_BYTES = 500;
const STUCK_AFTER_MS = 30_000;

interface Backlog {
  /** Bytes that wait in this process, since the transport last took some: first answers of boards, and all others. */
  answerBytes: number;
  bytes: number;
  answering: boolean;
  /** Openings of boards that wait until there is room for their answers. */
  openings: Set<() => void>;
  /** What is to be done once it takes them. */
  waiting: (() => void)[];
  stuckTimer: NodeJS.Timeout | null;
}

/** How much waits in this process for each connection, and until when. */
@Injectable()
export class ConnectionBacklogs implements OnApplicationShutdown {
  private readonly backlogs = new WeakMap<Connection, Backlog>();
  private readonly stuckTimers = new Set<NodeJS.Timeout>();

  onApplicationShutdown(): void {
    for (const timer of this.stuckTimers) clearTimeout(timer);
  }

  /** Begins to watch how well a new connection keeps up. */
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

  /** Whether so much waits for a connection that it must not be given more events. */
  isBehind(conn: Connection): boolean {
    return this.bytesFor(conn) > WAITING_BYTES_MAX;
  }

  /** Whether so much waits for a connection that it must be reading nothing: its own requests have piled up answers. */
  isFlooded(conn: Connection): boolean {
    return this.bytesFor(conn) > FLOODED_BYTES;
  }

  /**
   * Opens a board at once, or one after the other while large first answers wait. So an honest reader on a slow line
   * gets all of them, though no limit counts them, and one that reads nothing makes no more of them. An opening that is
   * given up runs at once, to end.
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

  /** Sends the first answer of a board, in its order. */
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

  /** Acts once the connection takes what waits for it, at once if nothing does; one that takes nothing is ended. */
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

  /** Ends a connection's waiting: what was to be done once it is over. */
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

/** One after the other: the answer of each may fill the room. */
function letNextOpen(backlog: Backlog): void {
  const [next] = backlog.openings;
  if (!next || !hasRoomForAnswer(backlog)) return;
  backlog.openings.delete(next);
  next();
}
