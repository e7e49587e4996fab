import type { PoolConfig } from 'pg';
import { connectionTo } from './connection.address';
import { CONNECTION_LIMITS } from './data-source.options';

/** For rings, looks for jobs and their ends: each a short statement, and none that a caller waits for. */
export const JOB_POOL_SIZE = 3;

/** On a connection that is dead without a word a look gives up soon enough for the next one to find the work. */
const LOOK_LIMITS = { query_timeout: 3_000, connectionTimeoutMillis: 2_000 };

/** How the queue of jobs, whose adapter knows nothing of ours, is to connect. */
export const jobConnection = (url: string): PoolConfig =>
  connectionTo(url, {
    ...CONNECTION_LIMITS,
    ...LOOK_LIMITS,
    max: JOB_POOL_SIZE,
    application_name: 'leadline jobs',
  });
