import type { StepDefinition } from '@app/contracts/scenario.words';
import { timedCall, type TimedCall } from '../../support/clients/switch.client';
import { uuidOf } from '../../support/database/thread.uuid';
import { eventually } from '../../support/eventually';
import { injected } from '../../support/faults/injected.faults';
import { LONG_WAITS, SHORT_TIMES } from '../../support/programs/test.limits';
import { triesOf } from '../../support/long.mode';
import type { ServerProcess } from '../../support/programs/server.process';
import { setScenarioScene } from '../../support/scenes/scenario.scene';
import {
  leaving,
  StepRace,
  WAIT_SECONDS,
  type RacedDialog,
  type StoppingCall,
} from '../../support/scenes/step.race';
import { CloudNumber, cloudBody, postCloud } from '../../support/stand-ins/cloud.webhooks';
import { StandInProvider } from '../../support/stand-ins/provider.stand-in';

const AT_ONCE = 16;
const ROUNDS = triesOf(1, 125);
const ROUNDS_TOGETHER = triesOf(1, 125);
const NEAR_MS = 3;
/** From the permit's commit to the write, at most: less than the half second for which the permit may be used. */
const DELAY_MS = 300;
/** The holder of a permit may use it for so long. */
const PERMIT_MS = 500;

const SAY: StepDefinition = { kind: 'send_text', text: 'Your order is ready' };
const WAIT: StepDefinition = { kind: 'wait', seconds: WAIT_SECONDS };

const scene = setScenarioScene({ servers: 0, stages: Array.from({ length: 12 }, () => ({})) });
const addServer = (ROLE: string): Promise<ServerProcess> =>
  scene.addServer({
    ROLE,
    ...injected('send-permit', { mostMs: DELAY_MS, busyShare: 0 }),
    ...injected('held-call'),
    ...SHORT_TIMES,
    // The race holds rows for as long as a machine needs, and no call is refused for it.
    ...(ROLE === 'api' && LONG_WAITS),
  });

let workers: ServerProcess[];
let receiver: StandInProvider;
/** When the calls of steps came, by the customer's phone. */
const calls = new Map<string, number[]>();

beforeAll(async () => {
  await addServer('api');
  workers = await Promise.all([addServer('worker'), addServer('worker')]);
  receiver = await StandInProvider.open();
  receiver.behave = (response, { body, begunAt }) => {
    const { phone } = JSON.parse(body) as { phone: string };
    calls.set(phone, [...(calls.get(phone) ?? []), begunAt]);
    response.end();
  };
});
afterAll(() => receiver.close());

const OPERATORS_TEXT = 'One moment, please';
const textsTo = (phone: string): { text: string; begunAt: number }[] =>
  scene.provider
    .sendsTo(phone)
    .map(({ body, begunAt }) => ({ text: (body.text as { body: string }).body, begunAt }));

/** STOP at a process's webhook: from when it is stored, a permit that was granted before may be used for its time. */
async function unsubscribe({ phone, threadId }: RacedDialog): Promise<TimedCall> {
  const sentAt = performance.now();
  const stop = new CloudNumber(scene.sender).message({ phone: phone.slice(1) }, 'STOP');
  const { status } = await postCloud(scene.server, cloudBody([stop]));
  const answeredAt = performance.now();
  const stored = 'SELECT 1 FROM threads WHERE id = $1 AND opted_out';
  await eventually(
    async () => (await scene.database.pool.query(stored, [uuidOf(threadId)])).rowCount === 1,
    10_000,
    'the opt-out was not stored',
  );
  return { status, sentAt, answeredAt, silentFrom: performance.now() + PERMIT_MS };
}

const STOPS: [string, StepDefinition, () => StoppingCall][] = [
  ['leaving the stage', SAY, () => leaving(scene)],
  [
    'leaving the stage, against calls of systems outside',
    { kind: 'http', method: 'POST', url: 'receiver', body: { phone: '{{lead.phone}}' } },
    () => ({ ...leaving(scene), requestsOf: ({ phone }) => calls.get(phone) ?? [] }),
  ],
  [
    'a run that is cancelled',
    SAY,
    () => ({
      make: async ({ runId }) => timedCall(scene.admin, `admin/scenario-runs/${runId}/cancel`),
    }),
  ],
  [
    'a takeover by an operator who writes',
    SAY,
    () => ({
      make: ({ threadId }) =>
        timedCall(scene.apiAt(0), 'messages/send-text', { thread_id: threadId, text: OPERATORS_TEXT }),
      word: 'text',
      requestsOf: ({ phone }) =>
        textsTo(phone).flatMap(({ text, begunAt }) => (text === OPERATORS_TEXT ? [] : [begunAt])),
    }),
  ],
  ['an opt-out', SAY, () => ({ make: unsubscribe })],
];

describe('what ends or holds the runs of a dialog while another process begins a step', () => {
  it.each(STOPS)('%s: no step begins after it', async (title, step, stopping) => {
    const stage = scene.freeStage();
    const sent = step.kind === 'http' ? { ...step, url: receiver.url } : step;
    await scene.scenario(stage, [WAIT, sent, sent]);
    const race = new StepRace(scene, workers, stage, stopping());
    for (let round = 0; round < ROUNDS; round++)
      await race.run(AT_ONCE, ['aimed', 'queued', 'permitted', 'queued']);
    const { trials } = race;
    console.info(
      `${title}: ${trials.length} trials, both behind one lock in ${race.together}, ` +
        `permit and stop within ±${NEAR_MS} ms in ${race.metWithin(NEAR_MS)}, ` +
        `begun in ${race.begun().length}; the call took ${race.took()}`,
    );
    expect(trials.map(({ call }) => call.status).filter((status) => status !== 200)).toEqual([]);
    expect(race.leaks().map(({ threadId }) => threadId)).toEqual([]);
  });

  it('an opt-out: no message of a run is stored after it', async () => {
    const late = `SELECT m.id FROM messages m JOIN events e ON e.account_id = m.account_id AND e.thread_id = m.thread_id
                   WHERE e.type = 'opt_out' AND m.run_id IS NOT NULL AND m.created_at > e.at`;
    expect((await scene.database.pool.query(late)).rows).toEqual([]);
  });
});

const admin = async (path: string, body: object | undefined, method: string): Promise<TimedCall> =>
  timedCall(scene.admin, `admin/${path}`, body, method);
const pauseAll = (automation_paused: boolean): Promise<TimedCall> =>
  admin(`accounts/${scene.account.id}`, { automation_paused }, 'PATCH');

const STOPS_OF_ALL: [string, (id: string) => Promise<TimedCall>][] = [
  ['pauses the scenario', (id) => admin(`scenarios/${id}`, { state: 'paused' }, 'PATCH')],
  ['cancels its runs', (id) => admin(`scenarios/${id}/cancel-runs`, {}, 'POST')],
  [
    'changes it and cancels them',
    (id) => admin(`scenarios/${id}`, { name: 'Changed', running: 'cancel' }, 'PATCH'),
  ],
  ['deletes it', (id) => admin(`scenarios/${id}`, undefined, 'DELETE')],
  ['pauses the account', () => pauseAll(true)],
];

describe('a call that stops the runs of many dialogs while their steps begin', () => {
  it.each(STOPS_OF_ALL)('%s: no step begins after its answer', async (title, stop) => {
    const stage = scene.freeStage();
    const race = new StepRace(scene, workers, stage, {
      make: () => Promise.reject(new Error('not alone')),
    });
    for (let round = 0; round < ROUNDS_TOGETHER; round++) {
      const id = await scene.scenario(stage, [WAIT, SAY, SAY]);
      await race.runTogether(AT_ONCE, () => stop(id));
      await admin(`scenarios/${id}`, undefined, 'DELETE');
      await pauseAll(false);
    }
    const { trials } = race;
    console.info(
      `${title}: ${trials.length} trials, begun in ${race.begun().length}; the call took ${race.took()}`,
    );
    expect(trials.map(({ call }) => call.status).filter((status) => status !== 200)).toEqual([]);
    expect(race.leaks().map(({ threadId }) => threadId)).toEqual([]);
  });
});
