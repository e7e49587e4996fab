import {
  BOARD_NAMESPACE,
  type BoardAck,
  type BoardEvent,
  type BoardReplay,
  type BoardSnapshot,
} from '@app/contracts/board.events';
import { io, type Socket } from 'socket.io-client';
import { eventually } from './eventually';

const ACK_DEADLINE_MS = 10_000;

/** A board as a browser would keep it: everything heard, in order. */
export class BoardClient {
  readonly events: BoardEvent[] = [];
  readonly resyncs: string[] = [];
  disconnectedBecause: string | null = null;

  private constructor(readonly socket: Socket) {
    socket.onAny((event: string, payload: object) => {
      if (event === 'board:resync') this.resyncs.push((payload as { assistant_id: string }).assistant_id);
      else this.events.push({ event, ...payload } as BoardEvent);
    });
    socket.on('disconnect', (reason) => (this.disconnectedBecause = reason));
  }

  /** Connects, or rejects with the client's `connect_error`. */
  static async connect(url: string, auth: object, options: object = {}): Promise<BoardClient> {
    const socket = io(url + BOARD_NAMESPACE, {
      auth,
      transports: ['websocket'],
      reconnection: false,
      forceNew: true,
      ...options,
    });
    const client = new BoardClient(socket);
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('the board did not connect in time')), ACK_DEADLINE_MS);
      socket.once('connect', () => resolve(clearTimeout(timer)));
      socket.once('connect_error', (error) => {
        clearTimeout(timer);
        socket.close();
        reject(error);
      });
    });
    return client;
  }

  async request<T>(event: string, body: unknown): Promise<BoardAck<T>> {
    return (await this.socket.timeout(ACK_DEADLINE_MS).emitWithAck(event, body)) as BoardAck<T>;
  }

  async open(assistantId: string): Promise<BoardSnapshot> {
    const answer = await this.request<BoardSnapshot>('board:open', { assistant_id: assistantId });
    if (!answer.ok) throw new Error(answer.error.code);
    return answer.data;
  }

  async reopen(assistantId: string, since: number): Promise<BoardSnapshot | BoardReplay> {
    const answer = await this.request<BoardSnapshot | BoardReplay>('board:open', {
      assistant_id: assistantId,
      since,
    });
    if (!answer.ok) throw new Error(answer.error.code);
    return answer.data;
  }

  /** The first event for which the condition holds, heard or still to come. */
  async hears(condition: (event: BoardEvent) => boolean, deadlineMs = 5_000): Promise<BoardEvent> {
    return eventually(async () => this.events.find(condition), deadlineMs, 'the board did not hear of it');
  }

  close(): void {
    this.socket.close();
  }
}
