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

/** How much waits in this process for each connection, and until when. */
@Injectable()
export class ConnectionBacklogs implements OnApplicationShutdown {
  private readonly stuckTimers = new Set<NodeJS.Timeout>();

  /** Bytes for a connection that wait in this process, since the transport last took some. */
  private readonly waiting = new WeakMap<Connection, number>();

  onApplicationShutdown(): void {
    for (const timer of this.stuckTimers) clearTimeout(timer);
  }

  /** Begins to watch how well a new connection keeps up. */
  track(conn: Connection): void {
    if (this.waiting.has(conn)) return;
    this.waiting.set(conn, 0);
    conn.on('packetCreate', ({ data }: { data?: string | ArrayBufferView }) => {
      const length = typeof data === 'string' ? data.length : (data?.byteLength ?? 0);
      this.waiting.set(conn, this.backlogOf(conn) + length + PACKET_BYTES);
    });
    conn.on('drain', () => this.waiting.set(conn, 0));
  }

  /** Whether so much waits for a connection that it must not be given more events. */
  isBehind(conn: Connection): boolean {
    return this.backlogOf(conn) > WAITING_BYTES_MAX;
  }

  /** Whether so much waits for a connection that it must be reading nothing: its own requests have piled up answers. */
  isFlooded(conn: Connection): boolean {
    return this.backlogOf(conn) > FLOODED_BYTES;
  }

  /** Acts once the connection takes what waits for it; one that takes nothing is ended. */
  onceTaken(conn: Connection, act: () => void): void {
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
      act();
    };
    conn.on('drain', drained);
    conn.once('close', settled);
  }

  private backlogOf(conn: Connection): number {
    return this.waiting.get(conn) ?? 0;
  }
}
