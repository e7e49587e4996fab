import { setTimeout as sleep } from 'node:timers/promises';
import { Pool, type PoolConfig } from 'pg';
import type { Db } from 'pg-boss';
import { BossListener } from './boss.listener';
import type { QueueOutages } from './queue.outages';

/** How to reach the database, with its limits of time, the size of the pool and the connections' name. */
export type QueueConnection = PoolConfig;

const GOODBYE_MS = 1_000;

/**
 * The connections of pg-boss. Its own pool would take no limit of ours for its listener, tries a lost one again more
 * and more seldom, up to half a minute, and stops hearing the errors of one that it gives up: those end the process.
 */
export class BossDatabase implements Db {
  private readonly pool: Pool;
  private listener: BossListener | null = null;
  private ending: Promise<void> | null = null;

  constructor(
    private readonly connection: QueueConnection,
    private readonly outages: QueueOutages,
  ) {
    this.pool = new Pool(connection);
    // An idle connection that the database closes is simply replaced; the next statement reports a real outage.
    this.pool.on('error', () => undefined);
  }

  get listens(): boolean {
    return this.listener !== null;
  }

  async executeSql(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }> {
    const result = await this.pool.query<Record<string, unknown>>(text, values);
    this.outages.worked();
    return result;
  }

  /** Never fails: a connection that cannot be made is tried until it can. */
  async listen(
    channel: string,
    onNotification: (payload: string) => void,
    onReconnect: () => void,
  ): ReturnType<NonNullable<Db['listen']>> {
    const listener = new BossListener(this.connection, channel, onNotification, onReconnect, this.outages);
    this.listener = listener;
    await listener.connect();
    return {
      close: async () => {
        this.listener = null;
        await listener.close();
      },
    };
  }

  /** Idempotent. */
  async end(): Promise<void> {
    this.ending ??= this.pool.end();
    // A connection that is dead without a word never answers the goodbye.
    await Promise.race([this.ending, sleep(GOODBYE_MS, undefined, { ref: false })]);
  }
}
