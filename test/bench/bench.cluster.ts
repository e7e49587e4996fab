import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, chmodSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '@app/persistence/database/migration-runner';
import { Client, type Pool } from 'pg';
import { startEmbeddedPostgres } from '../../apps/demo/src/embedded-postgres/embedded-postgres-launcher';
import { postmasterOf } from './process.cpu';

export interface BenchCluster {
  url: string;
  postmaster: number;
  stop(): Promise<void>;
}

/** A run makes a cluster once: each part has a copy. */
let made: string | undefined;

/**
 * A throwaway PostgreSQL in the run's folder that flushes to disk as in production, with our tables and nothing in them.
 * @param kept a folder that is kept and used again with what is in it, instead of a throwaway one
 */
export async function startBenchCluster(kept?: string): Promise<BenchCluster> {
  const dataDir = kept ?? (await clusterFolder());
  mkdirSync(dataDir, { recursive: true });
  chmodSync(dataDir, 0o755);
  const cluster = await startMigrated(dataDir);
  const stop = async (): Promise<void> => {
    await cluster.stop();
    if (kept === undefined) rmSync(dataDir, { recursive: true, force: true });
  };
  return { ...cluster, stop };
}

/** A folder for the length of the run, with a cluster with our tables and nothing in them. */
export async function clusterFolder(): Promise<string> {
  if (made === undefined) {
    const folder = newFolder();
    await (await startMigrated(folder)).stop();
    made = folder;
  }
  const copy = newFolder();
  // As root the files belong to PostgreSQL's user, and stay his.
  execFileSync('cp', ['-a', `${made}/.`, copy]);
  return copy;
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'leadline-bench-'));
  chmodSync(folder, 0o755);
  return folder;
}

async function startMigrated(dataDir: string): Promise<BenchCluster> {
  const cluster = await startEmbeddedPostgres({
    dataDir,
    durable: true,
    privateCopy: join(dataDir, 'private-copy'),
  });
  try {
    await migrate(cluster.url);
    return { url: cluster.url, postmaster: await postmasterAt(cluster.url), stop: () => cluster.stop() };
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

/** What autovacuum does within a minute: a run is shorter, and plans for empty tables are poor. */
export async function knowTables(db: Pool): Promise<void> {
  await db.query('VACUUM ANALYZE');
}

async function postmasterAt(url: string): Promise<number> {
  const db = new Client({ connectionString: url });
  await db.connect();
  try {
    const { rows } = await db.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    return postmasterOf(rows[0]?.pid ?? 0);
  } finally {
    await db.end();
  }
}
