import { setTimeout as sleep } from 'node:timers/promises';
import type { StepDefinition } from '@app/contracts/scenario.words';
import { ApiClient } from '../../support/clients/api.client';
import { AccountFixture } from '../../support/database/fixture';
import { uuidOf } from '../../support/database/thread.uuid';
import { eventually, inTime } from '../../support/eventually';
import { injected } from '../../support/faults/injected.faults';
import { triesOf } from '../../support/long.mode';
import { SHORT_TIMES } from '../../support/programs/test.limits';
import { setScenarioScene } from '../../support/scenes/scenario.scene';
import { newPhone, newPhones } from '../../support/scenes/send.scene';
import { StandInProvider } from '../../support/stand-ins/provider.stand-in';
import { accept, refuse } from '../../support/stand-ins/scripted.provider';

/** One process, whose slots all accounts share. */
const scene = setScenarioScene({ environment: { ...injected('held-call'), ...SHORT_TIMES } });

/** Several times as many as may hang at once. */
const HANGING_RUNS = triesOf(80, 300);
/** Calls of one scenario that a process makes at once. */
const HANGING_AT_ONCE = 16;
const TRY_ENDS_MS = 15_000;
const SLACK_MS = 4_000;
const SOON_MS = 2_000;
/** So long no further call comes when all slots are taken. */
const SETTLED_MS = 700;
const LOOK: StepDefinition = { kind: 'notify', text: 'Look' };
const hour: StepDefinition = { kind: 'wait', seconds: 3_600 };
const THANKS: StepDefinition = { kind: 'send_template', template_id: 'order_ready', params: ['a', 'b'] };

let hanging: StandInProvider;
/** How long each request to the hanging address was open. */
const openMs: number[] = [];

const makeScenario = async (
  statusId: string | undefined,
  steps: readonly StepDefinition[],
): Promise<string> => {
  const given = { status_id: statusId, name: 'scenario', steps };
  const { status, body } = await scene.admin.admin('POST', 'scenarios', given);
  if (status !== 201) throw new Error(JSON.stringify(body));
  return (body.data as { id: string }).id;
};
const startStage = async (scenarioId: string): Promise<void> => {
  const path = `scenarios/${scenarioId}/start`;
  const { status, body } = await scene.admin.admin('POST', path, { whole_stage: true });
  if (status !== 200) throw new Error(JSON.stringify(body));
};
const addLeads = (account: AccountFixture, statusId: string | undefined, count: number): Promise<string[]> =>
  Promise.all(Array.from({ length: count }, () => account.addThread({ statusId, phone: newPhone() })));
/** Another account, with a scenario of its first stage. */
const shopWith = async (
  ...steps: StepDefinition[]
): Promise<{ shop: AccountFixture; scenarioId: string }> => {
  const shop = await AccountFixture.create(scene.database.pool);
  await shop.connect();
  return { shop, scenarioId: await makeScenario(shop.stages[0], steps) };
};
/** The lead of a new dialog enters the first stage of its account. */
const enter = async (shop: AccountFixture, phone = newPhone(), botId = shop.botId): Promise<string> => {
  const threadId = await shop.addThread({ phone }, shop.assistantId, botId);
  const api = new ApiClient(scene.server.url, shop.key);
  const { status } = await api.setStatus({ thread_id: threadId, status_id: shop.stages[0] });
  expect(status).toBe(200);
  return threadId;
};

/** Milliseconds from a lead's move to the end of its run's first step, by the database's clock. */
const firstStepMs = async (threadId: string): Promise<number> => {
  await scene.untilRun(threadId, 'done', TRY_ENDS_MS);
  const { rows } = await scene.database.pool.query<{ ms: number }>(
    `SELECT 1000 * extract(epoch FROM (progress -> 0 ->> 'finished_at')::timestamptz - started_at)::float8 AS ms
       FROM scenario_runs WHERE thread_id = $1`,
    [uuidOf(threadId)],
  );
  return rows[0]?.ms ?? NaN;
};

/** Runs usually begin within two seconds, and none waits until a call that hangs has ended. */
async function expectSoon(begin: () => Promise<string>): Promise<void> {
  const times: number[] = [];
  while (times.length < 3) times.push(await firstStepMs(await begin()));
  expect(times.toSorted((a, b) => a - b)[1]).toBeLessThan(inTime(SOON_MS));
  expect(Math.max(...times)).toBeLessThan(TRY_ENDS_MS / 2);
}

beforeAll(async () => {
  hanging = await StandInProvider.open();
  hanging.behave = (response) => {
    const begun = performance.now();
    response.on('close', () => void openMs.push(performance.now() - begun));
  };
  const [stage] = scene.account.stages;
  const call: StepDefinition = { kind: 'http', method: 'POST', url: `${hanging.url}/hangs` };
  const id = await makeScenario(stage, [call]);
  await addLeads(scene.account, stage, HANGING_RUNS);
  await startStage(id);
  // Until all slots that the scenario may take are taken.
  let before = 0;
  await eventually(
    async () => {
      const seen = before;
      await sleep(SETTLED_MS);
      before = hanging.ledger.length;
      return before === seen && seen >= HANGING_AT_ONCE - 1;
    },
    10_000,
    'the calls did not hang',
  );
});
afterAll(() => hanging?.close());

describe('beside an account with many due runs whose calls hang', () => {
  let other: string | undefined;

  it('another account’s run begins within two seconds', async () => {
    const { shop } = await shopWith(LOOK);
    await expectSoon(() => enter(shop));
  });

  it('so does the run of another scenario of the account itself', async () => {
    const [, stage] = scene.account.stages;
    other ??= await makeScenario(stage, [LOOK]);
    await expectSoon(async () => {
      const threadId = await scene.account.addThread({ phone: newPhone() });
      const { status } = await scene.api.setStatus({ thread_id: threadId, status_id: stage });
      expect(status).toBe(200);
      return threadId;
    });
  });

  // On a slow machine the fifteen seconds of the first are over by now, and others hang in their place.
  it('while each of the calls hangs for as long as it may', () => {
    for (const ms of openMs) expect(ms).toBeGreaterThan(14_000);
  });
});

describe('a poisonous dialog', () => {
  it('whose rows make the engine throw is put off, and stops no other of its scenario', async () => {
    const { shop, scenarioId } = await shopWith(hour, LOOK);
    const [poisonous = '', ...others] = await Promise.all(Array.from({ length: 3 }, () => enter(shop)));
    for (const threadId of [poisonous, ...others]) await scene.untilRun(threadId, 'waiting');
    await scene.database.pool.query(`UPDATE scenario_runs SET progress = '7' WHERE thread_id = $1`, [
      uuidOf(poisonous),
    ]);
    await scene.database.pool.query(
      `WITH waited AS (
         UPDATE scenario_runs SET due_since = due_since - interval '1 hour' WHERE scenario_id = $1 RETURNING thread_id)
       UPDATE scenario_queues q SET due_at = clock_timestamp() FROM waited w WHERE q.thread_id = w.thread_id`,
      [scenarioId],
    );
    for (const threadId of others) await scene.untilRun(threadId, 'done');
    const putOff = `SELECT 1 FROM scenario_queues
                     WHERE thread_id = $1 AND lease_token IS NULL AND due_at > clock_timestamp() + interval '20 s'`;
    await eventually(
      async () => (await scene.database.pool.query(putOff, [uuidOf(poisonous)])).rows.length > 0,
      5_000,
      'the dialog was not put off',
    );
    const isLogged = () => Promise.resolve(scene.server.output().includes('at new RunProgress'));
    await eventually(isLogged, 5_000, 'the error was not logged');
  });

  it('whose step makes the engine throw fails at it, asks for a person, and goes on by on_failure', async () => {
    const { shop, scenarioId } = await shopWith(LOOK);
    const { shop: other } = await shopWith(LOOK);
    await scene.database.pool.query(
      // Of a kind that does not exist; and one whose statement the database refuses.
      `UPDATE scenario_revisions
          SET steps = '[{"kind": "juggle", "on_failure": "continue"}, {"kind": "set_status", "status_id": "nowhere"}]'
        WHERE scenario_id = $1`,
      [scenarioId],
    );
    const threadId = await enter(shop);
    const run = await scene.untilRun(threadId, 'failed');
    expect(run.reason).toBe('step_failed');
    const failed = { state: 'failed', error: { code: 'INTERNAL_ERROR' } };
    expect(run.progress).toMatchObject([failed, failed]);
    const api = new ApiClient(scene.server.url, shop.key);
    const { entries } = (await api.getHistory({ thread_id: threadId })).body.data as { entries: object[] };
    expect(entries).toContainEqual(expect.objectContaining({ type: 'attention', to: 'scenario' }));
    await expectSoon(() => enter(other));
  });
});

describe('a number that its provider throttles', () => {
  it('delays only its own runs, which go at its pace afterwards', async () => {
    const perSecond = 5;
    // In its first half what was on its way may still go out.
    const pausedMs = 8_000;
    const { shop } = await shopWith(THANKS);
    const slowBot = await shop.addBot();
    await shop.connect('waba_coexistence', { botId: slowBot, perSecond });
    const [slow, fast] = [newPhones(12), newPhones(3)];
    let throttledAt = Infinity;
    for (const phone of slow)
      scene.provider.on(phone, (response, received, n) => {
        throttledAt = Math.min(throttledAt, received.at);
        const isPaused = received.at < throttledAt + pausedMs / 2;
        const seconds = String(pausedMs / 1_000);
        return (isPaused ? refuse(429, 130429, { 'Retry-After': seconds }) : accept)(response, received, n);
      });
    const slowThreads = await Promise.all(slow.map((phone) => enter(shop, phone, slowBot)));
    await eventually(() => Promise.resolve(throttledAt < Infinity), 5_000, 'the number was not throttled');
    const fastThreads = await Promise.all(fast.map((phone) => enter(shop, phone)));
    for (const threadId of fastThreads) await scene.untilRun(threadId, 'done');
    for (const phone of fast)
      expect(scene.provider.sendsTo(phone)[0]?.at).toBeLessThan(throttledAt + pausedMs);
    for (const threadId of slowThreads) await scene.untilRun(threadId, 'done', 15_000);
    const times = slow.flatMap((phone) => scene.provider.sendsTo(phone).map(({ at }) => at - throttledAt));
    const later = times.filter((at) => at > pausedMs / 2).toSorted((a, b) => a - b);
    expect(later).toHaveLength(slow.length);
    expect(later[0]).toBeGreaterThan(pausedMs - 100);
    // A second's worth may go at once. What is heard late was not sent early.
    for (const [n, at] of later.entries())
      expect(at - pausedMs).toBeGreaterThan(((n + 1 - perSecond) / perSecond) * 1_000 - 300);
  });
});

describe('a number with a slow pace', () => {
  it('writes to those who wait before those who come later', async () => {
    const { shop } = await shopWith(THANKS);
    const slowBot = await shop.addBot();
    await shop.connect('waba_coexistence', { botId: slowBot, perSecond: 2 });
    const sentAt = (phone: string): number | undefined => scene.provider.sendsTo(phone)[0]?.at;
    const waiting = newPhones(10);
    await Promise.all(waiting.map((phone) => enter(shop, phone, slowBot)));
    const isSecondHalf = () => Promise.resolve(waiting.filter((phone) => sentAt(phone)).length >= 5);
    await eventually(isSecondHalf, 10_000, 'nothing was sent');
    const later = newPhone();
    await scene.untilRun(await enter(shop, later, slowBot), 'done', 20_000);
    const last = Math.max(...waiting.map((phone) => sentAt(phone) ?? Infinity));
    expect(sentAt(later)).toBeGreaterThan(last);
  });
});

describe('a recipient whom its provider throttles', () => {
  it('delays nobody else to whom its number writes', async () => {
    const { shop } = await shopWith(THANKS);
    const [, nextStage] = shop.stages;
    await makeScenario(nextStage, [THANKS]);
    const slowBot = await shop.addBot();
    await shop.connect('waba_coexistence', { botId: slowBot, perSecond: 1 });
    const [throttled = '', ...others] = newPhones(4);
    scene.provider.on(throttled, refuse(429, 131056, { 'Retry-After': '60' }));
    const threadId = await enter(shop, throttled, slowBot);
    const triedAgain = async () => (await scene.runs(threadId)).at(-1)?.progress[0]?.retry_at;
    await eventually(triedAgain, 5_000, 'the first message was not put off');
    await new ApiClient(scene.server.url, shop.key).setStatus({ thread_id: threadId, status_id: nextStage });
    const secondIsPutOff = async () => (await scene.runs(threadId)).length === 2 && (await triedAgain());
    await eventually(secondIsPutOff, 5_000, 'the second message was not put off');
    for (const id of await Promise.all(others.map((phone) => enter(shop, phone, slowBot))))
      await scene.untilRun(id, 'done', 20_000);
    expect(scene.provider.sendsTo(throttled)).toHaveLength(1);
  });
});

it('a call that hangs is given up after 15 seconds, and those that waited for its slot are made', async () => {
  await eventually(
    () =>
      Promise.resolve(openMs.length >= HANGING_AT_ONCE - 1 && hanging.ledger.length >= HANGING_AT_ONCE * 1.5),
    TRY_ENDS_MS + 10_000,
    'no further calls were made',
  );
  const first = openMs.slice(0, HANGING_AT_ONCE - 1);
  expect(Math.min(...first)).toBeGreaterThan(TRY_ENDS_MS - SLACK_MS);
  expect(Math.max(...first)).toBeLessThan(TRY_ENDS_MS + inTime(SLACK_MS));
  const { rows } = await scene.database.pool.query<{ error: string; n: number }>(
    `SELECT progress -> 0 -> 'error' ->> 'code' AS error, count(*)::int AS n FROM scenario_runs
      WHERE account_id = $1 AND (progress -> 0 ->> 'attempts')::int = 1 AND state = 'waiting' GROUP BY 1`,
    [scene.account.id],
  );
  expect(rows).toEqual([{ error: 'HTTP_NO_ANSWER', n: expect.any(Number) }]);
});
