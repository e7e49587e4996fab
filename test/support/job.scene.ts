import { join } from 'node:path';
import type { JobIds } from '@app/domain/jobs/job.queue';
import { queueConnection } from '@app/domain/jobs/job.connections';
import { PgBossQueue } from '@app/integrations/queue/pg-boss.queue';
import type { Pool } from 'pg';
import { eventually } from './eventually';
import { startServer, type ServerProcess } from './server.process';

const PROGRAM = join(process.cwd(), 'test/support/job.program.js');
/** No sweep but the first: what happens is the ring's doing. */
const NEVER = '600000';

/** Work that tests can see and hold, processes that do it, and a queue beside them that only rings. */
export class JobScene {
  readonly workers: ServerProcess[] = [];
  readonly ringer: PgBossQueue;

  private constructor(
    private readonly url: string,
    readonly db: Pool,
  ) {
    this.ringer = new PgBossQueue({ connection: queueConnection(url), works: false });
    this.ringer.onModuleInit();
  }

  /** @param url of a database that is prepared, by which the ringer and the workers reach it. */
  static async open(url: string, db: Pool): Promise<JobScene> {
    await db.query(
      `CREATE TABLE probe_work (id text PRIMARY KEY, held boolean NOT NULL DEFAULT false, told boolean, done_by int);
       CREATE TABLE probe_runs (id text, pid int, at timestamptz DEFAULT clock_timestamp())`,
    );
    return new JobScene(url, db);
  }

  async addWorker(sweepMs = NEVER): Promise<ServerProcess> {
    const worker = await startServer(this.url, { ROLE: 'worker', SWEEP_MS: sweepMs }, PROGRAM);
    this.workers.push(worker);
    return worker;
  }

  ring(id: string, more: JobIds = {}): void {
    this.ringer.ring('send-lane', id, { id, ...more });
  }

  async addWork(id: string, held = false): Promise<void> {
    await this.db.query('INSERT INTO probe_work (id, held) VALUES ($1, $2)', [id, held]);
  }

  /** Waits until whoever does it knows that its process ends. */
  async untilToldToEnd(id: string): Promise<void> {
    const told = async (): Promise<boolean> => {
      const { rowCount } = await this.db.query('SELECT 1 FROM probe_work WHERE id = $1 AND told', [id]);
      return rowCount === 1;
    };
    await eventually(told, 5_000, `whoever does ${id} was not told`);
  }

  async letGo(id: string): Promise<void> {
    await this.db.query('UPDATE probe_work SET held = false WHERE id = $1', [id]);
  }

  /** The processes that have begun it, one for each time. */
  async runsOf(id: string): Promise<number[]> {
    const { rows } = await this.db.query<{ pid: number }>('SELECT pid FROM probe_runs WHERE id = $1', [id]);
    return rows.map(({ pid }) => pid);
  }

  async untilBegun(id: string, deadlineMs = 5_000): Promise<void> {
    await eventually(async () => (await this.runsOf(id)).length > 0, deadlineMs, `nobody began ${id}`);
  }

  /** Which process did it. */
  async untilDone(id: string, deadlineMs = 5_000): Promise<number> {
    const doneBy = async (): Promise<number | null> => {
      const { rows } = await this.db.query<{ done_by: number | null }>(
        'SELECT done_by FROM probe_work WHERE id = $1',
        [id],
      );
      return rows[0]?.done_by ?? null;
    };
    return eventually(doneBy, deadlineMs, `nobody did ${id}`);
  }

  async close(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.stop()));
    await this.ringer.stop();
  }
}
