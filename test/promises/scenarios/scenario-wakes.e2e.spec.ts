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
  stages: [{}, {}],
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
const FOURTH_WAIT = 6;
const LAST_WAIT = 8;

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

/** The scenario of a stage whose leads wait in its first step. Each test has them come to the next wait. */
let id: string;
let threadIds: string[];

beforeAll(async () => {
  const stage = scene.freeStage();
  id = await scene.scenario(stage, [hour, LOOK, hour, LOOK, hour, LOOK, hour, LOOK, hour]);
  const statusId = scene.stage(stage);
  const leads = Array.from({ length: RUNS }, () => scene.account.addThread({ statusId }));
  threadIds = (await Promise.all(leads)).toSorted();
  await admin('POST', `scenarios/${id}/start`, { whole_stage: true });
  await untilAll(id, 'waiting', 0);
});

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

it('looks at more than a hundred dialogs where a scenario or an account is resumed', async () => {
  await change(id, { state: 'paused' });
  await heldAfter(0, id);
  await change(id, { state: 'on' });
  await untilAll(id, 'waiting', SECOND_WAIT);
  await pauseAll(true);
  await heldAfter(SECOND_WAIT, id);
  await pauseAll(false);
  await untilAll(id, 'waiting', THIRD_WAIT);
});

describe('what looks at dialogs group by group', () => {
  it('loses none to a kill -9: another process begins anew once the claim has run out', async () => {
    await change(id, { state: 'paused' });
    await heldAfter(THIRD_WAIT, id);
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
    await untilAll(id, 'waiting', FOURTH_WAIT);
  });

  // One process alone is left by now: another would see to the further change.
  it('begins anew where there is a further change meanwhile, as where the runs are cancelled', async () => {
    expect(scene.servers).toHaveLength(1);
    await change(id, { state: 'paused' });
    await heldAfter(FOURTH_WAIT, id);
    const until = (condition: string) =>
      eventually(
        async () => {
          const look = `SELECT 1 FROM scenarios c JOIN scenario_runs r ON r.scenario_id = c.id WHERE c.id = $1 AND ${condition}`;
          return (await scene.database.pool.query(look, [id])).rows.length > 0;
        },
        5_000,
        `no run came to ${condition}`,
      );
    let cancelled: Promise<Answer | undefined> = Promise.resolve(undefined);
    await withinThePass(
      threadIds[IN_SECOND],
      () => change(id, { state: 'on' }),
      async () => {
        await until(`at_step = ${LAST_WAIT} AND r.state = 'waiting'`);
        // Its answer comes later than its commit, and the wait for a dialog has a limit of two seconds.
        cancelled = cancelRuns(id);
        await until('cancel_before IS NOT NULL');
      },
    );
    expect((await cancelled)?.body.data).toEqual({ cancelled: RUNS });
    const open = 'SELECT 1 FROM scenario_runs WHERE scenario_id = $1 AND finished_at IS NULL';
    const noneIsOpen = async () => (await scene.database.pool.query(open, [id])).rows.length === 0;
    await eventually(noneIsOpen, 20_000, 'runs were not cancelled');
  });
});
