import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, type Pool } from 'pg';
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../../apps/demo/src/embedded-postgres/embedded-postgres-launcher';
import { eventually } from '../eventually';
import { shared } from '../worker/shared';
import { clusterOf, openPool } from './test.database';

/** The name of a test's own connections. */
const OURS = 'leadline test';

/** A PostgreSQL of one test file: to be stopped and started under load, or free of other files' transactions. */
export class OwnCluster {
  private constructor(
    private readonly dataDir: string,
    private readonly version: string,
    private postgres: EmbeddedPostgres,
    /** Stays the same over restarts. */
    readonly url: string,
    readonly pool: Pool,
  ) {}

  static async start(version = '18'): Promise<OwnCluster> {
    const dataDir = mkdtempSync(join(tmpdir(), 'leadline-test-own-'));
    chmodSync(dataDir, 0o755);
    const postgres = await launch(dataDir, version);
    await shared.migrate(postgres.url);
    const pool = openPool(postgres.url, 10, OURS);
    return new OwnCluster(dataDir, version, postgres, postgres.url, pool);
  }

  /** A fast shutdown: open connections are cut, open transactions rolled back. */
  async goAway(): Promise<void> {
    await this.postgres.stop();
  }

  /** As after a kill -9: no connection is waited for or told, and uncommitted changes are gone. */
  async crash(): Promise<void> {
    const { rows } = await this.pool.query<{ pid: number }>(
      `SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int AS pid`,
    );
    const pid = rows[0]?.pid ?? 0;
    if (pid < 2) throw new Error(`${pid} is no postmaster`);
    process.kill(pid, 'SIGQUIT');
    await this.postgres.stop();
  }

  /** Cuts every connection to its database but those of this pool. */
  async cutAll(): Promise<void> {
    await this.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name <> $1 AND pid <> pg_backend_pid()`,
      [OURS],
    );
  }

  /**
   * Back on the same port.
   * @returns when it accepted the first connection, by `performance.now()`.
   */
  async comeBack(): Promise<number> {
    const accepted = eventually(() => this.accepts(), 60_000, 'the database did not come back');
    const [postgres, at] = await Promise.all([
      launch(this.dataDir, this.version, Number(new URL(this.url).port)),
      accepted,
    ]);
    this.postgres = postgres;
    return at;
  }

  async remove(): Promise<void> {
    await this.pool.end();
    await this.postgres.stop();
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  private async accepts(): Promise<number | null> {
    const client = new Client({ connectionString: this.url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return performance.now();
    } catch {
      return null;
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

const launch = (dataDir: string, version: string, port?: number): Promise<EmbeddedPostgres> =>
  startEmbeddedPostgres({
    dataDir,
    port,
    durable: false,
    binaries: clusterOf(version).binaries,
    privateCopy: join(dataDir, 'private-copy'),
  });
