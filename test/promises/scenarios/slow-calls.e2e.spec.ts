import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { HttpStep, StepDefinition } from '@app/contracts/scenario.words';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from '../../support/clients/api.client';
import { eventually } from '../../support/eventually';
import { CallGate } from '../../support/faults/call.gate';
import { injected } from '../../support/faults/injected.faults';
import { SHORT_TIMES } from '../../support/programs/test.limits';
import { uuidOf } from '../../support/database/thread.uuid';
import { RowLock } from '../../support/faults/row.lock';
import { setScenarioScene, type KeptRunRow } from '../../support/scenes/scenario.scene';
import { StandInProvider, type SeenRequest } from '../../support/stand-ins/provider.stand-in';

/** A system that takes long holds up its own run, and neither the other runs of the dialog nor the process's stop. */
const scene = setScenarioScene({
  stages: Array.from({ length: 30 }, () => ({})),
  environment: { ...injected('held-call'), ...SHORT_TIMES },
});

const LOOK_MS = 12_000;
/** Longer than a dialog waits for an answer. */
const LATE_MS = 1_800;
/** More than the slots that an account may take. */
const BUSY_DIALOGS = 40;
const LOOK: StepDefinition = { kind: 'notify', text: 'Look' };

let receiver: StandInProvider;
/** Requests that are not answered yet, by their path. */
const held = new Map<string, ServerResponse>();

beforeAll(async () => {
  receiver = await StandInProvider.open();
  receiver.behave = (response, { url }) => {
    const [path = ''] = url.split('?');
    // The second try is answered.
    if (seen(path).length > 1 && !path.includes('always')) response.end();
    else held.set(path, response);
  };
});
afterAll(() => receiver.close());

const seen = (path: string): SeenRequest[] => receiver.ledger.filter(({ url }) => url.startsWith(path));

const call = (path: string, more: Partial<HttpStep> = {}): HttpStep => ({
  ...{ kind: 'http', method: 'POST', url: receiver.url + path },
  ...more,
});

async function untilCalled(path: string): Promise<void> {
  await eventually(() => Promise.resolve(seen(path).length > 0), LOOK_MS, `no call came to ${path}`);
}

function answer(path: string, status = 200): void {
  held.get(path)?.writeHead(status).end();
}

/** The run of a scenario in a dialog, once it is what is asked. */
async function untilRunOf(
  { threadId, scenarioId }: { threadId: string; scenarioId: string },
  is: (run: KeptRunRow) => boolean,
  milliseconds = LOOK_MS,
): Promise<KeptRunRow> {
  let last: KeptRunRow[] = [];
  return eventually(
    async () => {
      last = await scene.runs(threadId);
      return last.find((run) => run.scenario_id === scenarioId && is(run)) ?? null;
    },
    milliseconds,
    'the run did not come to it',
  ).catch((error: unknown) => {
    throw new Error(`${String(error)}: ${JSON.stringify(last)}`);
  });
}

/** Waits until the call of a dialog's run is under way, and nobody holds the dialog for it any more. */
async function untilLate(
  dialog: { threadId: string; scenarioId: string },
  path: string,
): Promise<KeptRunRow> {
  const look = 'SELECT 1 FROM scenario_queues WHERE thread_id = $1 AND lease_token IS NULL';
  const isFree = async (): Promise<boolean> => {
    if (!held.has(path)) return false;
    return (await scene.database.pool.query(look, [uuidOf(dialog.threadId)])).rowCount === 1;
  };
  await eventually(isFree, LOOK_MS, 'the dialog did not go on');
  return untilRunOf(dialog, ({ progress }) => progress[0]?.state === 'running');
}

async function pause(scenarioId: string, state: 'on' | 'paused'): Promise<void> {
  const { status } = await scene.admin.admin('PATCH', `scenarios/${scenarioId}`, { state });
  expect(status).toBe(200);
}

const isDone = ({ state }: KeptRunRow): boolean => state === 'done';

/** A dialog whose first stage's call hangs, and which then enters a stage that starts this. */
async function enterNext(path: string, settings: Record<string, unknown> = {}) {
  const first = await scene.begin([call(path), LOOK], settings);
  await untilCalled(path);
  const stage = scene.freeStage();
  const scenarioId = await scene.scenario(stage, [LOOK]);
  await scene.move(first.threadId, stage);
  await untilRunOf({ threadId: first.threadId, scenarioId }, isDone);
  return first;
}

describe('while the call of a run hangs', () => {
  it.concurrent('the next stage’s scenario is begun and done, and the answer counts', async () => {
    const path = '/hangs/continue';
    const first = await enterNext(path, { on_leave: 'continue' });
    expect(held.get(path)?.destroyed).toBe(false);
    expect(await untilRunOf(first, () => true)).toMatchObject({ state: 'running' });
    answer(path);
    const run = await untilRunOf(first, isDone);
    expect(run.progress).toMatchObject([{ state: 'done', attempts: 1 }, { state: 'done' }]);
    expect(seen(path)).toHaveLength(1);
  });

  it.concurrent('a lead that leaves ends the run, and the answer still tells what became of the call', async () => {
    const path = '/hangs/cancel';
    const first = await enterNext(path);
    const reason = 'left_stage';
    const ended = await untilRunOf(first, ({ state }) => state === 'cancelled');
    expect(ended).toMatchObject({ reason, progress: [{ state: 'unknown', attempts: 1 }] });
    answer(path);
    const run = await untilRunOf(first, ({ progress }) => progress[0]?.state !== 'unknown');
    expect(run).toMatchObject({ state: 'cancelled', reason, progress: [{ state: 'done', attempts: 1 }] });
    expect(run.progress).toHaveLength(1);
    expect(seen(path)).toHaveLength(1);
  });

  it.concurrent.each([
    ['ignore', 'cancel', 'left_stage'],
    ['restart', 'continue', 'restarted'],
  ])('a lead that enters again (%s) has a new run, and the first one does not go on', async (...settings) => {
    const [reentry, onLeave, reason] = settings;
    const path = `/hangs/${reentry}`;
    const first = await scene.begin([call(path), LOOK], { reentry, on_leave: onLeave });
    await untilLate(first, path);
    await scene.move(first.threadId, null);
    await scene.move(first.threadId, first.stage);
    const done = async (): Promise<boolean> => (await scene.runs(first.threadId)).some(isDone);
    await eventually(done, LOOK_MS, 'no second run was done');
    answer(path);
    const told = async (): Promise<boolean> =>
      (await scene.runs(first.threadId)).every(({ progress }) => progress[0]?.state === 'done');
    await eventually(told, LOOK_MS, 'the answer did not come to its step');
    const [one, other] = await scene.runs(first.threadId);
    expect(one).toMatchObject({ state: 'cancelled', reason, progress: [{ state: 'done', attempts: 1 }] });
    expect(one?.progress).toHaveLength(1);
    expect(other).toMatchObject({ state: 'done', progress: [{ attempts: 1 }, { state: 'done' }] });
  });
});

describe('an answer that comes late', () => {
  it.concurrent('of a failure that another try follows counts as a try', async () => {
    const path = '/late/503';
    const dialog = await scene.begin([call(path), LOOK]);
    await untilLate(dialog, path);
    answer(path, 503);
    const run = await untilRunOf(dialog, (each) => each.state === 'waiting');
    expect(run.progress[0]).toMatchObject({ state: 'waiting', attempts: 1, error: { code: 'HTTP_FAILED' } });
    expect(run.progress[0]?.answer_until).toBeUndefined();
    expect(seen(path)).toHaveLength(1);
  });

  it.concurrent('does not overrule a person who said meanwhile whether the call arrived', async () => {
    const path = '/late/resolved';
    const dialog = await scene.begin([call(path), LOOK]);
    const { id } = await untilLate(dialog, path);
    const { admin } = scene;
    const { body } = await admin.admin('POST', `scenario-runs/${id}/cancel`, {});
    expect(body.data).toMatchObject({ state: 'cancelled', steps: [{ state: 'unknown' }, {}] });
    const resolved = await admin.admin('POST', `scenario-runs/${id}/steps/0/resolve`, { sent: false });
    expect(resolved.body.data).toMatchObject({ steps: [{ state: 'failed' }, {}] });
    const closed = once(held.get(path) as ServerResponse, 'close');
    answer(path, 200);
    await closed;
    // What comes later is done.
    await untilRunOf(await scene.begin([LOOK]), isDone);
    const [run] = await scene.runs(dialog.threadId);
    expect(run).toMatchObject({ state: 'cancelled', progress: [{ state: 'failed' }] });
  });

  it.concurrent.each(['late', 'early'])(
    'does not count for a try that a person has begun meanwhile (%s)',
    async (when) => {
      const path = `/late/always/${when}`;
      const dialog = await scene.begin([call(path), LOOK]);
      await untilCalled(path);
      if (when === 'late') await untilLate(dialog, path);
      const { id } = await untilRunOf(dialog, () => true);
      const first = held.get(path);
      const admin = scene.admin;
      const control = async (what: string, given: object): Promise<void> => {
        const { status, body } = await admin.admin('POST', `scenario-runs/${id}/${what}`, given);
        if (status !== 200) throw new Error(JSON.stringify(body));
      };
      await control('cancel', {});
      await control('steps/0/resolve', { sent: false });
      await control('retry', {});
      if (when === 'early') first?.writeHead(404).end();
      await eventually(() => Promise.resolve(seen(path).length === 2), LOOK_MS, 'no second call came');
      if (when === 'late') first?.writeHead(404).end();
      await untilLate(dialog, path);
      answer(path, 200);
      const run = await untilRunOf(dialog, isDone);
      expect(run.progress[0]).toMatchObject({ state: 'done', attempts: 1 });
    },
  );

  it.concurrent('counts though the scenario was paused meanwhile, and the next step waits', async () => {
    const path = '/late/paused';
    const dialog = await scene.begin([call(path), LOOK]);
    await untilLate(dialog, path);
    await pause(dialog.scenarioId, 'paused');
    answer(path);
    await untilRunOf(dialog, ({ progress }) => progress[0]?.state === 'done');
    await untilRunOf(await scene.begin([LOOK]), isDone);
    expect((await scene.runs(dialog.threadId))[0]?.progress).toHaveLength(1);
    await pause(dialog.scenarioId, 'on');
    await untilRunOf(dialog, isDone);
    expect(seen(path)).toHaveLength(1);
  });

  it.concurrent('counts though the dialog was locked when its other runs were to go on', async () => {
    const path = '/late/locked';
    const dialog = await scene.begin([call(path), LOOK]);
    await untilCalled(path);
    const lock = await RowLock.take(scene.database, dialog.threadId);
    // Several turns fail meanwhile, each after the two seconds for which it waits for the lock.
    await sleep(7_000);
    await lock.release();
    answer(path);
    expect(await untilRunOf(dialog, isDone)).toMatchObject({ progress: [{ attempts: 1 }, {}] });
    expect(seen(path)).toHaveLength(1);
  });
});

describe('a connection that takes long', () => {
  it.concurrent('holds up no other run of the dialog, and the call is made once it is open', async () => {
    const path = '/connects';
    const gate = new CallGate();
    // Nobody else calls it: its connections are counted.
    const own = await StandInProvider.open();
    const url = `${own.url}${path}?${gate.query}`;
    const first = await scene.begin([call('', { url }), LOOK], { on_leave: 'continue' });
    const stage = scene.freeStage();
    const scenarioId = await scene.scenario(stage, [LOOK]);
    await scene.move(first.threadId, stage);
    await untilRunOf({ threadId: first.threadId, scenarioId }, isDone);
    expect(own.ledger).toEqual([]);
    gate.open();
    const run = await untilRunOf(first, isDone);
    expect(run.progress[0]).toMatchObject({ state: 'done', attempts: 1 });
    expect([own.ledger.length, own.connections]).toEqual([1, 1]);
    await own.close();
  });

  it.concurrent('is not made use of when the lead has left the stage meanwhile', async () => {
    const path = '/left';
    const gate = new CallGate();
    const first = await scene.begin([call(`${path}?${gate.query}`)]);
    await untilRunOf(first, ({ state }) => state === 'waiting');
    await scene.move(first.threadId, null);
    const run = await untilRunOf(first, ({ state }) => state === 'cancelled');
    expect(run.progress[0]).toMatchObject({ state: 'skipped', attempts: 0 });
    gate.open();
    const isOpen = async (): Promise<boolean> => scene.server.output().includes(`fault connected ${path}\n`);
    await eventually(isOpen, LOOK_MS, 'no connection was made');
    // What comes later is done.
    await untilRunOf(await scene.begin([LOOK]), isDone);
    expect(seen(path)).toEqual([]);
  });
});

// These end processes, cut connections or take all slots. They come after those that run side by side.
describe('an answer that comes late', () => {
  it('is kept by a process that is asked to stop meanwhile', async () => {
    await scene.addServer();
    const path = '/late/stopping';
    const dialog = await scene.begin([call(path), LOOK]);
    await untilLate(dialog, path);
    const caller = scene.servers.findIndex((server) => server.output().includes(`fault writing ${path}\n`));
    const [stopping] = scene.servers.splice(caller, 1);
    const stopped = stopping?.stop();
    const isStopping = (): Promise<boolean> =>
      request(`${stopping?.url}/health/ready`).then(
        ({ status }) => status !== 200,
        () => true,
      );
    await eventually(isStopping, LOOK_MS, 'it does not stop');
    answer(path);
    await stopped;
    const run = await untilRunOf(dialog, isDone);
    expect(run.progress[0]).toMatchObject({ state: 'done', attempts: 1 });
    expect(seen(path)).toHaveLength(1);
  });

  it('counts though the connections to the database break when it comes, before the other runs go on', async () => {
    const path = '/late/cut';
    const dialog = await scene.begin([call(path), LOOK]);
    await untilCalled(path);
    const until = performance.now() + LATE_MS;
    for (let n = 0; performance.now() < until; n += 1) {
      await scene.database.pool.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name LIKE 'leadline%'`,
      );
      if (n === 0) answer(path);
      await sleep(10);
    }
    expect(await untilRunOf(dialog, isDone)).toMatchObject({ progress: [{ attempts: 1 }, {}] });
    expect(seen(path)).toHaveLength(1);
  });

  it('counts though calls of the account take all of its slots', async () => {
    const [stage, path] = [scene.freeStage(), '/late/busy'];
    await scene.scenario(stage, [{ kind: 'wait', seconds: 3_600 }]);
    const dialogs = await Promise.all(Array.from({ length: BUSY_DIALOGS }, () => scene.dialog()));
    await Promise.all(dialogs.map(({ threadId }) => scene.move(threadId, stage)));
    const runs = await Promise.all(dialogs.map(({ threadId }) => scene.untilRun(threadId, 'waiting')));
    const dialog = await scene.begin([call(path), LOOK]);
    await untilLate(dialog, path);
    const lock = await RowLock.take(scene.database, ...dialogs.map(({ threadId }) => threadId));
    const admin = scene.admin;
    let isOver = false;
    const calls = runs.map(async ({ id }) => {
      while (!isOver) await admin.admin('POST', `scenario-runs/${id}/cancel`, {});
    });
    await sleep(LATE_MS);
    answer(path);
    try {
      const run = await untilRunOf(dialog, isDone);
      expect(run.progress[0]).toMatchObject({ attempts: 1 });
    } finally {
      isOver = true;
      await lock.release();
      await Promise.all(calls);
    }
    expect(seen(path)).toHaveLength(1);
  });
});

it('a connection that takes long is given up by a process that is asked to stop, and another one calls at once', async () => {
  const path = '/connects/stopping';
  const gate = new CallGate();
  const dialog = await scene.begin([call(`${path}?${gate.query}`)]);
  await untilRunOf(dialog, ({ state }) => state === 'waiting');
  const [stopping] = scene.servers.splice(0);
  await scene.addServer(injected('held-call', { atOnce: true }));
  const stopped = stopping?.stop();
  await untilCalled(path);
  answer(path);
  await untilRunOf(dialog, isDone);
  await stopped;
});
