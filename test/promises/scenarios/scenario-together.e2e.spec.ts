import type { StepDefinition } from '@app/contracts/scenario.words';
import { eventually } from '../../support/eventually';
import { uuidOf } from '../../support/database/thread.uuid';
import { limits } from '../../support/programs/test.limits';
import { setScenarioScene } from '../../support/scenes/scenario.scene';

/** Longer than any machine is late. */
const LOCK_SECONDS = 20;
const WAIT_SECONDS = 3_600;

const scene = setScenarioScene({
  stages: Array.from({ length: 6 }, () => ({})),
  environment: limits({ 'database.lockMs': LOCK_SECONDS * 1_000 }),
});

const DIALOGS = 16;
const SAY: StepDefinition = { kind: 'send_text', text: 'Ваш заказ готов' };
const THANKS: StepDefinition = { kind: 'send_template', template_id: 'order_ready', params: ['a', 'b'] };

interface Dialog {
  threadId: string;
  phone: string;
}

/** Leads in a stage whose scenario is then started for all of them. */
async function leads(): Promise<{ stage: number; dialogs: Dialog[] }> {
  const stage = scene.freeStage();
  const dialogs = await Promise.all(Array.from({ length: DIALOGS }, () => scene.dialog()));
  for (const { threadId } of dialogs) await scene.move(threadId, stage);
  return { stage, dialogs };
}

async function start(stage: number, steps: readonly StepDefinition[]): Promise<void> {
  const id = await scene.scenario(stage, steps);
  const admin = scene.admin;
  const { status, body } = await admin.admin('POST', `scenarios/${id}/start`, { whole_stage: true });
  if (status !== 200) throw new Error(`the start was refused: ${JSON.stringify(body)}`);
}

const idsOf = (dialogs: readonly Dialog[]): string[] => dialogs.map(({ threadId }) => uuidOf(threadId));

const runsIn = async (dialogs: readonly Dialog[], state: string): Promise<number> => {
  const { rows } = await scene.database.pool.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM scenario_runs WHERE thread_id = ANY ($1) AND state = $2',
    [idsOf(dialogs), state],
  );
  return rows[0]?.n ?? 0;
};

const untilRuns = (dialogs: readonly Dialog[], state: string, count: number) =>
  eventually(
    async () => (await runsIn(dialogs, state)) === count,
    15_000,
    `not ${count} runs became ${state}`,
  );

/** Their waits are over. The lock of a dialog does not hold it up. */
const endWaits = (dialogs: readonly Dialog[]) =>
  scene.database.pool.query(
    `WITH waited AS (
       UPDATE scenario_runs SET due_since = due_since - make_interval(secs => $2), next_at = next_at - make_interval(secs => $2)
        WHERE thread_id = ANY ($1))
     UPDATE scenario_queues SET due_at = clock_timestamp() WHERE thread_id = ANY ($1)`,
    [idsOf(dialogs), WAIT_SECONDS],
  );

const sentTo = (dialogs: readonly Dialog[]): number[] =>
  dialogs.map(({ phone }) => scene.provider.sendsTo(phone).length);

const once = (dialogs: readonly Dialog[]): number[] => dialogs.map(() => 1);

describe('runs of an account that are due at once', () => {
  it('share transactions, and each dialog’s history tells of the run, its message and its end', async () => {
    const { stage, dialogs } = await leads();
    await start(stage, [SAY]);
    await untilRuns(dialogs, 'done', DIALOGS);
    expect(sentTo(dialogs)).toEqual(once(dialogs));
    const { rows } = await scene.database.pool.query<{ entries: string[]; transaction: string }>(
      `SELECT array_agg(concat_ws(' ', type, body ->> 'to') ORDER BY version) AS entries,
              min(xmin::text) FILTER (WHERE type = 'message') AS transaction
         FROM events WHERE thread_id = ANY ($1) AND type IN ('scenario', 'message') GROUP BY thread_id`,
      [idsOf(dialogs)],
    );
    expect(new Set(rows.map(({ entries }) => entries.join(', ')))).toEqual(
      new Set(['scenario started, message, scenario done']),
    );
    expect(new Set(rows.map(({ transaction }) => transaction)).size).toBeLessThan(DIALOGS / 2);
  });

  it('go on where another call has locked one of the dialogs, which follows', async () => {
    const { stage, dialogs } = await leads();
    const [locked, ...others] = dialogs as [Dialog, ...Dialog[]];
    await start(stage, [{ kind: 'wait', seconds: WAIT_SECONDS }, SAY]);
    await untilRuns(dialogs, 'waiting', DIALOGS);
    const client = await scene.database.pool.connect();
    let lockedAt: Date | undefined;
    try {
      await client.query('BEGIN');
      const lock = 'SELECT clock_timestamp() AS at FROM threads WHERE id = $1 FOR UPDATE';
      lockedAt = (await client.query<{ at: Date }>(lock, [uuidOf(locked.threadId)])).rows[0]?.at;
      await endWaits(dialogs);
      await untilRuns(others, 'done', others.length);
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
    await untilRuns([locked], 'done', 1);
    const { rows } = await scene.database.pool.query<{ late: number }>(
      `SELECT max(extract(epoch FROM spoke_at - $2))::float8 AS late FROM scenario_runs WHERE thread_id = ANY ($1)`,
      [idsOf(others), lockedAt],
    );
    expect(rows[0]?.late).toBeLessThan(LOCK_SECONDS - 2);
    expect(sentTo(dialogs)).toEqual(once(dialogs));
  });

  it('go on where one of the dialogs cannot be written', async () => {
    const { stage, dialogs } = await leads();
    const [faulty, ...others] = dialogs as [Dialog, ...Dialog[]];
    await scene.database.pool.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$;
      CREATE TRIGGER refuse BEFORE UPDATE ON scenario_runs FOR EACH ROW
        WHEN (OLD.thread_id = '${uuidOf(faulty.threadId)}') EXECUTE FUNCTION refuse()`);
    await start(stage, [SAY]);
    await untilRuns(others, 'done', others.length);
    expect(sentTo(dialogs)).toEqual([0, ...once(others)]);
    await scene.database.pool.query('DROP TRIGGER refuse ON scenario_runs; DROP FUNCTION refuse()');
  });

  it('use what is left of the quota, and no more', async () => {
    const left = 6;
    const { stage, dialogs } = await leads();
    await scene.account.setQuota(left);
    await start(stage, [THANKS]);
    await untilRuns(dialogs, 'failed', DIALOGS - left);
    await untilRuns(dialogs, 'done', left);
    expect(sentTo(dialogs).reduce((sum, sent) => sum + sent, 0)).toBe(left);
    const { rows } = await scene.database.pool.query<{ code: string }>(
      `SELECT DISTINCT progress -> 0 -> 'error' ->> 'code' AS code FROM scenario_runs
        WHERE thread_id = ANY ($1) AND state = 'failed'`,
      [idsOf(dialogs)],
    );
    expect(rows).toEqual([{ code: 'QUOTA_EXCEEDED' }]);
  });
});
