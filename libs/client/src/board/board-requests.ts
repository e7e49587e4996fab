import type { BoardAck } from '@app/contracts/board-events';
import type { ErrorCode } from '@app/contracts/error-codes';
import type { Socket } from 'socket.io-client';

/** Below the twenty that a connection may make. */
const REQUESTS_MAX = 15;
const WITHIN_MS = 1_000;
const ANSWER_DEADLINE_MS = 10_000;

/** Why a request on the connection failed. TIMEOUT: no answer came in time. */
export type BoardFault = { code: ErrorCode | 'TIMEOUT'; message: string };

const PASSES: readonly BoardFault['code'][] = ['UNAVAILABLE', 'RATE_LIMITED', 'INTERNAL_ERROR', 'TIMEOUT'];

/** Whether the same request may succeed a little later. */
export const passes = (code: BoardFault['code']): boolean => PASSES.includes(code);

/** Requests on a connection of the board, never more than the service takes. */
export class BoardRequests {
  private sentAt: number[] = [];
  private waiting: (() => void)[] = [];
  private timer: ReturnType<typeof setTimeout> | null = null;
  private isStopped = false;

  constructor(private readonly socket: Socket) {}

  /**
   * The answer is taken in the callback: events may come in the same packet. Nothing is called where the connection is
   * lost before it is answered: whoever is told of that asks anew.
   */
  send<Data>(
    name: string,
    body: object,
    taken: (data: Data) => void,
    refused: (fault: BoardFault) => void,
    deadlineMs = ANSWER_DEADLINE_MS,
  ): void {
    this.inTurn(() => {
      if (!this.socket.connected) return;
      this.socket.timeout(deadlineMs).emit(name, body, (late: Error | null, answer: BoardAck<Data>) => {
        if (this.isStopped || (late && !this.socket.connected)) return;
        if (late) refused({ code: 'TIMEOUT', message: late.message });
        else if (answer.ok) taken(answer.data);
        else refused(answer.error);
      });
    });
  }

  /** Nothing is sent any more, and no answer is taken. */
  stop(): void {
    this.isStopped = true;
    this.waiting = [];
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
  }

  private inTurn(send: () => void): void {
    this.waiting.push(send);
    this.sendOn();
  }

  private sendOn(): void {
    if (this.timer) return;
    const now = Date.now();
    this.sentAt = this.sentAt.filter((at) => at > now - WITHIN_MS && at <= now);
    while (this.waiting.length > 0 && this.sentAt.length < REQUESTS_MAX) {
      this.sentAt.push(now);
      this.waiting.shift()?.();
    }
    if (this.waiting.length === 0) return;
    this.timer = setTimeout(() => {
      this.timer = null;
      this.sendOn();
    }, WITHIN_MS / 4);
  }
}
