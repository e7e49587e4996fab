import type { StepDefinition } from '@app/contracts/scenario.words';
import type { ServerProcess } from '../../support/programs/server.process';
import type { Answer } from '../../support/clients/api.client';
import { uuidOf } from '../../support/database/thread.uuid';
import { eventually } from '../../support/eventually';
import { SHORT_TIMES } from '../../support/programs/test.limits';
import { untilWaiting } from '../../support/faults/waiting.sessions';
import { setScenarioScene } from '../../support/scenes/scenario.scene';

const scene = setScenarioScene({
  servers: 2,
  stages: Array.from({ length: 6 }, () => ({})),
  environment: SHORT_TIMES,
});

/** Dialogs are looked at in groups of a hundred. */
const RUNS = 110;
/** Dialogs by their groups. */
const IN_FIRST = 50;
const IN_SECOND = 105;
const LOOK: StepDefinition = { kind: 'notify', text: 'Look' };
const hour: StepDefinition = { kind: 'wait', seconds: 3_600 };
const SECOND_WAIT = 2;
const THIRD_WAIT = 4;

const admin = async (method: string, path: string, body?: object): Promise<Answer> => {
  const answer = await scene.admin.admin(method, path, body);
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer;
};
const change = (id: string, body: object) => admin('PATCH', `scenarios/${id}`, body);
const cancelRuns = (id: string) => admin('POST', `scenarios/${id}/cancel-runs`);
const pauseAll = (automation_paused: boolean) =>
  admin('PATCH', `accounts/${scene.account.id}`, { automation_paused });

interface Counted {
  state: string;
  at_step: number;
  n: number;
}

/** Waits until all runs of a scenario are in a state and at a step. */
async function untilAll(
  scenarioId: string,
  state: string,
  step: number,
  milliseconds = 10_000,
): Promise<void> {
  let counted: Counted[] = [];
  await eventually(
    async () => {
      const { rows } = await scene.database.pool.query<Counted>(
        'SELECT state, at_step, count(*)::int AS n FROM scenario_runs WHERE scenario_id = $1 GROUP BY 1, 2',
        [scenarioId],
      );
      counted = rows;
      return rows.length === 1 && rows[0]?.state === state && rows[0].at_step === step && rows[0].n === RUNS;
    },
    milliseconds,
    `not all runs became ${state} at step ${step}`,
  ).catch((error: unknown) => {
    throw new Error(`${String(error)}: ${JSON.stringify(counted)}`);
  });
}

/** A scenario of a stage whose leads wait in its first step. */
async function waiting(): Promise<{ id: string; threadIds: string[] }> {
  const stage = scene.freeStage();
  const id = await scene.scenario(stage, [hour, LOOK, hour, LOOK, hour]);
  const statusId = scene.stage(stage);
  const leads = Array.from({ length: RUNS }, () => scene.account.addThread({ statusId }));
  const threadIds = (await Promise.all(leads)).toSorted();
  await admin('POST', `scenarios/${id}/start`, { whole_stage: true });
  await untilAll(id, 'waiting', 0);
  return { id, threadIds };
}

/** A wait of all runs is over, and they are held: nothing but a change has them looked at again. */
async function heldAfter(wait: number, scenarioId: string): Promise<void> {
  const { pool } = scene.database;
  await pool.query(
    `WITH waited AS (
       UPDATE scenario_runs SET due_since = due_since - interval '1 hour', next_at = next_at - interval '1 hour'
        WHERE scenario_id = $1 RETURNING thread_id)
     UPDATE scenario_queues q SET due_at = clock_timestamp() FROM waited w WHERE q.thread_id = w.thread_id`,
    [scenarioId],
  );
  await eventually(
    async () => {
      const { rows } = await pool.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM scenario_runs r JOIN scenario_queues q USING (thread_id)
          WHERE r.scenario_id = $1 AND q.due_at = 'infinity' AND q.lease_token IS NULL`,
        [scenarioId],
      );
      return rows[0]?.n === RUNS;
    },
    10_000,
    'not all runs were held',
  );
  await untilAll(scenarioId, 'waiting', wait);
}

/** A change has all dialogs looked at. Something is done while that waits for one of them. */
async function withinThePass(
  threadId: string | undefined,
  begin: () => Promise<unknown>,
  meanwhile: () => Promise<unknown>,
): Promise<void> {
  const holder = await scene.database.pool.connect();
  try {
    const { rows } = await holder.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM scenario_queues WHERE thread_id = $1 FOR UPDATE', [
      uuidOf(threadId ?? ''),
    ]);
    await begin();
    await untilWaiting(scene.database.pool, 1, { behind: rows[0]?.pid });
    await meanwhile();
  } finally {
    holder.release(true);
  }
}

it('looks at more than a hundred dialogs where a scenario or an account is resumed, and where runs are cancelled', async () => {
  const { id } = await waiting();
  await change(id, { state: 'paused' });
  await heldAfter(0, id);
  await change(id, { state: 'on' });
  await untilAll(id, 'waiting', SECOND_WAIT);
  await pauseAll(true);
  await heldAfter(SECOND_WAIT, id);
  await pauseAll(false);
  await untilAll(id, 'waiting', THIRD_WAIT);
  expect((await cancelRuns(id)).body.data).toEqual({ cancelled: RUNS });
  await untilAll(id, 'cancelled', THIRD_WAIT);
});

describe('what looks at dialogs group by group', () => {
  it('begins anew where there is a further change meanwhile', async () => {
    const { id, threadIds } = await waiting();
    await change(id, { state: 'paused' });
    await heldAfter(0, id);
    // One process alone, for another would see to the further change.
    const [, other] = scene.servers as [ServerProcess, ServerProcess];
    await other.kill('SIGSTOP');
    const until = (condition: string) =>
      eventually(
        async () => {
          const look = `SELECT 1 FROM scenarios c JOIN scenario_runs r ON r.scenario_id = c.id WHERE c.id = $1 AND ${condition}`;
          return (await scene.database.pool.query(look, [id])).rows.length > 0;
        },
        5_000,
        `no run came to ${condition}`,
      );
    let cancelled: Promise<unknown> = Promise.resolve();
    await withinThePass(
      threadIds[IN_SECOND],
      () => change(id, { state: 'on' }),
      async () => {
        await until(`at_step = ${SECOND_WAIT} AND r.state = 'waiting'`);
        // Its answer comes later than its commit, and the wait for a dialog has a limit of two seconds.
        cancelled = cancelRuns(id);
        await until('cancel_before IS NOT NULL');
      },
    );
    await cancelled;
    const open = 'SELECT 1 FROM scenario_runs WHERE scenario_id = $1 AND finished_at IS NULL';
    const noneIsOpen = async () => (await scene.database.pool.query(open, [id])).rows.length === 0;
    try {
      await eventually(noneIsOpen, 20_000, 'runs were not cancelled');
    } finally {
      await other.kill('SIGCONT');
    }
  });

  it('loses none to a kill -9: another process begins anew once the claim has run out', async () => {
    const { id, threadIds } = await waiting();
    await change(id, { state: 'paused' });
    await heldAfter(0, id);
    const [killed, other] = scene.servers as [ServerProcess, ServerProcess];
    await other.kill('SIGSTOP');
    await withinThePass(
      threadIds[IN_FIRST],
      () => change(id, { state: 'on' }),
      () => killed.kill('SIGKILL'),
    );
    scene.servers.shift();
    await other.kill('SIGCONT');
    // Its ten seconds are over.
    const claims = await scene.database.pool.query(
      'UPDATE scenarios SET wake_at = clock_timestamp() WHERE id = $1 AND wake_at IS NOT NULL',
      [id],
    );
    expect(claims.rowCount).toBe(1);
    await untilAll(id, 'waiting', SECOND_WAIT);
  });
});
