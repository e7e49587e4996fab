import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { processLimits } from '@app/config/process-limits';
import { mayTakeSlot } from '@app/contracts/in-flight-limiter';
import { Client, type ClientConfig } from 'pg';
import { connectionTo } from '../database/connection-address';
import { CONNECTION_LIMITS } from '../database/data-source-options';

export const NOTIFICATION_LIMITS = processLimits('notifications', {
  /** From one ping of an idle connection to the next, and the longest wait for an answer. */
  pingMs: 5_000,
  connectMs: 2_000,
  /** From a loss to the next attempt. */
  reconnectMs: 500,
  goodbyeMs: 1_000,
});

/** A NOTIFY commits like any change, and need not wait for the disk: what it tells of was committed before. */
export const notificationConnection = (url: string): ClientConfig => {
  const { pingMs, connectMs } = NOTIFICATION_LIMITS;
  const limits = { ...CONNECTION_LIMITS, connectionTimeoutMillis: connectMs, query_timeout: pingMs };
  return connectionTo(url, { ...limits, application_name: 'leadline listener' }, ['synchronous_commit=off']);
};

/**
 * From one NOTIFY statement to the next. A notification that comes alone is sent at once; frequent ones are sent
 * together. Sending in each commit would cost one more statement for each.
 */
const SEND_EVERY_MS = 20;
/** Most notifications kept while the database is away, shared by accounts. Sweeps find the rest. */
const UNSENT_MAX = 10_000;
const SEND = 'SELECT pg_notify(channel, payload) FROM unnest($1::text[], $2::text[]) AS n (channel, payload)';

export type NotificationChannel = 'leadline_events' | 'leadline_work' | 'leadline_presence';

interface Unsent {
  channel: NotificationChannel;
  payload: string;
  owner: string;
}

/** Called with another process's notification; null: the connection is new, and some may have been missed. */
type Hear = (payload: string | null) => void;

/**
 * The one connection by which a process receives and sends NOTIFY, for all channels. It is made again whenever it is
 * lost. It must not go through a transaction pooler. A ping detects a dead connection. Nothing relies on a
 * notification: every listener also polls.
 */
export class Notifications {
  /** How often the connection was lost or could not be made since the process began. */
  errors = 0;
  /** The present connection, made or being made. Events of former ones are ignored. */
  private client: Client | null = null;
  /** Connected, and no statement is running. */
  private idle = false;
  private sentAt = -Infinity;
  private started = false;
  private stopped = false;
  private timer: NodeJS.Timeout | null = null;
  private readonly hearers = new Map<NotificationChannel, Hear>();
  /** Channels to which the present connection does not listen yet. */
  private unlistened: NotificationChannel[] = [];
  private readonly unsent = new Map<string, Unsent>();
  /** How many of them are of each owner. */
  private readonly unsentOf = new Map<string, number>();
  /** This process's signature. Its own notifications come back to it and are ignored. */
  private readonly signature = randomUUID();

  constructor(private readonly url: string) {}

  /** Starts connecting. Idempotent. */
  start(): void {
    if (this.started) return;
    this.started = true;
    void this.connect();
  }

  /** Listens to a channel from now on, over all future connections. */
  listen(channel: NotificationChannel, hear: Hear): void {
    this.hearers.set(channel, hear);
    this.unlistened.push(channel);
    this.start();
    this.askNow();
  }

  /**
   * Notifies the other processes. Best effort and not awaited. Equal notifications that are not sent yet become one.
   * @param owner the account whose it is, which has a share of what is kept; by default nobody's but the channel's
   */
  notify(channel: NotificationChannel, payload = '', owner: string = channel): void {
    const key = `${channel} ${payload}`;
    const held = this.unsentOf.get(owner) ?? 0;
    if (!this.started || this.unsent.has(key) || !mayTakeSlot(held, UNSENT_MAX - this.unsent.size)) return;
    this.keep(key, { channel, payload: `${this.signature}${payload}`, owner });
    this.askNow();
  }

  /** Idempotent. */
  async stop(): Promise<void> {
    this.stopped = true;
    if (this.timer) clearTimeout(this.timer);
    const client = this.client;
    this.client = null;
    // A dead connection never answers the goodbye.
    const goodbye = sleep(NOTIFICATION_LIMITS.goodbyeMs, undefined, { ref: false });
    await Promise.race([client?.end().catch(() => undefined), goodbye]);
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

  /** The next statement: a channel to listen to, notifications to send or, after an idle time, a ping. */
  private goOn(client: Client): void {
    if (this.client !== client) return;
    if (this.timer) clearTimeout(this.timer);
    const channel = this.unlistened.shift();
    if (channel) this.ask(client, client.query(`LISTEN ${channel}`), () => this.hearers.get(channel)?.(null));
    else if (this.unsent.size > 0) this.sendInTime(client);
    else {
      this.idle = true;
      this.timer = setTimeout(() => this.ask(client, client.query('SELECT 1')), NOTIFICATION_LIMITS.pingMs);
    }
  }

  private sendInTime(client: Client): void {
    const waitMs = this.sentAt + SEND_EVERY_MS - performance.now();
    this.idle = waitMs > 0;
    if (waitMs > 0) this.timer = setTimeout(() => this.send(client), waitMs);
    else this.send(client);
  }

  private keep(key: string, unsent: Unsent): void {
    if (!this.unsent.has(key)) this.unsentOf.set(unsent.owner, (this.unsentOf.get(unsent.owner) ?? 0) + 1);
    this.unsent.set(key, unsent);
  }

  private send(client: Client): void {
    this.sentAt = performance.now();
    const sent = [...this.unsent];
    this.unsent.clear();
    this.unsentOf.clear();
    const told = sent.map(([, notification]) => notification);
    const values = [told.map(({ channel }) => channel), told.map(({ payload }) => payload)];
    const sending = client.query(SEND, values).catch((error: unknown) => {
      for (const [key, notification] of sent) this.keep(key, notification);
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
    this.timer = setTimeout(() => void this.connect(), NOTIFICATION_LIMITS.reconnectMs);
  }
}
