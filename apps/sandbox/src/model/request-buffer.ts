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
