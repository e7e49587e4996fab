import { CodedError } from '@app/contracts/coded.errors';

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
