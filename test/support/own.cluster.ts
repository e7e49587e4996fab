import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '@app/persistence/database/migration.runner';
import { Pool } from 'pg';
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../apps/demo/src/embedded-postgres/embedded-postgres.launcher';

/** A PostgreSQL of one test file's own, to be stopped and started under load. */
export class OwnCluster {
  private constructor(
    private readonly dataDir: string,
    private postgres: EmbeddedPostgres,
    /** Stays the same over restarts. */
    readonly url: string,
    readonly pool: Pool,
  ) {}

  static async start(): Promise<OwnCluster> {
    const dataDir = mkdtempSync(join(tmpdir(), 'leadline-test-own-'));
    chmodSync(dataDir, 0o755);
    const postgres = await launch(dataDir);
    await migrate(postgres.url);
    const pool = new Pool({ connectionString: postgres.url, max: 3 });
    pool.on('error', () => undefined);
    return new OwnCluster(dataDir, postgres, postgres.url, pool);
  }

  /** A fast shutdown: open connections are cut, open transactions rolled back. */
  async goAway(): Promise<void> {
    await this.postgres.stop();
  }

  /** Back on the same port. */
  async comeBack(): Promise<void> {
    this.postgres = await launch(this.dataDir, Number(new URL(this.url).port));
  }

  async remove(): Promise<void> {
    await this.pool.end();
    await this.postgres.stop();
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}

const launch = (dataDir: string, port?: number): Promise<EmbeddedPostgres> =>
  startEmbeddedPostgres({ dataDir, port, durable: false, shelter: join(dataDir, 'shelter') });
