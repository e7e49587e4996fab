import { randomUUID } from 'node:crypto';
import { Client } from 'pg';

const CHANNEL = 'leadline_events';
const PING_MS = 5_000;
const RECONNECT_MS = 500;

/**
 * The process's own connection for LISTEN and NOTIFY, made again whenever it is lost. It must not go through a
 * transaction pooler. A ping finds connections that are dead without a word.
 */
export class FeedListener {
  private client: Client | null = null;
  private timer: NodeJS.Timeout | null = null;
  private stopped = false;
  /** What this process signs its notices with: they come back to it, and it has looked already. */
  private readonly signature = randomUUID();

  constructor(
    private readonly url: string,
    private readonly onNotice: () => void,
  ) {}

  start(): void {
    void this.connect();
  }

  /** Tells the other processes that there is something to look at; best effort, they look each second anyway. */
  notify(): void {
    this.client?.query(`NOTIFY ${CHANNEL}, '${this.signature}'`).catch(() => this.reconnect());
  }

  async stop(): Promise<void> {
    this.stopped = true;
    if (this.timer) clearTimeout(this.timer);
    const client = this.client;
    this.client = null;
    await client?.end().catch(() => undefined);
  }

  private async connect(): Promise<void> {
    const client = new Client({
      connectionString: this.url,
      application_name: 'leadline listener',
      keepAlive: true,
      connectionTimeoutMillis: 2_000,
      query_timeout: PING_MS,
    });
    client.on('error', () => this.reconnect(client));
    client.on('end', () => this.reconnect(client));
    client.on('notification', ({ payload }) => {
      if (payload !== this.signature) this.onNotice();
    });
    try {
      await client.connect();
      await client.query(`LISTEN ${CHANNEL}`);
    } catch {
      this.reconnect(client);
      return;
    }
    if (this.stopped) return void client.end().catch(() => undefined);
    this.client = client;
    this.timer = setTimeout(() => this.ping(client), PING_MS);
    this.onNotice();
  }

  private ping(client: Client): void {
    client.query('SELECT 1').then(
      () => {
        if (this.client === client) this.timer = setTimeout(() => this.ping(client), PING_MS);
      },
      () => this.reconnect(client),
    );
  }

  private reconnect(of: Client | null = this.client): void {
    if (this.stopped || (this.client && of !== this.client)) return;
    if (of) {
      of.removeAllListeners('end').removeAllListeners('notification');
      of.end().catch(() => undefined);
    }
    this.client = null;
    if (this.timer) clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.connect(), RECONNECT_MS);
  }
}
