import { join } from 'node:path';
import { WorkNotifier } from '@app/domain/work/work.notifier';
import { Notifications } from '@app/persistence/work/notifications.connection';
import type { Pool } from 'pg';
import { eventually } from '../eventually';
import { endAll, startServer, type ServerProcess } from '../programs/server.process';

const PROGRAM = join(process.cwd(), 'test/support/programs/work.program.js');
/** No sweep but the first: what happens is the notification's doing. */
const NEVER = '600000';
const LEASE_MS = '1500';

interface WorkOptions {
  /** Work is not over while it is held. */
  held?: boolean;
  account?: string;
  /** A call of set-status that the worker makes. */
  move?: object;
}

/** Work that tests can see and hold, processes that do it, and a notifier that does none. */
export class WorkScene {
  readonly workers: ServerProcess[] = [];
  readonly notifications: Notifications;
  private readonly notifier: WorkNotifier;

  private constructor(
    private readonly url: string,
    readonly db: Pool,
  ) {
    this.notifications = new Notifications(url);
    this.notifications.start();
    this.notifier = new WorkNotifier(this.notifications);
  }

  /** @param url of a database that is prepared, by which the notifier and the workers reach it. */
  static async open(url: string, db: Pool): Promise<WorkScene> {
    await db.query(
      `CREATE TABLE probe_work (n bigint GENERATED ALWAYS AS IDENTITY, id text PRIMARY KEY, account text, move jsonb,
                                held boolean NOT NULL DEFAULT false, told boolean, token uuid, lease_until timestamptz,
                                done_by int);
       CREATE TABLE probe_runs (n bigint GENERATED ALWAYS AS IDENTITY, id text, pid int, claimed boolean)`,
    );
    return new WorkScene(url, db);
  }

  async addWorker(sweepMs = NEVER): Promise<ServerProcess> {
    const environment = { ROLE: 'worker', SWEEP_MS: sweepMs, LEASE_MS };
    const worker = await startServer(this.url, environment, PROGRAM);
    this.workers.push(worker);
    return worker;
  }

  notify(id: string, accountId: string | null = null): void {
    this.notifier.notify('send-queues', { accountId, id });
  }

  async addWork(id: string, { held = false, account, move }: WorkOptions = {}): Promise<void> {
    await this.db.query('INSERT INTO probe_work (id, held, account, move) VALUES ($1, $2, $3, $4)', [
      id,
      held,
      account ?? null,
      move ?? null,
    ]);
  }

  /** Waits until the worker knows that its process ends. */
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

  /** The processes that have begun it, one for each time; those that did not get it, too. */
  async runsOf(id: string): Promise<{ pid: number; claimed: boolean }[]> {
    const { rows } = await this.db.query<{ pid: number; claimed: boolean }>(
      'SELECT pid, claimed FROM probe_runs WHERE id = $1 ORDER BY n',
      [id],
    );
    return rows;
  }

  /** What was begun, in order. */
  async begun(): Promise<string[]> {
    const { rows } = await this.db.query<{ id: string }>(
      'SELECT id FROM probe_runs WHERE claimed ORDER BY n',
    );
    return rows.map(({ id }) => id);
  }

  async untilBegun(id: string, deadlineMs = 5_000): Promise<void> {
    const begun = async (): Promise<boolean> => (await this.runsOf(id)).some(({ claimed }) => claimed);
    await eventually(begun, deadlineMs, `nobody began ${id}`);
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
    await endAll(this.workers);
    await this.notifications.stop();
  }
}
