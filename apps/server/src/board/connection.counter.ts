import { CodedError } from '@app/contracts/coded.error';

/**
 * Twice the boards of a large office: after a network failure each may reconnect before its old connection is given
 * up.
 */
const SOCKETS_PER_KEY = 500;

class TooManySocketsError extends CodedError {
  readonly code = 'RATE_LIMITED';

  constructor() {
    super(
      `This API key has ${SOCKETS_PER_KEY} connections open on this process already. Close those that are not needed; one connection shows several boards.`,
    );
  }
}

/** How many sockets each key has open on this process. */
export class ConnectionCounter {
  private readonly open = new Map<string, number>();

  /** @throws TooManySocketsError when the key may not open another one. */
  requireRoom(keyId: string): void {
    if ((this.open.get(keyId) ?? 0) >= SOCKETS_PER_KEY) throw new TooManySocketsError();
  }

  came(keyId: string): void {
    this.open.set(keyId, (this.open.get(keyId) ?? 0) + 1);
  }

  left(keyId: string): void {
    const rest = (this.open.get(keyId) ?? 0) - 1;
    if (rest > 0) this.open.set(keyId, rest);
    else this.open.delete(keyId);
  }
}
