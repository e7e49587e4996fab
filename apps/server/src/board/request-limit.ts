import { RateLimitedError } from '@app/domain/accounts/account.errors';
import type { BoardSocket } from './board-rooms.service';
import { refuse, type Acknowledge } from './board-error-filter';
import { NoSuchRequestError } from './board.errors';
import { BOARD_REQUEST_NAMES } from './board.request';
import { limiter } from './packet-limit';

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
