import { once } from 'node:events';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ModelRequestEntry } from './request-buffer';

/** A reset discards what the other end has not read yet. */
const READ_MS = 50;

/** One request and its answer on the wire. The buffer's entry keeps the times of both. */
export class ModelExchange {
  private readonly gone = new AbortController();
  private readonly released = new AbortController();

  constructor(
    readonly entry: ModelRequestEntry,
    private readonly response: ServerResponse,
  ) {
    response.on('close', () => {
      entry.ended_at ??= Date.now();
      entry.end ??= response.writableFinished ? 'complete' : 'client closed';
      entry.held = false;
      this.gone.abort();
    });
  }

  /** Aborted when the client is gone. Whatever waits then fails with an AbortError. */
  get signal(): AbortSignal {
    return this.gone.signal;
  }

  get isOpen(): boolean {
    return !this.gone.signal.aborted;
  }

  async pause(milliseconds: number): Promise<void> {
    if (milliseconds > 0) await sleep(milliseconds, undefined, { signal: this.signal });
    this.signal.throwIfAborted();
  }

  /** Waits until it is released. Returns at once when that has happened already. */
  async hold(): Promise<void> {
    this.signal.throwIfAborted();
    const { signal } = this.released;
    if (signal.aborted) return;
    this.entry.held = true;
    await once(signal, 'abort', { signal: this.signal });
    this.entry.held = false;
  }

  release(): void {
    this.released.abort();
  }

  begin(httpStatus: number, headers: OutgoingHttpHeaders): void {
    this.response.writeHead(httpStatus, {
      'cache-control': 'no-store',
      'x-request-id': `req_${this.entry.n}`,
      ...headers,
    });
    this.response.flushHeaders();
    this.entry.first_byte_at = Date.now();
  }

  /** Waits for a client that reads more slowly than this writes. */
  async write(words: string): Promise<void> {
    this.signal.throwIfAborted();
    if (!this.response.write(words)) await once(this.response, 'drain', { signal: this.signal });
  }

  end(words = ''): void {
    if (this.isOpen) this.response.end(words);
  }

  /** Resets the connection, as a crashing model does, after the client could read what was written. */
  async cut(): Promise<void> {
    await this.pause(READ_MS);
    this.entry.end ??= 'cut';
    this.response.socket?.resetAndDestroy();
  }
}
