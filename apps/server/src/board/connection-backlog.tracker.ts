import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Socket } from 'socket.io';

type Connection = Socket['conn'];

/** What may wait in this process for one connection before its boards are told to open themselves anew. */
const WAITING_BYTES_MAX = 4 * 1024 * 1024;
/** More than the first answers of every board that one socket may open. */
const FLOODED_BYTES = 4 * WAITING_BYTES_MAX;
/** What a packet costs beside its text. */
const PACKET_BYTES = 500;
const STUCK_AFTER_MS = 30_000;

interface Backlog {
  /** Bytes that wait in this process, since the transport last took some. */
  bytes: number;
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
    const backlog: Backlog = { bytes: 0, waiting: [], stuckTimer: null };
    this.backlogs.set(conn, backlog);
    conn.on('packetCreate', ({ data }: { data?: string | ArrayBufferView }) => {
      const length = typeof data === 'string' ? data.length : (data?.byteLength ?? 0);
      backlog.bytes += length + PACKET_BYTES;
    });
    conn.on('drain', () => {
      backlog.bytes = 0;
      for (const act of this.settle(backlog)) act();
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

  /** Acts once the connection takes what waits for it; one that takes nothing is ended. */
  onceTaken(conn: Connection, act: () => void): void {
    const backlog = this.backlogs.get(conn);
    if (!backlog) return;
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
