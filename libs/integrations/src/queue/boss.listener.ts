import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type ClientConfig } from 'pg';
import type { QueueOutages } from './queue.outages';

const PING_MS = 5_000;
const RECONNECT_MS = 500;
const GOODBYE_MS = 1_000;

/** The connection that hears of new jobs, made again whenever it is lost. */
export class BossListener {
  private client: Client | null = null;
  private timer: NodeJS.Timeout | null = null;
  private stopped = false;

  /** @param onConnected what was rung while there was no connection has been missed. */
  constructor(
    private readonly connection: ClientConfig,
    private readonly channel: string,
    private readonly onNotice: (payload: string) => void,
    private readonly onConnected: () => void,
    private readonly outages: QueueOutages,
  ) {}

  async connect(): Promise<void> {
    const client = new Client(this.connection);
    this.client = client;
    // Listened to until the end, for what a connection that was given up may still say ends the process otherwise.
    client.on('error', (error) => this.reconnect(client, error));
    client.on('end', () => this.reconnect(client, new Error('The connection that hears of jobs ended.')));
    client.on('notification', ({ payload = '' }) => {
      if (this.client === client) this.onNotice(payload);
    });
    try {
      await client.connect();
      await client.query(`LISTEN "${this.channel}"`);
    } catch (error) {
      this.reconnect(client, error);
      return;
    }
    if (this.client !== client) return;
    this.onConnected();
    this.pingLater(client);
  }

  async close(): Promise<void> {
    this.stopped = true;
    if (this.timer) clearTimeout(this.timer);
    const client = this.client;
    this.client = null;
    // A connection that is dead without a word never answers the goodbye.
    await Promise.race([client?.end().catch(() => undefined), sleep(GOODBYE_MS, undefined, { ref: false })]);
  }

  /** Finds a connection that is dead without a word: the answer's time limit is the connection's own. */
  private pingLater(client: Client): void {
    this.timer = setTimeout(() => {
      client.query('SELECT 1').then(
        () => {
          if (this.client === client) this.pingLater(client);
        },
        (error: unknown) => this.reconnect(client, error),
      );
    }, PING_MS);
  }

  private reconnect(client: Client, error: unknown): void {
    if (this.stopped || this.client !== client) return;
    this.client = null;
    this.outages.failed(error);
    client.end().catch(() => undefined);
    if (this.timer) clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.connect(), RECONNECT_MS);
  }
}
