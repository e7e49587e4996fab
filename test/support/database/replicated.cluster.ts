import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../../apps/demo/src/embedded-postgres/embedded-postgres-launcher';
import { eventually } from '../eventually';
import { DatabaseProxy } from '../faults/database.proxy';
import { shared } from '../worker/shared';
import { clusterOf, openPool, type TestDatabase } from './test.database';

const CAUGHT_UP_MS = 20_000;

/** One PostgreSQL of the two, in a folder of its own. */
class Node {
  readonly pool: Pool;

  constructor(
    readonly postgres: EmbeddedPostgres,
    private readonly folder: string,
  ) {
    this.pool = openPool(postgres.url, 4);
  }

  static async start(folder: string): Promise<Node> {
    const { binaries } = clusterOf('18');
    const privateCopy = join(folder, 'private-copy');
    return new Node(
      await startEmbeddedPostgres({ dataDir: folder, durable: false, binaries, privateCopy }),
      folder,
    );
  }

  get pidFile(): string {
    return join(dataOf(this.folder), 'postmaster.pid');
  }

  async remove(): Promise<void> {
    await this.pool.end();
    await this.postgres.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const dataOf = (folder: string): string => join(folder, 'postgres/cluster/data');

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'leadline-test-replicated-'));
  chmodSync(folder, 0o755);
  return folder;
}

/**
 * A primary and a standby that follows it by streaming replication, behind one address that leads to the primary, as a
 * balancer does.
 */
export class ReplicatedCluster {
  private constructor(
    private readonly primary: Node,
    readonly standby: Node,
    private readonly proxy: DatabaseProxy,
    /** By the common address. */
    readonly pool: Pool,
  ) {}

  /** @param isSynchronous whether the primary acknowledges nothing that the standby does not have */
  static async start({ isSynchronous }: { isSynchronous: boolean }): Promise<ReplicatedCluster> {
    const [first, second] = [newFolder(), newFolder()];
    const seed = await Node.start(first);
    await shared.migrate(seed.postgres.url);
    await seed.pool.end();
    await seed.postgres.stop();
    execFileSync('cp', ['-a', `${first}/.`, second]);
    const primary = await Node.start(first);
    const { hostname, port, username, password } = new URL(primary.postgres.url);
    const conninfo = `host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}`;
    writeFileSync(join(dataOf(second), 'standby.signal'), '');
    appendFileSync(join(dataOf(second), 'postgresql.auto.conf'), `primary_conninfo = '${conninfo}'\n`);
    const standby = await Node.start(second);
    const proxy = await DatabaseProxy.start(primary.postgres.url);
    const cluster = new ReplicatedCluster(primary, standby, proxy, openPool(proxy.url, 10));
    await cluster.untilCaughtUp();
    if (isSynchronous) await cluster.makeSynchronous();
    return cluster;
  }

  /** By the common address, as a scene takes it. */
  get database(): TestDatabase {
    return { url: this.proxy.url, pool: this.pool, drop: () => this.remove() };
  }

  get standbyUrl(): string {
    return this.standby.postgres.url;
  }

  /** All that is committed by now is on the standby. */
  async untilCaughtUp(): Promise<void> {
    const { rows } = await this.primary.pool.query<{ lsn: string }>(
      'SELECT pg_current_wal_lsn()::text AS lsn',
    );
    await eventually(
      async () => (await this.onStandby(`pg_last_wal_replay_lsn() >= '${rows[0]?.lsn}'::pg_lsn`)) === true,
      CAUGHT_UP_MS,
      'the standby did not catch up',
    );
  }

  /** What is committed from now on does not reach the standby. */
  async cutReplication(): Promise<void> {
    await this.standby.pool.query(`ALTER SYSTEM SET primary_conninfo = ''`);
    await this.standby.pool.query('SELECT pg_reload_conf()');
    await eventually(
      async () => (await this.onStandby('NOT EXISTS (SELECT 1 FROM pg_stat_wal_receiver)')) === true,
      CAUGHT_UP_MS,
      'the standby still follows',
    );
  }

  /** kill -9 of the primary; the standby takes its place, and the common address leads there. */
  async failOver(): Promise<void> {
    process.kill(Number(readFileSync(this.primary.pidFile, 'utf8').split('\n')[0]), 'SIGKILL');
    await this.promote();
    this.proxy.leadTo(this.standbyUrl);
  }

  async promote(): Promise<void> {
    await this.standby.pool.query('SELECT pg_promote(true, 60)');
  }

  private async makeSynchronous(): Promise<void> {
    await this.primary.pool.query(`ALTER SYSTEM SET synchronous_standby_names = '*'`);
    await this.primary.pool.query('SELECT pg_reload_conf()');
    await eventually(
      async () =>
        (await this.primary.pool.query(`SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'`)).rows
          .length > 0,
      CAUGHT_UP_MS,
      'the standby is not synchronous',
    );
  }

  private async onStandby(condition: string): Promise<boolean> {
    const { rows } = await this.standby.pool.query<{ holds: boolean }>(`SELECT ${condition} AS holds`);
    return rows[0]?.holds === true;
  }

  private async remove(): Promise<void> {
    await this.pool.end();
    await this.proxy.stop();
    await Promise.all([this.primary.remove(), this.standby.remove()]);
  }
}
