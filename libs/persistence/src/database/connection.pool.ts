import { Pool, type PoolConfig } from 'pg';

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
}
