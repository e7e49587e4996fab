import { connect, type Socket } from 'node:net';
import { once } from 'node:events';

const DEADLINE_MS = 10_000;
const PIECE = 64 * 1024;

/** A caller who writes on whatever is answered, and closes its own side when it wants to. */
export class UnreadCaller {
  private readonly socket: Socket;
  private heard = '';
  /** What the connection ended with: null if by nothing but closed sides. */
  readonly closed: Promise<Error | null>;
  isClosed = false;

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    this.closed = new Promise((resolve) => {
      let reason: Error | null = null;
      this.socket.once('error', (error) => (reason = error));
      this.socket.once('close', () => {
        this.isClosed = true;
        resolve(reason);
      });
    });
    // Nothing is read until it is asked for, so what is thrown away with a reset is lost in every case.
    this.socket.pause();
  }

  /** Writes all of it, whatever comes back. @throws where the connection is gone before */
  async write(bytes: string | Buffer): Promise<void> {
    const whole = Buffer.from(bytes);
    for (let from = 0; from < whole.length; from += PIECE) {
      await new Promise<void>((resolve, reject) =>
        this.socket.write(whole.subarray(from, from + PIECE), (error) => (error ? reject(error) : resolve())),
      );
    }
  }

  /** The answer, which ends with the other side. @throws where it does not come whole */
  async answer(): Promise<string> {
    const giveUp = (): unknown => this.socket.destroy(new Error(`no end of the answer ${this.heard}`));
    const timer = setTimeout(giveUp, DEADLINE_MS);
    this.socket.on('data', (bytes: Buffer) => (this.heard += bytes.toString('latin1')));
    this.socket.resume();
    try {
      const failed = this.closed.then((error) => {
        throw error ?? new Error('closed without an end of the answer');
      });
      await Promise.race([once(this.socket, 'end'), failed]);
      return this.heard;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Sends a byte now and then, until the connection is gone. */
  drip(): this {
    const dripping = setInterval(() => this.socket.write('x'), 20);
    void this.closed.then(() => clearInterval(dripping));
    return this;
  }

  /** Closes its own side too. */
  async end(): Promise<void> {
    this.socket.end();
    await this.closed;
  }

  destroy(): void {
    this.socket.destroy();
  }
}
