import { BOARD_NAMESPACE } from '@app/contracts/board.events';
import { io, type Socket } from 'socket.io-client';

const DEADLINE_MS = 5_000;

/** Many boards of one agent, in this process and by its clock. */
export class BoardCrowd {
  private readonly moves = new Map<string, { missing: Set<Socket>; done: () => void }>();

  private constructor(private readonly sockets: Socket[]) {
    for (const socket of sockets) {
      socket.on('card.moved', ({ thread_id }: { thread_id: string }) => this.hear(socket, thread_id));
    }
  }

  /** Opens the boards one after another: how many open at once is not the question here. */
  static async open(url: string, count: number, key: string, assistantId: string): Promise<BoardCrowd> {
    const sockets: Socket[] = [];
    while (sockets.length < count) sockets.push(await openBoard(url, key, assistantId));
    return new BoardCrowd(sockets);
  }

  /** When every board has heard of the dialog's next move, or at the deadline: how many have not. */
  untilAllHear(threadId: string): Promise<number> {
    return new Promise((resolve) => {
      const missing = new Set(this.sockets);
      const done = (): void => {
        clearTimeout(timer);
        this.moves.delete(threadId);
        resolve(missing.size);
      };
      const timer = setTimeout(done, DEADLINE_MS);
      this.moves.set(threadId, { missing, done });
    });
  }

  close(): void {
    for (const socket of this.sockets) socket.close();
  }

  private hear(socket: Socket, threadId: string): void {
    const move = this.moves.get(threadId);
    if (!move) return;
    move.missing.delete(socket);
    if (move.missing.size === 0) move.done();
  }
}

async function openBoard(url: string, key: string, assistantId: string): Promise<Socket> {
  const options = { auth: { api_key: key }, transports: ['websocket'], forceNew: true, reconnection: false };
  const socket = io(url + BOARD_NAMESPACE, options);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  const request = { assistant_id: assistantId };
  const answer: unknown = await socket.timeout(DEADLINE_MS).emitWithAck('board:open', request);
  if (!(answer as { ok: boolean }).ok) throw new Error(`a board was refused: ${JSON.stringify(answer)}`);
  return socket;
}
