import { setTimeout as delay } from 'node:timers/promises';
import type { StepDefinition } from '@app/contracts/scenario.words';
import { Pool } from 'pg';
import { ApiClient, type Answer } from '../support/clients/api.client';
import type { AccountFixture } from '../support/database/fixture';
import { residentMb } from '../support/programs/process.memory';
import { startServer, type ServerProcess } from '../support/programs/server.process';
import { knowTables, startBenchCluster } from './bench.cluster';
import type { BenchSize } from './bench.size';
import { median, quantile, report } from './figures';
import { ProviderStub } from './provider.stub';
import { addAccount, addRuns } from './scenarios.data';

const PLANS = {
  full: { moves: 300, runs: 4_000, waiting: 100_000, due: 10_000, calls: 300, paced: 10_000, slow: 400 },
  quick: { moves: 100, runs: 1_000, waiting: 20_000, due: 10_000, calls: 100, paced: 3_000, slow: 200 },
  smoke: { moves: 5, runs: 20, waiting: 50, due: 20, calls: 3, paced: 30, slow: 10 },
};
type Plan = (typeof PLANS)[BenchSize];

const DEADLINE_MS = 120_000;
const LOOK_MS = 50;
/** The runs of an account are counted by a scan, which is not to be what is measured. */
const COUNT_MS = 500;
const BETWEEN_MOVES_MS = 50;
/** Of a sweep. */
const MEASURED_ACCOUNTS = 4;
/** Each is flushed to disk by itself. */
const WRITES_MOST = 3;
/** Messages that a number may send a second. */
const PACE = 300;
/** A number so slow that all but a few of its runs are put off. */
const SLOW_PACE = 20;
const STEPS_LEAST = 500;
const BEGUN_WITHIN_S = 20;
const LATE_MOST_S = 2;
const FIRST_STEP_MS = { p50: 25, p99: 250 };

const SAY: StepDefinition = { kind: 'send_text', text: 'Your order is ready' };
const NOTIFY: StepDefinition = { kind: 'notify', text: 'Look' };
const LONG_WAIT: StepDefinition = { kind: 'wait', seconds: 86_400 };

/** What scenarios cost, how soon they begin, and what others feel of them. */
export async function benchScenarios(size: BenchSize): Promise<void> {
  console.log('\n=== scenarios\n');
  const cluster = await startBenchCluster();
  const db = new Pool({ connectionString: cluster.url, max: 3 });
  // An idle connection may hear of the database's end before its own.
  db.on('error', () => undefined);
  const provider = await ProviderStub.start(0);
  let server: ServerProcess | null = null;
  try {
    server = await startServer(cluster.url, { CLOUD_API_URL: provider.url });
    await new ScenarioBench(db, server, provider).run(PLANS[size]);
  } finally {
    await server?.stop();
    await provider.stop();
    await db.end();
    await cluster.stop();
  }
}

class ScenarioBench {
  constructor(
    private readonly db: Pool,
    private readonly server: ServerProcess,
    private readonly provider: ProviderStub,
  ) {}

  async run(plan: Plan): Promise<void> {
    await this.firstSteps(plan);
    await this.saturate(plan);
    await this.dueAtOnce(plan);
    await this.dueAtPace(PACE, plan.paced, plan.paced);
    await this.dueAtPace(SLOW_PACE, plan.paced, plan.slow);
  }

  /** Moves one by one, from each to the beginning of its first step, by the database's clock. */
  private async firstSteps({ moves }: Plan): Promise<void> {
    const { account } = await addAccount(this.db, [SAY]);
    const threads = await Promise.all(Array.from({ length: moves }, () => account.addThread()));
    await knowTables(this.db);
    for (const threadId of threads) {
      await this.move(account, threadId, account.stages[0] ?? null);
      await delay(BETWEEN_MOVES_MS);
    }
    await this.untilEnded(account);
    const { rows } = await this.db.query<{ ms: number }>(
      `SELECT extract(epoch FROM m.created_at - r.entered_at)::float8 * 1000 AS ms
         FROM scenario_runs r JOIN messages m ON m.account_id = r.account_id AND m.run_id = r.id WHERE r.account_id = $1`,
      [account.id],
    );
    const took = rows.map(({ ms }) => ms);
    report('move to first step begun at rest, p50', 'ms', quantile(took, 0.5), FIRST_STEP_MS.p50);
    report('move to first step begun at rest, p99', 'ms', quantile(took, 0.99), FIRST_STEP_MS.p99);
  }

  /** As many steps as one process makes, half of them sends. */
  private async saturate({ runs }: Plan): Promise<void> {
    const steps = [NOTIFY, SAY, NOTIFY, SAY];
    const accounts = await Promise.all(
      Array.from({ length: MEASURED_ACCOUNTS }, () => addAccount(this.db, steps)),
    );
    await this.provider.counts();
    for (const account of accounts) await addRuns(this.db, account, runs / MEASURED_ACCOUNTS, 'due');
    await knowTables(this.db);
    const [rowsBefore, before, begun] = [await this.rows(), await this.writes(), performance.now()];
    for (const { account } of accounts) await this.untilEnded(account);
    const seconds = (performance.now() - begun) / 1_000;
    const made = runs * steps.length;
    await delay(1_000);
    const writes = ((await this.writes()) - before) / made;
    const rows = ((await this.rows()) - rowsBefore) / made;
    const { requests, doubles } = await this.provider.counts();
    const rate = made / seconds;
    const verdict = rate >= STEPS_LEAST ? 'reached' : 'MISSED';
    console.log(`steps a second, half of them sends: ${rate.toFixed(0)} (goal ≥ ${STEPS_LEAST}: ${verdict})`);
    report('transactions that write, a step', '', writes, WRITES_MOST);
    console.log(`rows written a step, its history, messages and their outcomes included: ${rows.toFixed(1)}`);
    if (requests !== 2 * runs || doubles > 0)
      throw new Error(`${2 * runs} messages were due, ${requests} sent, ${doubles} of them again`);
  }

  /** Thousands of runs of one account are due at once beside many that wait, and another account goes on. */
  private async dueAtOnce({ waiting, due, calls }: Plan): Promise<void> {
    const busy = await addAccount(this.db, [SAY, LONG_WAIT]);
    const other = await addAccount(this.db, [LONG_WAIT]);
    await addRuns(this.db, busy, waiting, 'waiting');
    await knowTables(this.db);
    const atRest = await this.callsOf(other.account, calls);
    await this.provider.counts();
    const restMb = residentMb(this.server.pid);
    let mostMb = restMb;
    const watch = setInterval(() => (mostMb = Math.max(mostMb, residentMb(this.server.pid))), LOOK_MS);
    await addRuns(this.db, busy, due, 'due');
    const begun = performance.now();
    const begins = this.untilBegun(busy.account, due).then(() => (performance.now() - begun) / 1_000);
    const under = await this.callsOf(other.account, calls);
    const stillDue = await this.countBegun(busy.account);
    const seconds = await begins;
    clearInterval(watch);
    await this.untilSent(busy.account);
    const { requests, doubles } = await this.provider.counts();
    report(`${due} due at once, the last begun after`, 's', seconds, BEGUN_WITHIN_S);
    for (const [name, rest, load] of [
      ['set-status', atRest.moves, under.moves],
      ['send-template', atRest.sends, under.sends],
    ] as const)
      console.log(
        `${name} of another account beside ${waiting} waiting runs, at rest and while ${due} are due: ` +
          `p50 ${median(rest).toFixed(1)} and ${median(load).toFixed(1)} ms, ratio ${(median(load) / median(rest)).toFixed(2)}`,
      );
    console.log(`when these calls were over, ${stillDue} of ${due} runs had begun`);
    console.log(`memory: ${restMb.toFixed(0)} MB at rest, ${mostMb.toFixed(0)} MB at most`);
    const expected = due + calls;
    if (requests !== expected || doubles > 0)
      throw new Error(`${expected} messages were due, ${requests} sent, ${doubles} of them again`);
  }

  /** Milliseconds of calls one by one. */
  private async callsOf(
    account: AccountFixture,
    calls: number,
  ): Promise<{ moves: number[]; sends: number[] }> {
    const api = new ApiClient(this.server.url, account.key);
    const threadId = await account.addThread();
    const [moves, sends]: [number[], number[]] = [[], []];
    for (let n = 0; n < calls; n++) {
      moves.push(
        await this.timed(() =>
          api.setStatus({ thread_id: threadId, status_id: account.stages[1 + (n % 2)] }),
        ),
      );
      const order = { bot_id: account.botId, channel: 'waba_coexistence', template_id: 'order_ready' };
      sends.push(
        await this.timed(() =>
          api.sendTemplate({ ...order, to: { phone: `+7703${String(1_000_000 + n)}`, params: [] } }),
        ),
      );
    }
    return { moves, sends };
  }

  private async timed(call: () => Promise<Answer>): Promise<number> {
    const begun = performance.now();
    const { status, text } = await call();
    if (status !== 200) throw new Error(`a call was answered ${status} ${text}`);
    return performance.now() - begun;
  }

  private async move(account: AccountFixture, threadId: string, statusId: string | null): Promise<void> {
    const api = new ApiClient(this.server.url, account.key);
    await this.timed(() => api.setStatus({ thread_id: threadId, status_id: statusId }));
  }

  /** Transactions so far that wrote something. */
  private async writes(): Promise<number> {
    const { rows } = await this.db.query<{ n: number }>(
      'SELECT pg_snapshot_xmax(pg_current_snapshot())::text::float8 AS n',
    );
    return rows[0]?.n ?? 0;
  }

  /** Rows written so far, in all tables. */
  private async rows(): Promise<number> {
    const { rows } = await this.db.query<{ n: number }>(
      'SELECT sum(n_tup_ins + n_tup_upd + n_tup_del)::float8 AS n FROM pg_stat_user_tables',
    );
    return rows[0]?.n ?? 0;
  }

  private async countBegun({ id }: AccountFixture): Promise<number> {
    const { rows } = await this.db.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM scenario_runs WHERE account_id = $1 AND spoke_at IS NOT NULL`,
      [id],
    );
    return rows[0]?.n ?? 0;
  }

  private async untilBegun(account: AccountFixture, count: number): Promise<void> {
    await this.until(
      async () => (await this.countBegun(account)) >= count,
      'the runs did not begin',
      COUNT_MS,
    );
  }

  private async untilEnded({ id }: AccountFixture): Promise<void> {
    const open = 'SELECT 1 FROM scenario_runs WHERE account_id = $1 AND finished_at IS NULL LIMIT 1';
    await this.until(async () => (await this.db.query(open, [id])).rowCount === 0, 'the runs did not end');
  }

  /** A run has begun once its message is stored; the request follows. */
  private async untilSent({ id }: AccountFixture): Promise<void> {
    const sending = `SELECT 1 FROM messages WHERE account_id = $1 AND status = 'sending' LIMIT 1`;
    await this.until(
      async () => (await this.db.query(sending, [id])).rowCount === 0,
      'messages were not sent',
    );
  }

  /** Runs of one number are due at once: each is late by what the number's pace asks for, and little more. */
  private async dueAtPace(pace: number, count: number, measured: number): Promise<void> {
    const busy = await addAccount(this.db, [SAY], pace);
    await knowTables(this.db);
    await addRuns(this.db, busy, count, 'due');
    await this.untilBegun(busy.account, measured);
    const { rows } = await this.db.query<{ late: number }>(
      `SELECT extract(epoch FROM spoke_at - min(started_at) OVER ())::float8
              - row_number() OVER (ORDER BY spoke_at) / $2::float8 AS late
         FROM scenario_runs WHERE account_id = $1 ORDER BY spoke_at LIMIT $3`,
      [busy.account.id, pace, measured],
    );
    const late = quantile(
      rows.map((row) => row.late),
      0.99,
    );
    const which = measured < count ? `, the first ${measured}` : '';
    report(
      `${count} due at once by a number of ${pace}/s${which}, lateness beyond its pace, p99`,
      's',
      late,
      LATE_MOST_S,
    );
  }

  private async until(condition: () => Promise<boolean>, failure: string, lookMs = LOOK_MS): Promise<void> {
    const last = performance.now() + DEADLINE_MS;
    while (!(await condition())) {
      if (performance.now() > last) throw new Error(`${failure} within ${DEADLINE_MS / 1_000} s`);
      await delay(lookMs);
    }
  }
}
