import {
  BOARD_NAMESPACE,
  type BoardAck,
  type BoardEvent,
  type BoardMoreRequest,
  type BoardOpenRequest,
  type BoardPage,
  type BoardReplay,
  type BoardSnapshot,
  type ColumnTotal,
} from '@app/contracts/board-events';
import { io, type Socket } from 'socket.io-client';
import { eventually } from '../eventually';
import type { BoardModel } from './board.model';

const ACK_DEADLINE_MS = 10_000;

/** A board as a browser would keep it: everything heard, in order. */
export class BoardClient {
  readonly events: BoardEvent[] = [];
  readonly totals: ColumnTotal[] = [];
  readonly resyncs: string[] = [];
  disconnectedBecause: string | null = null;

  private constructor(readonly socket: Socket) {
    socket.onAny((event: string, payload: object) => {
      if (event === 'board:resync') this.resyncs.push((payload as { assistant_id: string }).assistant_id);
      else if (event === 'column.total') this.totals.push(payload as ColumnTotal);
      else this.events.push({ event, ...payload } as BoardEvent);
    });
    socket.on('disconnect', (reason) => (this.disconnectedBecause = reason));
  }

  /** Connects, or rejects with the client's `connect_error`. */
  static async connect(
    url: string,
    auth: object,
    options: object = {},
    namespace = BOARD_NAMESPACE,
  ): Promise<BoardClient> {
    const socket = io(url + namespace, {
      auth,
      transports: ['websocket'],
      reconnection: false,
      forceNew: true,
      ...options,
    });
    const client = new BoardClient(socket);
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('the board did not connect in time')), ACK_DEADLINE_MS);
      const refused = (error: Error): void => {
        clearTimeout(timer);
        socket.close();
        reject(error);
      };
      socket.once('connect_error', refused);
      socket.once('connect', () => {
        clearTimeout(timer);
        // A client that may reconnect meets refusals later, and continues.
        socket.off('connect_error', refused);
        resolve();
      });
    });
    return client;
  }

  async request<T>(event: string, body: unknown): Promise<BoardAck<T>> {
    return (await this.socket.timeout(ACK_DEADLINE_MS).emitWithAck(event, body)) as BoardAck<T>;
  }

  async open(
    assistantId: string,
    further: Omit<BoardOpenRequest, 'assistant_id' | 'since'> = {},
  ): Promise<BoardSnapshot> {
    const answer = await this.request<BoardSnapshot>('board:open', {
      assistant_id: assistantId,
      ...further,
    });
    if (!answer.ok) throw new Error(answer.error.code);
    return answer.data;
  }

  async more(request: BoardMoreRequest): Promise<BoardPage> {
    const answer = await this.request<BoardPage>('board:more', request);
    if (!answer.ok) throw new Error(`${answer.error.code}: ${answer.error.message}`);
    return answer.data;
  }

  async reopen(
    assistantId: string,
    since: number,
    filter?: BoardOpenRequest['filter'],
    limit?: number,
  ): Promise<BoardSnapshot | BoardReplay> {
    const answer = await this.request<BoardSnapshot | BoardReplay>('board:open', {
      assistant_id: assistantId,
      ...{ since, filter, limit },
    });
    if (!answer.ok) throw new Error(answer.error.code);
    return answer.data;
  }

  /** Shows a board: opens it, or opens it again where the model left off, and keeps the model true from then on. @param limit of cards of a column */
  async show(model: BoardModel, assistantId: string, limit?: number): Promise<void> {
    const heardBefore = this.events.length;
    const totalsBefore = this.totals.length;
    model.take(
      model.seq > 0
        ? await this.reopen(assistantId, model.seq, undefined, limit)
        : await this.open(assistantId, { limit }),
    );
    for (const event of this.events.slice(heardBefore)) model.apply(event);
    for (const total of this.totals.slice(totalsBefore)) model.takeTotal(total);
    this.socket.onAny((name: string, payload: object) => {
      if (name === 'column.total') model.takeTotal(payload as ColumnTotal);
      else if (name !== 'board:resync') model.apply({ event: name, ...payload } as BoardEvent);
    });
  }

  /** The first event for which the condition holds, heard or still to come. */
  async hears(condition: (event: BoardEvent) => boolean, deadlineMs = 5_000): Promise<BoardEvent> {
    return eventually(async () => this.events.find(condition), deadlineMs, 'the board did not hear of it');
  }

  /** Stops reading from the network altogether, as a reader that hangs; what was read already is still heard. */
  hang(): void {
    this.webSocket.pause();
  }

  readOn(): void {
    this.webSocket.resume();
  }

  private get webSocket(): { pause(): void; resume(): void } {
    return (this.socket.io.engine.transport as unknown as { ws: { pause(): void; resume(): void } }).ws;
  }

  close(): void {
    this.socket.close();
  }
}

/** How a connection is refused; a connection that is accepted is an error. */
export async function refusalOf(
  url: string,
  auth: object,
  options: object = {},
  namespace = BOARD_NAMESPACE,
): Promise<{ message: string; code: unknown }> {
  let board: BoardClient;
  try {
    board = await BoardClient.connect(url, auth, options, namespace);
  } catch (error) {
    const { message, data } = error as Error & { data?: { code?: unknown } };
    return { message, code: data?.code };
  }
  board.close();
  throw new Error('the connection was let in');
}
