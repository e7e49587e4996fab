import { BOARD_NAMESPACE } from '@app/contracts/board-events';
import { io, type Socket } from 'socket.io-client';
import type { Contestant } from './contestant';

const DEADLINE_MS = 5_000;

/** A board of one agent, and the key that opens it. */
export interface BoardOrder {
  key: string;
  assistantId: string;
}

/** Open boards, in this process and by its clock. */
export class BoardLoad {
  /** How many moves boards got, counted once for each board. */
  heard = 0;
  private readonly moves = new Map<string, { missing: Set<Socket>; done: () => void }>();

  private constructor(private readonly sockets: Socket[]) {
    for (const socket of sockets) {
      socket.on('card.moved', ({ thread_id }: { thread_id: string }) => this.hear(socket, thread_id));
    }
  }

  /** Opens the boards one after another: how many open at once is not the question here. */
  static async open(of: Contestant, orders: readonly BoardOrder[]): Promise<BoardLoad> {
    const sockets: Socket[] = [];
    for (const order of orders) sockets.push(await openBoard(of, order));
    return new BoardLoad(sockets);
  }

  /** Resolves when every board has heard of the dialog's next move. @throws at the deadline, with how many have not. */
  untilAllHear(threadId: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const missing = new Set(this.sockets);
      const end = (): void => {
        clearTimeout(timer);
        this.moves.delete(threadId);
      };
      const late = (): void => {
        end();
        reject(new Error(`${missing.size} of ${this.sockets.length} boards have not heard of a move`));
      };
      const timer = setTimeout(late, DEADLINE_MS);
      const done = (): void => {
        end();
        resolve();
      };
      this.moves.set(threadId, { missing, done });
    });
  }

  /** Resolves when that many moves were received. @throws at the deadline. */
  async untilHeard(count: number): Promise<void> {
    const last = performance.now() + DEADLINE_MS;
    while (this.heard < count) {
      if (performance.now() > last) throw new Error(`boards heard of ${this.heard} of ${count} moves`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  close(): void {
    for (const socket of this.sockets) socket.close();
  }

  private hear(socket: Socket, threadId: string): void {
    this.heard += 1;
    const move = this.moves.get(threadId);
    if (!move) return;
    move.missing.delete(socket);
    if (move.missing.size === 0) move.done();
  }
}

async function openBoard(of: Contestant, { key, assistantId }: BoardOrder): Promise<Socket> {
  const options = { auth: { api_key: key }, transports: ['websocket'], forceNew: true, reconnection: false };
  const socket = io(of.server.url + BOARD_NAMESPACE, { ...options, timeout: DEADLINE_MS });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  if (of.connectionIsBoard) return socket;
  const request = { assistant_id: assistantId };
  const answer: unknown = await socket.timeout(DEADLINE_MS).emitWithAck('board:open', request);
  if (!(answer as { ok: boolean }).ok) throw new Error(`a board was refused: ${JSON.stringify(answer)}`);
  return socket;
}
