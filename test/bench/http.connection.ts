import { connect, type Socket } from 'node:net';
import type { Reply } from './answer.expectation';

const DEADLINE_MS = 20_000;

/**
 * One keep-alive connection that carries one call at a time. Written on the bare socket, because the load shares the
 * machine with what it measures: a full client would cost about as much as the floor's own server.
 */
export class HttpConnection {
  private received = '';
  private settle: { resolve(reply: Reply): void; reject(error: Error): void } | null = null;

  private constructor(
    private readonly socket: Socket,
    private readonly host: string,
    private readonly deadlineMs: number,
  ) {
    socket.setEncoding('latin1');
    socket.setTimeout(deadlineMs, () => this.giveUp());
    socket.on('data', (text: string) => this.take(text));
    socket.on('error', (error) => this.settle?.reject(error));
    socket.on('close', () => this.settle?.reject(new Error('the server closed the connection')));
  }

  /** @param deadlineMs how long an answer may keep silent. */
  static async open(url: string, deadlineMs = DEADLINE_MS): Promise<HttpConnection> {
    const { hostname, port, host } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', reject);
    });
    return new HttpConnection(socket, host, deadlineMs);
  }

  /** @param caller an API key, or the headers of a session as the wire has them, each with its end of line. */
  post(path: string, caller: string | { headers: string }, body: string): Promise<Reply> {
    const shown = typeof caller === 'string' ? `X-API-Key: ${caller}\r\n` : caller.headers;
    return new Promise((resolve, reject) => {
      this.settle = { resolve, reject };
      this.socket.write(
        `POST ${path} HTTP/1.1\r\nHost: ${this.host}\r\n${shown}Content-Type: application/json\r\n` +
          `Content-Length: ${body.length}\r\n\r\n${body}`,
        'latin1',
      );
    });
  }

  close(): void {
    this.settle = null;
    this.socket.destroy();
  }

  private giveUp(): void {
    this.settle?.reject(new Error(`no answer within ${this.deadlineMs / 1_000} s`));
  }

  private take(text: string): void {
    this.received += text;
    const head = this.received.indexOf('\r\n\r\n');
    if (head < 0) return;
    const [, length = '0'] = /\r\ncontent-length: (\d+)/i.exec(this.received) ?? [];
    const end = head + 4 + Number(length);
    if (this.received.length < end) return;
    const reply = { status: Number(this.received.slice(9, 12)), body: this.received.slice(head + 4, end) };
    this.received = this.received.slice(end);
    const { settle } = this;
    this.settle = null;
    settle?.resolve(reply);
  }
}
