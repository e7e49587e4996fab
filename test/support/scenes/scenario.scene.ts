import type { RunCause, RunReason, StepDefinition } from '@app/contracts/scenario.words';
import type { StepProgress } from '@app/persistence/scenarios/scenario-run.entity';
import { eventually } from '../eventually';
import type { SceneOptions } from './lead.scene';
import { newPhone, SendScene } from './send.scene';
import { uuidOf } from '../database/thread.uuid';

/** A run as the database keeps it. */
export interface KeptRunRow {
  id: string;
  scenario_id: string;
  state: string;
  reason: RunReason | null;
  depth: number;
  cause: RunCause;
  progress: StepProgress[];
}

/** A send scene whose stages have scenarios. */
export class ScenarioScene extends SendScene {
  /** A dialog of a new phone, without a stage. */
  async dialog(): Promise<{ threadId: string; phone: string }> {
    const phone = newPhone();
    return { threadId: await this.account.addThread({ phone }), phone };
  }

  /** A scenario of the stage with that index. */
  async scenario(
    stage: number,
    steps: readonly StepDefinition[],
    settings: Record<string, unknown> = {},
  ): Promise<string> {
    const id = await this.account.addScenario(this.stage(stage), true, steps);
    const given = { on_leave: 'cancel', ...settings };
    const columns = Object.keys(given).map((column, n) => `"${column}" = $${n + 2}`);
    const values = Object.values(given).map((value) =>
      value && typeof value === 'object' ? JSON.stringify(value) : value,
    );
    await this.database.pool.query(`UPDATE scenarios SET ${columns.join(', ')} WHERE id = $1`, [
      id,
      ...values,
    ]);
    return id;
  }

  /** The runs of a dialog, in the order of their beginning. */
  async runs(threadId: string): Promise<KeptRunRow[]> {
    const { rows } = await this.database.pool.query<KeptRunRow>(
      `SELECT id, scenario_id, state, reason, depth, cause, progress FROM scenario_runs
        WHERE thread_id = $1 AND state <> 'due' ORDER BY started_at, id`,
      [uuidOf(threadId)],
    );
    return rows;
  }

  /** Waits until the only run of a dialog has a state. */
  async untilRun(threadId: string, state: string, milliseconds = 8_000): Promise<KeptRunRow> {
    let seen: KeptRunRow[] = [];
    return eventually(
      async () => {
        seen = await this.runs(threadId);
        return seen.length === 1 && seen[0]?.state === state ? seen[0] : null;
      },
      milliseconds,
      `the run did not become ${state}`,
    ).catch((error: unknown) => {
      throw new Error(`${String(error)}: ${JSON.stringify(seen)}`);
    });
  }

  /** The clock of a dialog's runs goes on by so many seconds: all their times move back. */
  async later(threadId: string, seconds: number): Promise<void> {
    const by = [uuidOf(threadId), seconds];
    await this.database.pool.query(
      `UPDATE scenario_runs SET next_at = next_at - make_interval(secs => $2), due_since = due_since - make_interval(secs => $2)
        WHERE thread_id = $1 AND finished_at IS NULL`,
      by,
    );
    await this.database.pool.query(
      'UPDATE scenario_queues SET due_at = clock_timestamp() WHERE thread_id = $1',
      [by[0]],
    );
  }

  override stage(index: number): string {
    return this.account.stages[index] ?? '';
  }

  async move(threadId: string, stage: number | null): Promise<void> {
    const answer = await this.api.setStatus({
      thread_id: threadId,
      status_id: stage === null ? null : this.stage(stage),
    });
    if (answer.status !== 200) throw new Error(`the move was refused: ${JSON.stringify(answer.body)}`);
  }
}

/** Sets the scene for a test file; it is there from the first hook on. */
export function setScenarioScene(options?: SceneOptions): ScenarioScene {
  const scene = new ScenarioScene(options);
  beforeAll(() => scene.start());
  afterAll(() => scene.close());
  return scene;
}
