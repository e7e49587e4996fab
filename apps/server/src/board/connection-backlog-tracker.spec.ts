import { EventEmitter } from 'node:events';
import type { Socket } from 'socket.io';
import { ConnectionBacklogs } from './connection-backlog-tracker';

const BOARDS = 50;
const STUCK_AFTER_MS = 30_000;

/** The part of a connection that the tracker uses. The test decides when the transport takes something. */
class StillConnection extends EventEmitter {
  closed = 0;

  /** As the server writes a packet that the transport cannot take yet. */
  packet(data: string): void {
    this.emit('packetCreate', { type: 'message', data });
  }

  close(): void {
    this.closed += 1;
    this.emit('close');
  }
}

let still: StillConnection;
let backlogs: ConnectionBacklogs;
let conn: Socket['conn'];

beforeEach(() => {
  jest.useFakeTimers();
  still = new StillConnection();
  conn = still as unknown as Socket['conn'];
  backlogs = new ConnectionBacklogs();
  backlogs.track(conn);
});

afterEach(() => {
  backlogs.onApplicationShutdown();
  jest.useRealTimers();
});

describe('a connection that is slow', () => {
  it('has no more listeners after its boards were set aside than before, nor meanwhile one for each', () => {
    const listeners = (): number => still.listenerCount('drain') + still.listenerCount('close');
    const before = listeners();
    let told = 0;
    for (let board = 0; board < BOARDS; board++) {
      still.packet('x');
      backlogs.onceTaken(conn, () => (told += 1));
    }
    expect(listeners()).toBe(before);
    still.emit('drain');
    expect([told, listeners()]).toEqual([BOARDS, before]);
    still.emit('drain');
    expect(told).toBe(BOARDS);
  });

  it('is ended when it takes nothing for half a minute, and no longer once it took something', () => {
    still.packet('x');
    backlogs.onceTaken(conn, () => undefined);
    still.emit('drain');
    jest.advanceTimersByTime(STUCK_AFTER_MS);
    expect(still.closed).toBe(0);
    still.packet('x');
    backlogs.onceTaken(conn, () => undefined);
    jest.advanceTimersByTime(STUCK_AFTER_MS);
    expect(still.closed).toBe(1);
  });

  it('gets nothing any more once it has gone', () => {
    still.packet('x');
    backlogs.onceTaken(conn, () => {
      throw new Error('it has gone');
    });
    still.emit('close');
    still.emit('drain');
    jest.advanceTimersByTime(STUCK_AFTER_MS);
    expect(still.closed).toBe(0);
  });
});
