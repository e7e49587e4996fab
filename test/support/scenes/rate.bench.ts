import { createHash } from 'node:crypto';
import { Agent } from 'node:http';
import { ApiClient, request, type Answer } from '../clients/api.client';
import { requestLiterally } from '../clients/raw.request';
import { eventually } from '../eventually';
import { endAll, startServer, type ServerProcess } from '../programs/server.process';
import { createDatabase, type TestDatabase } from '../database/test.database';
import { untilWaiting } from '../faults/waiting.sessions';

export type Counter = 'leads' | 'general';

const hashOf = (key: string): Buffer => createHash('sha256').update(key).digest();

/** Two processes on one database, and a hand on the windows kept there. */
export class RateBench {
  /** Without a limit: calls at once do not wait for one another here. */
  private readonly agent = new Agent({ keepAlive: true });

  private constructor(
    readonly database: TestDatabase,
    private servers: ServerProcess[],
    private readonly environment: Record<string, string>,
  ) {}

  /**
   * @param version the major version of PostgreSQL
   * @param environment settings of both processes, also of those that are started again
   */
  static async start(version?: string, environment: Record<string, string> = {}): Promise<RateBench> {
    const database = await createDatabase(version);
    const bench = new RateBench(database, [], environment);
    await bench.startBoth();
    return bench;
  }

  async stop(): Promise<void> {
    this.agent.destroy();
    await endAll(this.servers);
    await this.database.drop();
  }

  /** Kills both processes as the system would, and starts them again. */
  async restart(environment: Record<string, string> = {}): Promise<void> {
    await endAll(this.servers);
    await this.startBoth(environment);
  }

  /** How often the database has read a key. Both processes reconnect; their memory stays. */
  async lookups(): Promise<number> {
    // The figures of a connection are complete once it is over. All end at once: to wait for each takes 100 ms.
    const { rows: ended } = await this.database.pool.query<{ pid: number }>(
      `SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name IN ('leadline', 'leadline admission')`,
    );
    const areOver = async (): Promise<boolean> =>
      (
        await this.database.pool.query('SELECT 1 FROM pg_stat_activity WHERE pid = ANY ($1)', [
          ended.map(({ pid }) => pid),
        ])
      ).rowCount === 0;
    await eventually(areOver, 5_000, 'connections did not end');
    // A process that answers now has seen that they are over.
    await Promise.all(this.servers.map(({ url }) => request(`${url}/health/live`)));
    const { rows } = await this.database.pool.query<{ n: number }>(
      `SELECT (seq_scan + idx_scan)::int AS n FROM pg_stat_user_tables WHERE relname = 'api_keys'`,
    );
    return rows[0]?.n ?? NaN;
  }

  /** Calls at once, by turns on the two processes; by a key without access to it, an operation that changes nothing. */
  burst = (key: string, counter: Counter, calls: number): Promise<Answer[]> =>
    Promise.all(Array.from({ length: calls }, (_, index) => this.call(index, key, counter)));

  /** Calls at once that have all looked at the window before any of them may write it. */
  async burstBehindLock(
    key: string,
    table: 'rate_windows' | 'rate_counters',
    calls: number,
    waiters: number,
  ): Promise<Answer[]> {
    const holder = await this.database.pool.connect();
    try {
      await holder.query('BEGIN');
      await holder.query(
        `SELECT 1 FROM ${table} WHERE key_id = (SELECT id FROM api_keys WHERE key_hash = $1) FOR UPDATE`,
        [hashOf(key)],
      );
      const answers = this.burst(key, 'leads', calls);
      await untilWaiting(this.database.pool, waiters);
      await holder.query('COMMIT');
      return await answers;
    } finally {
      holder.release();
    }
  }

  /** Whether a call was admitted; an answer that says neither yes nor no, such as a 503, is a failure of the test. */
  passed = ({ status, text }: Answer): boolean => {
    if (status === 429 || status === 401) return false;
    if (status === 200 || status === 403) return true;
    throw new Error(`neither admitted nor refused: ${status} ${text}`);
  };

  /** Waits until each process has forgotten its refusals, then calls at once; how many passed in all. */
  async passesOnBoth(key: string, calls: number): Promise<number> {
    for (const index of this.servers.keys()) {
      const admitted = async () => this.passed(await this.call(index, key, 'leads'));
      await eventually(admitted, 5_000, `process ${index} did not admit the key again`);
    }
    const answers = await this.burst(key, 'leads', calls);
    return this.servers.length + answers.filter(this.passed).length;
  }

  /** Waits until both processes answer the key with the status. */
  async becomes(key: string, status: number, deadlineMs: number): Promise<void> {
    for (const index of this.servers.keys()) {
      const answers = async () => (await this.call(index, key, 'leads')).status === status;
      await eventually(answers, deadlineMs, `process ${index} did not answer ${status}`);
    }
  }

  /** The new secret of a key, whose old one is good for a day more. */
  async rotated(key: string, adminKey: string): Promise<string> {
    const { rows } = await this.database.pool.query<{ id: string }>(
      'SELECT id FROM api_keys WHERE key_hash = $1',
      [hashOf(key)],
    );
    const admin = new ApiClient(this.servers[0]!.url, adminKey);
    const { body } = await admin.admin('POST', `api-keys/${rows[0]!.id}/rotate`, {});
    return body.data.key as string;
  }

  /** As an operator raises or lowers what a key may do. */
  async setLimit(key: string, limitLeads: number): Promise<void> {
    await this.database.pool.query('UPDATE api_keys SET limit_leads = $2 WHERE key_hash = $1', [
      hashOf(key),
      limitLeads,
    ]);
  }

  /** Makes the calls counted so far older by the given number of seconds. */
  async moveBack(key: string, seconds: number): Promise<void> {
    const values = [hashOf(key), seconds];
    await this.database.pool.query(
      `UPDATE rate_windows SET hits = ARRAY(SELECT h - make_interval(secs => $2::int) FROM unnest(hits) h ORDER BY h)
        WHERE key_id = (SELECT id FROM api_keys WHERE key_hash = $1)`,
      values,
    );
    await this.database.pool.query(
      'UPDATE rate_counters SET head = head - $2::int WHERE key_id = (SELECT id FROM api_keys WHERE key_hash = $1)',
      values,
    );
  }

  /** Writes a window of calls of the counter `leads` of that many seconds ago, oldest first. */
  async remember(key: string, secondsAgo: readonly number[]): Promise<void> {
    await this.database.pool.query(
      `INSERT INTO rate_windows (key_id, scope, hits)
       SELECT k.id, 'leads', ARRAY(SELECT clock_timestamp() - make_interval(secs => s) FROM unnest($2::float8[]) s ORDER BY s DESC)
         FROM api_keys k WHERE k.key_hash = $1`,
      [hashOf(key), secondsAgo],
    );
  }

  /** The same for a raised limit: counts of whole seconds, [0] being the newest, of that many seconds ago. */
  async rememberCounts(key: string, newestSecondsAgo: number, counts: Record<number, number>): Promise<void> {
    const sums = [0];
    for (let index = 60; index >= 0; index--) sums.push(sums.at(-1)! + (counts[index] ?? 0));
    await this.database.pool.query(
      `INSERT INTO rate_counters (key_id, scope, head, sums)
       SELECT k.id, 'leads', floor(extract(epoch FROM clock_timestamp()))::bigint - $2::int, $3::bigint[]
         FROM api_keys k WHERE k.key_hash = $1
       ON CONFLICT (key_id, scope) DO UPDATE SET head = excluded.head, sums = excluded.sums`,
      [hashOf(key), newestSecondsAgo, sums],
    );
  }

  /** The whole second that the database's clock shows. */
  async second(): Promise<number> {
    const { rows } = await this.database.pool.query<{ second: number }>(
      'SELECT floor(extract(epoch FROM clock_timestamp()))::float8 AS second',
    );
    return rows[0]!.second;
  }

  private call(index: number, key: string, counter: Counter): Promise<Answer> {
    const { url } = this.servers[index % this.servers.length]!;
    const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
    const { agent } = this;
    // By connections that are kept: hundreds of new ones cost more than the calls.
    return counter === 'leads'
      ? requestLiterally(url, { path: '/api/v1/leads/get-statuses', headers, body: '{}', agent })
      : requestLiterally(url, { path: '/api/v1/admin/accounts', method: 'GET', headers, agent });
  }

  private async startBoth(environment: Record<string, string> = {}): Promise<void> {
    const settings = { ...this.environment, ...environment };
    this.servers = await Promise.all([1, 2].map(() => startServer(this.database.url, settings)));
  }
}
