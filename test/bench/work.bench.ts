import { join } from 'node:path';
import { WorkNotifier } from '@app/domain/work/work-notifier';
import { Notifications } from '@app/persistence/work/notifications-connection';
import { Pool } from 'pg';
import { startServer, type ServerProcess } from '../support/programs/server.process';
import { startBenchCluster, type BenchCluster } from './bench.cluster';
import type { BenchSize } from './bench.size';
import { median, quantile, report } from './figures';
import { cpuOf, cpuOfPostgres } from './process.cpu';
import { wallClock, WORK_TABLE } from './work.table';

const PLANS = {
  full: { calm: 200, perSecond: 20, rounds: 3, items: 5_000, held: 20 },
  quick: { calm: 100, perSecond: 20, rounds: 1, items: 5_000, held: 20 },
  smoke: { calm: 5, perSecond: 20, rounds: 1, items: 100, held: 0 },
};
type Plan = (typeof PLANS)[BenchSize];

/** A separate job queue (pg-boss), as measured on a machine of this kind. */
const FORMER = { p50Ms: 26.6, p99Ms: 83.6, perSecond: 224, databaseCpuUs: 1_960 };
/** Work of a killed process continues within this time (promise P3 allows 30 s to its end). */
const MOST_RECOVERY_S = 20;
const ACCOUNTS = 50;
const DEADLINE_MS = 60_000;
const LOOK_MS = 20;

interface Round {
  perSecond: number;
  serverCpuUs: number;
  databaseCpuUs: number;
}

/** The way of due work from its commit to its handler, and what it costs, without what a handler does. */
export async function benchWork(size: BenchSize): Promise<void> {
  console.log('\n=== work\n');
  const cluster = await startBenchCluster();
  const bench = await WorkBench.open(cluster);
  try {
    await bench.run(PLANS[size]);
  } finally {
    await bench.close();
    await cluster.stop();
  }
}

class WorkBench {
  private readonly workers: ServerProcess[] = [];
  private readonly notifier: WorkNotifier;

  private constructor(
    private readonly cluster: BenchCluster,
    private readonly db: Pool,
    private readonly notifications: Notifications,
  ) {
    this.notifier = new WorkNotifier(notifications);
  }

  static async open(cluster: BenchCluster): Promise<WorkBench> {
    const db = new Pool({ connectionString: cluster.url, max: 4, application_name: 'bench' });
    // An idle connection may hear of the database's end before its own.
    db.on('error', () => undefined);
    await db.query(WORK_TABLE);
    const notifications = new Notifications(cluster.url);
    notifications.start();
    return new WorkBench(cluster, db, notifications);
  }

  async run(plan: Plan): Promise<void> {
    const worker = await this.addWorker();
    const waits = await this.calm(plan);
    report('commit to handler at a calm rate, p50', 'ms', quantile(waits, 0.5), FORMER.p50Ms);
    report('commit to handler at a calm rate, p99', 'ms', quantile(waits, 0.99), FORMER.p99Ms);
    const rounds: Round[] = [];
    while (rounds.length < plan.rounds) rounds.push(await this.saturate(worker, plan.items));
    const rate = median(rounds.map(({ perSecond }) => perSecond));
    const spread = rounds.map(({ perSecond }) => perSecond.toFixed(0)).join(', ');
    console.log(
      `items a second at saturation: ${rate.toFixed(0)} (rounds: ${spread}; formerly ${FORMER.perSecond})`,
    );
    const cpu = median(rounds.map(({ databaseCpuUs }) => databaseCpuUs));
    report('PostgreSQL CPU of an item', 'µs', cpu, FORMER.databaseCpuUs);
    console.log(
      `server CPU of an item: ${median(rounds.map(({ serverCpuUs }) => serverCpuUs)).toFixed(0)} µs`,
    );
    console.log(`connections of the worker's process: ${await this.connections()}`);
    if (plan.held > 0)
      report(
        'kill -9 to the last item taken over',
        's',
        await this.recover(worker, plan.held),
        MOST_RECOVERY_S,
      );
  }

  async close(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.kill('SIGKILL')));
    await this.notifications.stop();
    await this.db.end();
  }

  private async addWorker(): Promise<ServerProcess> {
    const program = join(__dirname, 'work.program.js');
    const worker = await startServer(this.cluster.url, { ROLE: 'worker' }, program);
    this.workers.push(worker);
    return worker;
  }

  /** Items one by one, each committed and notified at its time. @returns the milliseconds from each commit. */
  private async calm({ calm, perSecond }: Plan): Promise<number[]> {
    const committed = new Map<string, number>();
    const begun = performance.now();
    for (let n = 0; n < calm; n++) {
      const wait = begun + (n * 1_000) / perSecond - performance.now();
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
      const [id = ''] = await this.add(1, n);
      committed.set(id, wallClock());
      this.tell([id], n);
    }
    await this.untilDone();
    const { rows } = await this.db.query<{ id: string; at: number }>(
      'SELECT id::text, started_at AS at FROM bench_work',
    );
    return rows.map(({ id, at }) => at - (committed.get(id) ?? NaN));
  }

  /** Everything is due at once. */
  private async saturate({ pid }: ServerProcess, items: number): Promise<Round> {
    const perAccount = items / ACCOUNTS;
    const added: string[][] = [];
    for (let n = 0; n < ACCOUNTS; n++) added.push(await this.add(perAccount, n));
    await this.db.query('VACUUM ANALYZE bench_work');
    const usage = () => ({ server: cpuOf(pid), database: cpuOfPostgres(this.cluster.postmaster) });
    const before = usage();
    const begun = performance.now();
    for (const [n, ids] of added.entries()) this.tell(ids, n);
    await this.untilDone();
    const seconds = (performance.now() - begun) / 1_000;
    const after = usage();
    return {
      perSecond: items / seconds,
      serverCpuUs: (after.server - before.server) / items,
      databaseCpuUs: (after.database - before.database) / items,
    };
  }

  /** Seconds from kill -9 of a process that holds items until another one has begun the last of them. */
  private async recover(victim: ServerProcess, held: number): Promise<number> {
    for (let n = 0; n < held; n++) this.tell(await this.add(1, n, true), n);
    const heldBy = async (pid: number): Promise<boolean> => {
      const { rows } = await this.db.query<{ held: number }>(
        'SELECT count(*)::int AS held FROM bench_work WHERE NOT done AND started_by = $1',
        [pid],
      );
      return rows[0]?.held === held;
    };
    await this.until(() => heldBy(victim.pid), 'the items were not begun');
    const heir = await this.addWorker();
    const killed = performance.now();
    await victim.kill('SIGKILL');
    await this.until(() => heldBy(heir.pid), 'the items were not taken over');
    return (performance.now() - killed) / 1_000;
  }

  private async add(count: number, account: number, held = false): Promise<string[]> {
    const { rows } = await this.db.query<{ id: string }>(
      `INSERT INTO bench_work (account_id, held) SELECT $1, $2 FROM generate_series(1, $3::int) RETURNING id::text`,
      [accountId(account), held, count],
    );
    return rows.map(({ id }) => id);
  }

  private tell(ids: readonly string[], account: number): void {
    for (const id of ids) this.notifier.notify('replies', { accountId: accountId(account), id });
  }

  private async untilDone(): Promise<void> {
    const done = async (): Promise<boolean> =>
      (await this.db.query('SELECT 1 FROM bench_work WHERE NOT done LIMIT 1')).rowCount === 0;
    await this.until(done, 'the work was not done');
  }

  private async until(condition: () => Promise<boolean>, failure: string): Promise<void> {
    const last = performance.now() + DEADLINE_MS;
    while (!(await condition())) {
      if (performance.now() > last) throw new Error(`${failure} within ${DEADLINE_MS / 1_000} s`);
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }

  /** Of the one worker. */
  private async connections(): Promise<number> {
    const { rows } = await this.db.query<{ open: number }>(
      `SELECT count(*)::int AS open FROM pg_stat_activity
        WHERE datname = current_database() AND application_name LIKE 'leadline%'`,
    );
    // One is this program's own, by which it tells of items.
    return (rows[0]?.open ?? 0) - 1;
  }
}

const accountId = (n: number): string => `00000000-0000-7000-8000-${String(n % ACCOUNTS).padStart(12, '0')}`;
