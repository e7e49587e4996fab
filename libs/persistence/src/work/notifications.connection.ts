import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type ClientConfig } from 'pg';
import { connectionTo } from '../database/connection.address';
import { CONNECTION_LIMITS } from '../database/data-source.options';

const PING_MS = 5_000;
const RECONNECT_MS = 500;
const GOODBYE_MS = 1_000;
const CONNECTION = {
  ...CONNECTION_LIMITS,
  connectionTimeoutMillis: 2_000,
  query_timeout: PING_MS,
  application_name: 'leadline listener',
};
export const notificationConnection = (url: string): ClientConfig => connectionTo(url, CONNECTION);

/**
 * From one statement that tells others to the next: what comes alone is told at once, what comes all the time together.
 * A commit in each call would cost a statement more for each.
 */
const SEND_EVERY_MS = 20;
/** While the database is away more may come than can be told; what is beyond this is left to the sweeps. */
const UNSENT_MAX = 10_000;
const SEND = 'SELECT pg_notify(channel, payload) FROM unnest($1::text[], $2::text[]) AS n (channel, payload)';

export type NotificationChannel = 'leadline_events' | 'leadline_work';

/** Hears what another process told; null: of a new connection, which may have missed something. */
type Hear = (payload: string | null) => void;

/**
 * The one connection by which a process hears NOTIFY and sends it, for all channels; it is made again whenever it is
 * lost. It must not go through a transaction pooler. A ping finds a connection that died silently. Nothing relies on a
 * notification: every listener also checks by itself from time to time.
 */
export class Notifications {
  /** How often the connection was lost or could not be made, since the process began. */
  errors = 0;
  /** The connection that is being made, or is made; whatever is heard of another one is of no interest. */
  private client: Client | null = null;
  /** Connected and free: a statement at a time. */
  private idle = false;
  private sentAt = -Infinity;
  private started = false;
  private stopped = false;
  private timer: NodeJS.Timeout | null = null;
  private readonly hearers = new Map<NotificationChannel, Hear>();
  /** Channels that the present connection does not listen to yet. */
  private unlistened: NotificationChannel[] = [];
  private readonly unsent = new Map<string, { channel: NotificationChannel; payload: string }>();
  /** What this process signs with: its own notifications come back to it, and it has looked already. */
  private readonly signature = randomUUID();

  constructor(private readonly url: string) {}

  /** Begins to connect. Idempotent. */
  start(): void {
    if (this.started) return;
    this.started = true;
    void this.connect();
  }

  /** Hears of a channel from now on, over all connections to come. */
  listen(channel: NotificationChannel, hear: Hear): void {
    this.hearers.set(channel, hear);
    this.unlistened.push(channel);
    this.start();
    this.askNow();
  }

  /** Tells the other processes, best effort and not waited for. Equal ones that are not sent yet are one. */
  notify(channel: NotificationChannel, payload = ''): void {
    const key = `${channel} ${payload}`;
    if (!this.started || this.unsent.size >= UNSENT_MAX || this.unsent.has(key)) return;
    this.unsent.set(key, { channel, payload: `${this.signature}${payload}` });
    this.askNow();
  }

  /** Idempotent. */
  async stop(): Promise<void> {
    this.stopped = true;
    if (this.timer) clearTimeout(this.timer);
    const client = this.client;
    this.client = null;
    // A connection that is dead without a word never answers the goodbye.
    await Promise.race([client?.end().catch(() => undefined), sleep(GOODBYE_MS, undefined, { ref: false })]);
  }

  private async connect(): Promise<void> {
    const client = new Client(notificationConnection(this.url));
    this.client = client;
    client.on('error', () => this.reconnect(client));
    client.on('end', () => this.reconnect(client));
    client.on('notification', ({ channel, payload = '' }) => this.hear(channel, payload));
    try {
      await client.connect();
    } catch {
      this.reconnect(client);
      return;
    }
    if (this.client !== client) return;
    this.unlistened = [...this.hearers.keys()];
    this.goOn(client);
  }

  private hear(channel: string, payload: string): void {
    if (payload.startsWith(this.signature)) return;
    this.hearers.get(channel as NotificationChannel)?.(payload.slice(this.signature.length));
  }

  private askNow(): void {
    if (this.client && this.idle) this.goOn(this.client);
  }

  /** The next statement: a channel to listen to, what is to be told, or, when nothing is for a while, a ping. */
  private goOn(client: Client): void {
    if (this.client !== client) return;
    if (this.timer) clearTimeout(this.timer);
    const channel = this.unlistened.shift();
    if (channel) this.ask(client, client.query(`LISTEN ${channel}`), () => this.hearers.get(channel)?.(null));
    else if (this.unsent.size > 0) this.sendInTime(client);
    else {
      this.idle = true;
      this.timer = setTimeout(() => this.ask(client, client.query('SELECT 1')), PING_MS);
    }
  }

  private sendInTime(client: Client): void {
    const waitMs = this.sentAt + SEND_EVERY_MS - performance.now();
    this.idle = waitMs > 0;
    if (waitMs > 0) this.timer = setTimeout(() => this.send(client), waitMs);
    else this.send(client);
  }

  private send(client: Client): void {
    this.sentAt = performance.now();
    const sent = [...this.unsent];
    this.unsent.clear();
    const told = sent.map(([, notification]) => notification);
    const values = [told.map(({ channel }) => channel), told.map(({ payload }) => payload)];
    const sending = client.query(SEND, values).catch((error: unknown) => {
      for (const [key, notification] of sent) this.unsent.set(key, notification);
      throw error;
    });
    this.ask(client, sending);
  }

  private ask(client: Client, answer: Promise<unknown>, then: () => void = () => undefined): void {
    this.idle = false;
    answer.then(
      () => {
        if (this.client === client) then();
        this.goOn(client);
      },
      () => this.reconnect(client),
    );
  }

  private reconnect(client: Client): void {
    if (this.stopped || this.client !== client) return;
    this.errors += 1;
    this.client = null;
    this.idle = false;
    client.removeAllListeners('notification');
    client.end().catch(() => undefined);
    if (this.timer) clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.connect(), RECONNECT_MS);
  }
}
