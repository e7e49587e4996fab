import type { RunCause, RunReason, StepDefinition } from '@app/contracts/scenario.words';
import type { StepProgress } from '@app/persistence/scenarios/runs/scenario-run.entity';
import { eventually } from '../eventually';
import { extend, type SceneOptions } from './base.scene';
import { sceneOf } from './scene.opening';
import { makeSendScene, newPhone } from './send.scene';
import { untilTaken } from '../faults/held.webhooks';
import { CloudNumber, cloudBody, postCloud, type Change } from '../stand-ins/cloud.webhooks';
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

/** A dialog with a lead in the stage whose scenario is tested. */
export interface BegunDialog {
  threadId: string;
  phone: string;
  /** The index of the stage. */
  stage: number;
  scenarioId: string;
}

export type ScenarioScene = ReturnType<typeof makeScenarioScene>;

/** A send scene whose stages have scenarios. */
export function makeScenarioScene(options?: SceneOptions) {
  let stagesTaken = 0;
  let posted = 0;

  const scene = extend(makeSendScene(options), {
    /** The index of a stage that no other test takes; never the first one. */
    freeStage(): number {
      const index = (stagesTaken += 1);
      if (index >= scene.account.stages.length) throw new Error('the scene has too few stages');
      return index;
    },

    /** A new dialog whose lead enters a stage with a scenario of these steps. */
    async begin(
      steps: readonly StepDefinition[],
      settings: Record<string, unknown> = {},
      stage: number = scene.freeStage(),
    ): Promise<BegunDialog> {
      const scenarioId = await scene.scenario(stage, steps, settings);
      const dialog = await scene.dialog();
      await scene.move(dialog.threadId, stage);
      return { ...dialog, stage, scenarioId };
    },

    /** What the account's number tells of the customer with a phone; waits until it is taken in. */
    async tell(
      of: (number: CloudNumber, customer: { phone: string }) => Change,
      phone: string,
    ): Promise<void> {
      const change = of(new CloudNumber(scene.sender), { phone: phone.slice(1) });
      const server = scene.servers[(posted += 1) % scene.servers.length] ?? scene.server;
      const { status, text } = await postCloud(server, cloudBody([change]));
      if (status !== 200) throw new Error(`the webhook was answered ${status} ${text}`);
      await untilTaken(scene.database.pool);
    },

    /** A customer writes. `at` is the customer's own time, in whole seconds since 1970. */
    async write(phone: string, content: string | object = 'Да', at?: number): Promise<void> {
      await scene.tell(
        (number, from) => number.message(from, content, at === undefined ? {} : { at }),
        phone,
      );
    },

    /** A dialog of a new phone, without a stage. */
    async dialog(): Promise<{ threadId: string; phone: string }> {
      const phone = newPhone();
      return { threadId: await scene.account.addThread({ phone }), phone };
    },

    /** An admin makes a scenario of the stage with that index. A server must be there. */
    async scenario(
      stage: number,
      steps: readonly StepDefinition[],
      settings: Record<string, unknown> = {},
    ): Promise<string> {
      const given = { status_id: scene.stage(stage), name: 'scenario', steps, ...settings };
      const { status, body } = await scene.admin.admin('POST', 'scenarios', given);
      if (status !== 201) throw new Error(`the scenario was refused: ${JSON.stringify(body)}`);
      return (body.data as { id: string }).id;
    },

    /** The runs of a dialog, in the order of their beginning. */
    async runs(threadId: string): Promise<KeptRunRow[]> {
      const { rows } = await scene.database.pool.query<KeptRunRow>(
        `SELECT r.id, scenario_id, r.state, reason, depth, cause, progress
           FROM scenario_runs r JOIN scenarios c ON c.account_id = r.account_id AND c.id = r.scenario_id
          WHERE thread_id = $1 AND r.state <> 'due' ORDER BY started_at, c."order", r.id`,
        [uuidOf(threadId)],
      );
      return rows;
    },

    /** Waits until the only run of a dialog has a state. */
    async untilRun(threadId: string, state: string, milliseconds = 8_000): Promise<KeptRunRow> {
      let seen: KeptRunRow[] = [];
      return eventually(
        async () => {
          seen = await scene.runs(threadId);
          return seen.length === 1 && seen[0]?.state === state ? seen[0] : null;
        },
        milliseconds,
        `the run did not become ${state}`,
      ).catch((error: unknown) => {
        throw new Error(`${String(error)}: ${JSON.stringify(seen)}`);
      });
    },

    /** The clock of a dialog's runs goes on by so many seconds: all their times move back. */
    async later(threadId: string, seconds: number): Promise<void> {
      await withRuns(
        threadId,
        `next_at = next_at - make_interval(secs => $2), due_since = due_since - make_interval(secs => $2),
         progress = coalesce((
           SELECT jsonb_agg(s.step || coalesce((
                    SELECT jsonb_object_agg(t.name, (t.value #>> '{}')::timestamptz - make_interval(secs => $2))
                      FROM jsonb_each(s.step) AS t (name, value) WHERE t.name IN ('until', 'retry_at', 'answer_until')), '{}') ORDER BY s.n)
             FROM jsonb_array_elements(progress) WITH ORDINALITY AS s (step, n)), '[]')`,
        seconds,
      );
    },

    /** The present steps of a dialog's runs should have begun at an instant. */
    async dueSince(threadId: string, at: string): Promise<void> {
      await withRuns(threadId, 'due_since = $2::timestamptz', at);
    },

    /** Waits until a process has looked at the dialog's runs since they were due. */
    async untilAsked(threadId: string): Promise<void> {
      const look = `SELECT 1 FROM scenario_queues WHERE thread_id = $1 AND due_at <= clock_timestamp() OR thread_id = $1 AND lease_token IS NOT NULL`;
      const none = async (): Promise<boolean> =>
        (await scene.database.pool.query(look, [uuidOf(threadId)])).rowCount === 0;
      await eventually(none, 8_000, 'nobody looked at the runs');
    },

    async move(threadId: string, stage: number | null): Promise<void> {
      const answer = await scene.api.setStatus({
        thread_id: threadId,
        status_id: stage === null ? null : scene.stage(stage),
      });
      if (answer.status !== 200) throw new Error(`the move was refused: ${JSON.stringify(answer.body)}`);
    },
  });

  /** Changes a dialog's open runs, which are due then. A process that looks at them meanwhile would write over it. */
  async function withRuns(threadId: string, set: string, value: unknown): Promise<void> {
    const id = uuidOf(threadId);
    const client = await scene.database.pool.connect();
    try {
      await client.query('BEGIN');
      await client.query('SELECT 1 FROM threads WHERE id = $1 FOR UPDATE', [id]);
      await client.query(`UPDATE scenario_runs SET ${set} WHERE thread_id = $1 AND finished_at IS NULL`, [
        id,
        value,
      ]);
      await client.query('UPDATE scenario_queues SET due_at = clock_timestamp() WHERE thread_id = $1', [id]);
      await client.query('COMMIT');
    } finally {
      client.release();
    }
  }

  return scene;
}

export const { set: setScenarioScene } = sceneOf(makeScenarioScene);
