import { processLimits } from '@app/config/process-limits';
import type { Pool } from 'pg';
import { type DataSourceOptions, DefaultNamingStrategy, type Table } from 'typeorm';
import { connectionTo } from './connection-address';
import { Baseline1764093600000 } from './migrations/1764093600000-baseline.migration';

const nameOf = (table: Table | string): string =>
  (typeof table === 'string' ? table : table.name).split('.').at(-1) ?? '';

/** Names keys as PostgreSQL does by default, so that entities, migrations and errors use the same names. */
class ConstraintNames extends DefaultNamingStrategy {
  override primaryKeyName(table: Table | string): string {
    return `${nameOf(table)}_pkey`;
  }

  override foreignKeyName(table: Table | string, columns: string[]): string {
    return `${nameOf(table)}_${columns.join('_')}_fkey`;
  }
}

const TIMES = processLimits('database', {
  statementMs: 5_000,
  lockMs: 2_000,
  idleInTransactionMs: 5_000,
  /** Also the longest wait for a free connection: a burst of 500 calls on a busy machine waits over two seconds. */
  connectMs: 5_000,
  /** Longer than the database's own limit. It ends the wait for a database that is frozen or cut off. */
  answerMs: 8_000,
});

export interface ConnectionOptions {
  url: string;
  /** Shown in pg_stat_activity. */
  applicationName: string;
  poolSize: number;
  /** Replaces those of a connection that serves calls. */
  limits?: object;
  /** For each session, such as `synchronous_commit=off`. */
  settings?: readonly string[];
}

/** Limits that every connection of the service sets, whatever the defaults of the database or its address are. */
export const CONNECTION_LIMITS = {
  statement_timeout: TIMES.statementMs,
  lock_timeout: TIMES.lockMs,
  idle_in_transaction_session_timeout: TIMES.idleInTransactionMs,
  connectionTimeoutMillis: TIMES.connectMs,
  query_timeout: TIMES.answerMs,
  keepAlive: true,
};

/**
 * The one definition of the data source, for the application and the command line. The callers add their entities.
 */
export function dataSourceOptions({
  url,
  applicationName,
  poolSize,
  limits = CONNECTION_LIMITS,
  settings = [],
}: ConnectionOptions): DataSourceOptions {
  const ours = { ...limits, application_name: applicationName };
  const { connectionString, ...extra } = connectionTo(url, ours, settings);
  return {
    type: 'postgres',
    url: connectionString,
    poolSize,
    synchronize: false,
    migrationsRun: false,
    migrationsTransactionMode: 'all',
    installExtensions: false,
    namingStrategy: new ConstraintNames(),
    migrations: [Baseline1764093600000],
    extra,
  };
}

/** What the ORM uses as `pg`. Its pool is ours, so hot statements and its repositories share connections. */
export const driverWith = (pool: Pool): object => ({
  Pool: function () {
    return pool;
  },
});
