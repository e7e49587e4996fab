import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { connectionTo } from '../database/connection.address';
import { CONNECTION_LIMITS } from '../database/data-source.options';

const CHANNEL = 'leadline_events';
const PING_MS = 5_000;
const RECONNECT_MS = 500;
const GOODBYE_MS = 1_000;
const CONNECTION = {
  ...CONNECTION_LIMITS,
  connectionTimeoutMillis: 2_000,
  query_timeout: PING_MS,
};

/**
 * The process's own connection for NOTIFY, and for LISTEN where notices are of interest, made again whenever it is
 * lost. It must not go through a transaction pooler. A ping finds connections that are dead without a word.
 */
export class FeedListener {
  /** The connection that is being made, or is made; whatever is heard of another one is of no interest. */
  private client: Client | null = null;
  /** Connected, heard to LISTEN, and free: a statement at a time. */
  private idle = false;
  private unsent = false;
  private timer: NodeJS.Timeout | null = null;
  private stopped = false;
  /** What this process signs its notices with: they come back to it, and it has looked already. */
  private readonly signature = randomUUID();

  private onNotice: (() => void) | undefined;

  constructor(private readonly url: string) {}

  /**
   * Connects.
   * @param onNotice is told of the notices of other processes, and of each new connection, which may have missed some;
   * without it nothing is listened for.
   */
  start(onNotice?: () => void): void {
    this.onNotice = onNotice;
    void this.connect();
  }

  /** Tells the other processes that there is something to look at; best effort, they look each second anyway. */
  notify(): void {
    this.unsent = true;
    if (this.client && this.idle) this.ask(this.client);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    if (this.timer) clearTimeout(this.timer);
    const client = this.client;
    this.client = null;
    // A connection that is dead without a word never answers the goodbye.
    await Promise.race([client?.end().catch(() => undefined), sleep(GOODBYE_MS, undefined, { ref: false })]);
  }

  private async connect(): Promise<void> {
    const client = new Client(
      connectionTo(this.url, {
        ...CONNECTION,
        application_name: this.onNotice ? 'leadline listener' : 'leadline notices',
      }),
    );
    this.client = client;
    client.on('error', () => this.reconnect(client));
    client.on('end', () => this.reconnect(client));
    client.on('notification', ({ payload }) => {
      if (payload !== this.signature) this.onNotice?.();
    });
    try {
      await client.connect();
      if (this.onNotice) await client.query(`LISTEN ${CHANNEL}`);
    } catch {
      this.reconnect(client);
      return;
    }
    if (this.client !== client) return;
    this.rest(client);
    this.onNotice?.();
  }

  /** Sends the notice that is due; one stands for all that fell due meanwhile. Without one it is a ping. */
  private ask(client: Client): void {
    if (this.timer) clearTimeout(this.timer);
    this.idle = false;
    const isNotice = this.unsent;
    this.unsent = false;
    client.query(isNotice ? `NOTIFY ${CHANNEL}, '${this.signature}'` : 'SELECT 1').then(
      () => this.rest(client),
      () => {
        this.unsent ||= isNotice;
        this.reconnect(client);
      },
    );
  }

  private rest(client: Client): void {
    if (this.client !== client) return;
    this.idle = true;
    if (this.unsent) this.ask(client);
    else this.timer = setTimeout(() => this.ask(client), PING_MS);
  }

  private reconnect(client: Client): void {
    if (this.stopped || this.client !== client) return;
    this.client = null;
    this.idle = false;
    client.removeAllListeners('notification');
    client.end().catch(() => undefined);
    if (this.timer) clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.connect(), RECONNECT_MS);
  }
}
