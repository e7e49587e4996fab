import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../support/eventually';
import { AccountFixture } from '../../support/database/fixture';
import { triesOf } from '../../support/long.mode';
import { OffRace, type Trial } from '../../support/scenes/off.race';
import { heldAcross, faultReports, voidAfter } from '../../support/faults/fault.reports';
import { setRaceScene, type HeldReply } from '../../support/scenes/race.scene';
import { endAll, type ServerProcess } from '../../support/programs/server.process';
import { switchOff } from '../../support/clients/switch.client';

/** Replies under way at once: an account may have twenty. */
const AT_ONCE = 16;
const ROUNDS = triesOf(6, 100);
/** Of replies of two parts, and of three. */
const LONGER_ROUNDS = triesOf(1, 26);
const NEAR_MS = 2;
const DELAY_MS = 3;
const STOPS = triesOf(2, 60);
const STOPPED_MS = 1_500;
/** Long enough that a process is often stopped between its send permit and its write. */
const STOPPED_DELAY_MS = 25;

const scene = setRaceScene();

const percentile = (values: readonly number[], share: number): string =>
  (
    [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0
  ).toFixed(1);

async function setRace(worker: ServerProcess): Promise<OffRace> {
  const account = await AccountFixture.create(scene.database.pool);
  return new OffRace(scene, worker, account, await scene.addNumber(account));
}

describe('set-ai false around the sends of the other process, with time in the statements and before the write', () => {
  it('is not followed by a request that begins', async () => {
    await scene.slowStatements(2 * DELAY_MS);
    const worker = await scene.addDelayedWorker(DELAY_MS);
    const [short, long] = [await setRace(worker), await setRace(worker)];
    const shortOnes = async (): Promise<void> => {
      for (let round = 0; round < ROUNDS; round++) await short.run(AT_ONCE, 1);
    };
    const longOnes = async (): Promise<void> => {
      for (let round = 0; round < LONGER_ROUNDS; round++) await long.run(AT_ONCE, round % 3 === 2 ? 3 : 2);
    };
    await Promise.all([shortOnes(), longOnes()]);
    const trials = [...short.trials, ...long.trials];
    const timesOf = short.times();
    const near = (trial: Trial): boolean => {
      const { gate = -Infinity, switched = Infinity } = timesOf(trial);
      return Math.abs(gate - switched) <= NEAR_MS;
    };
    const took = trials.map(({ off }) => off.answeredAt - off.sentAt);
    const said = trials.filter(({ reply, parts }) => scene.said(reply).length === parts).length;
    const asked = trials.filter((trial) => timesOf(trial).gate !== undefined).length;
    console.info(
      `${trials.length} trials, gate and switch within ±${NEAR_MS} ms in ${trials.filter(near).length}, ` +
        `the gate asked in ${asked}, said in ${said}; set-ai took p50 ${percentile(took, 0.5)} ms, p99 ${percentile(took, 0.99)} ms`,
    );
    await endAll(scene.workers.splice(0));
    expect(trials.map(({ off }) => off.status).filter((status) => status !== 200)).toEqual([]);
    const leaks = trials.filter(({ reply, off }) => scene.begunAfter(reply, off.silentFrom) > 0);
    expect(leaks.map(({ reply, parts }) => `part ${parts} of ${reply.threadId}`)).toEqual([]);
  });
});

describe('another process', () => {
  let worker: ServerProcess;
  let exceptions = 0;
  let waiting = 0;

  beforeAll(async () => {
    worker = await scene.addDelayedWorker(STOPPED_DELAY_MS);
  });

  const gates = (): number => faultReports(worker).filter(({ word }) => word === 'gate').length;

  /** @param isAimed it stops when the gate has let a first one pass, and not anywhere */
  async function stopOnce(
    account: AccountFixture,
    replies: readonly HeldReply[],
    isAimed: boolean,
  ): Promise<number> {
    const before = gates();
    const begun = Promise.all(replies.map(({ request }) => scene.model.release(request)));
    if (isAimed) await eventually(async () => gates() > before, 10_000, 'the gate was not asked');
    else await sleep(Math.random() * 120);
    await worker.kill('SIGSTOP');
    await begun;
    const stopped = sleep(STOPPED_MS);
    const api = scene.apiAt(0, account.key);
    const offs = await Promise.all(replies.map(({ threadId }) => switchOff(api, threadId)));
    expect(offs.map(({ status }) => status).filter((status) => status !== 200)).toEqual([]);
    await stopped;
    const resumedAt = performance.now();
    await worker.kill('SIGCONT');
    await scene.untilSettled(account);
    const reports = faultReports(worker);
    const held = heldAcross(reports, resumedAt);
    exceptions += held;
    waiting += voidAfter(reports, resumedAt);
    const leaks = replies.filter((reply, index) => scene.begunAfter(reply, offs[index]?.silentFrom ?? 0) > 0);
    return Math.max(0, leaks.length - held);
  }

  it('that is stopped anywhere around its sends, and goes on after set-ai false was answered, begins no request, unless it was stopped between its last check and its write', async () => {
    const account = await AccountFixture.create(scene.database.pool);
    const number = await scene.addNumber(account);
    const leaks: number[] = [];
    for (let stop = 0; stop < STOPS; stop++) {
      const texts = Array<string>(AT_ONCE).fill('Один ответ.');
      const replies = await scene.holdReplies(number, account, texts);
      leaks.push(await stopOnce(account, replies, stop % 2 === 0));
    }
    console.info(
      `${STOPS} stops of ${AT_ONCE} replies each: ${waiting} withheld after the stop, ` +
        `${exceptions} stopped between look and write`,
    );
    expect(leaks).toEqual(leaks.map(() => 0));
  });

  it('has its model see the end of its request after set-ai false, or an operator’s message', async () => {
    const account = await AccountFixture.create(scene.database.pool);
    const number = await scene.addNumber(account);
    const replies = await scene.holdReplies(number, account, Array<string>(4).fill('Один ответ.'));
    const api = scene.apiAt(0, account.key);
    await Promise.all(
      replies.map(async ({ threadId }, index) => {
        await sleep(index * 37);
        const thread = `thread_${threadId}`;
        await (index % 2 === 0 ? api.setAi(thread, false) : api.sendText(thread, 'Это человек.'));
      }),
    );
    // Each is held for as long as its model waits. How soon it ends is a figure of the benchmark.
    for (const { request } of replies)
      expect(await scene.model.ended(request)).toMatchObject({ end: 'client closed' });
  });
});
