import { once } from 'node:events';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** One request that the scripted model got. Times are milliseconds since 1970. */
export interface ModelRequestEntry {
  /** Counts all requests since the start, from 1. */
  n: number;
  at: number;
  /** The body as sent; null when it was forgotten or was no JSON. */
  body: unknown;
  /** Whether the request had a bearer key. */
  with_key: boolean;
  /** What the model does: `say`, `call` (of tools), `hang`, `drip`, `endless`, `garbage`, or `refuse 429`. */
  act: string;
  /** Whether the reply is held until it is released. */
  held: boolean;
  first_byte_at: number | null;
  ended_at: number | null;
  /**
   * `complete`: all was written; `client closed`: the client was gone before that; `cut`: the model reset the
   * connection.
   */
  end: 'complete' | 'client closed' | 'cut' | null;
}

const ENTRIES_MAX = 5_000;
const BYTES_MAX = 32 * 1024 * 1024;

/** The last requests, {@link ENTRIES_MAX} of them, and of their bodies the last {@link BYTES_MAX} bytes. */
export class RequestBuffer {
  private entries: ModelRequestEntry[] = [];
  private sizes: { entry: ModelRequestEntry; bytes: number }[] = [];
  private bytes = 0;
  private total = 0;

  note(body: unknown, bytes: number, withKey: boolean): ModelRequestEntry {
    this.total += 1;
    const entry: ModelRequestEntry = {
      n: this.total,
      at: Date.now(),
      body,
      with_key: withKey,
      act: '',
      held: false,
      first_byte_at: null,
      ended_at: null,
      end: null,
    };
    this.entries.push(entry);
    if (this.entries.length > ENTRIES_MAX) this.entries.shift();
    this.sizes.push({ entry, bytes });
    this.bytes += bytes;
    while (this.bytes > BYTES_MAX || this.sizes.length > ENTRIES_MAX) this.forgetBody();
    return entry;
  }

  /** Oldest first. `since`: only requests with a higher number; `contains`: whose body has this text. */
  list({ since = 0, contains }: { since?: number; contains?: string } = {}): ModelRequestEntry[] {
    const later = this.entries.filter(({ n }) => n > since);
    return contains === undefined ? later : later.filter(({ body }) => hasText(body, contains));
  }

  /** Forgets all requests. The numbering continues. */
  clear(): void {
    this.entries = [];
    this.sizes = [];
    this.bytes = 0;
  }

  private forgetBody(): void {
    const oldest = this.sizes.shift();
    if (!oldest) return;
    oldest.entry.body = null;
    this.bytes -= oldest.bytes;
  }
}

/** Whether a text occurs anywhere in what was parsed from JSON. */
function hasText(value: unknown, wanted: string): boolean {
  if (typeof value === 'string') return value.includes(wanted);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((one) => hasText(one, wanted));
}

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
