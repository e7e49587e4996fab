import { CodedError } from '@app/contracts/coded.errors';
import { RateLimitedError } from '@app/domain/accounts/account.errors';
import type { BoardSocket } from './board-rooms.service';
import { refuse, type Acknowledge, NoSuchRequestError } from './board.errors';
import { BOARD_REQUEST_NAMES } from './board.request';
import { limiter } from './board-socket-adapter';

/**
 * Twice the boards of a large office: after a network failure each may reconnect before its old connection is given
 * up.
 */
const SOCKETS_PER_CALLER = 500;

class TooManySocketsError extends CodedError {
  readonly code = 'RATE_LIMITED';

  constructor() {
    super(
      `This API key or person has ${SOCKETS_PER_CALLER} connections open on this process already. Close those that are not needed; one connection shows several boards.`,
    );
  }
}

/** How many sockets each key and each person has open on this process. */
export class ConnectionCounter {
  private readonly open = new Map<string, number>();

  get total(): number {
    let total = 0;
    for (const count of this.open.values()) total += count;
    return total;
  }

  /** @throws TooManySocketsError when the key or person may not open another one. */
  requireRoom(callerId: string): void {
    if ((this.open.get(callerId) ?? 0) >= SOCKETS_PER_CALLER) throw new TooManySocketsError();
  }

  came(callerId: string): void {
    this.open.set(callerId, (this.open.get(callerId) ?? 0) + 1);
  }

  left(callerId: string): void {
    const rest = (this.open.get(callerId) ?? 0) - 1;
    if (rest > 0) this.open.set(callerId, rest);
    else this.open.delete(callerId);
  }
}

const REQUESTS_PER_SECOND = 20;
const NOBODY: Acknowledge = () => undefined;

/**
 * Counts everything that a socket sends, whatever its name and payload, and refuses what is too much or unknown,
 * because Nest passes only known requests on. Of a request without an acknowledgement nobody hears whether it was done.
 */
export function limitRequests(socket: BoardSocket): void {
  const isTooMany = limiter(REQUESTS_PER_SECOND);
  socket.use((packet: unknown[], next) => {
    // What came in one packet with the client's disconnect is still processed.
    if (!socket.connected) return;
    const isRefused = isTooMany();
    const last = packet.at(-1);
    const isAnswered = typeof last === 'function';
    const reply = isAnswered ? (last as Acknowledge) : NOBODY;
    const [name, request = {}] = isAnswered ? packet.slice(0, -1) : packet;
    if (isRefused) return refuse(reply, new RateLimitedError(REQUESTS_PER_SECOND, 1, 1));
    if (!BOARD_REQUEST_NAMES.includes(name as string)) return refuse(reply, new NoSuchRequestError());
    // Nest passes several arguments as an array, and none as undefined. The first one counts.
    packet.splice(1, Infinity, request, reply);
    next();
  });
}
