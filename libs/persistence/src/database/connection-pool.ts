import { setTimeout as sleep } from 'node:timers/promises';
import { Pool, type PoolConfig } from 'pg';

/** A pool that ends waits for so long for what is not answered: a database that swallows everything keeps no process from stopping. */
const LAST_ANSWERS_MS = 1_000;

const ignored = (): void => undefined;

/**
 * A pool whose lost connections end no process: an idle one is replaced, and on one that is taken the next statement
 * reports the loss.
 */
export class ConnectionPool extends Pool {
  constructor(config: PoolConfig) {
    super(config);
    this.on('error', ignored);
    // pg-pool takes its own listener off before the taker of a connection can have one: a connection that the database
    // closes in that moment would end the process.
    this.on('connect', (client) => void client.on('error', ignored));
  }

  override end(): Promise<void>;
  override end(callback: () => void): void;
  override end(callback?: () => void): Promise<void> | void {
    const ended = Promise.race([super.end(), sleep(LAST_ANSWERS_MS, undefined, { ref: false })]);
    if (!callback) return ended;
    void ended.then(() => callback(), callback);
  }
}
