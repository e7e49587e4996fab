import { setTimeout as sleep } from 'node:timers/promises';
import type { StepDefinition } from '@app/contracts/scenario.words';
import { longestPause, textOf, violationsOfRuns } from '../../support/database/run.faults';
import { uuidOf } from '../../support/database/thread.uuid';
import { eventually, inTime } from '../../support/eventually';
import { injected } from '../../support/faults/injected.faults';
import { limits, SHORT_TIMES } from '../../support/programs/test.limits';
import { faultReports } from '../../support/faults/fault.reports';
import { IS_LONG, triesOf } from '../../support/long.mode';
import type { ServerProcess } from '../../support/programs/server.process';
import { setScenarioScene } from '../../support/scenes/scenario.scene';
import { StandInProvider } from '../../support/stand-ins/provider.stand-in';
import { accept, refuse, type ReceivedSend } from '../../support/stand-ins/scripted.provider';

/** The long mode keeps the product's own times, and repeats. */
const ROUNDS = triesOf(1, 5);
const TIMES = IS_LONG ? {} : SHORT_TIMES;
/** Promised of the product's own times, on a machine that has little else to do. Otherwise: when a test gives up. */
const RESUMED_WITHIN_MS = IS_LONG ? 20_000 : 60_000;
const ENDED_WITHIN_MS = 40_000;
/** What a process that goes on does at once, it has done by then. */
const GONE_ON_MS = 1_500;
/** A call without an answer is tried again before that. */
const TRIED_AGAIN_MS = 8_500;

const scene = setScenarioScene({
  servers: 0,
  environment: { ...injected('held-call'), ...TIMES, PROVIDER_TIMEOUT_MS: '4000' },
});

const SEND = 0;
const CALL = 1;
const NOTIFY = 2;
const MOVE = 3;
const HAND_OVER = 4;

/** Where a call may have come whose answer is lost. */
const AGAIN = ['written', 'after call'];

/** Where in a step, in words, and as the fault names it. `written`: the other side has the request and does not answer. */
const BOUNDARIES: readonly [string, { step: number; at: string; isThrottled?: true }][] = [
  ['after the claim of the dialog', { step: SEND, at: 'after claim' }],
  ['after the first commit of a run', { step: SEND, at: 'after begun' }],
  ['before the commit that stores a message and its permit', { step: SEND, at: 'before permit' }],
  ['before the first byte of a message', { step: SEND, at: 'after permit' }],
  ['when a message is written and not answered', { step: SEND, at: 'written' }],
  ['when a message is answered and its outcome not stored', { step: SEND, at: 'after answer' }],
  ['when the outcome is stored and the step not settled', { step: SEND, at: 'after outcome' }],
  [
    'when the outcome is stored that it may be tried again',
    { step: SEND, at: 'after outcome', isThrottled: true },
  ],
  ['before the commit that settles a send', { step: SEND, at: 'before settled' }],
  ['when a send is settled and the next step not begun', { step: SEND, at: 'after settled' }],
  ['before the first byte of a call', { step: CALL, at: 'after permit' }],
  ['when a call is written and not answered', { step: CALL, at: 'written' }],
  ['when a call is answered and the step not settled', { step: CALL, at: 'after call' }],
  ['before the commit that settles a call', { step: CALL, at: 'before settled' }],
  ['when a call is settled', { step: CALL, at: 'after settled' }],
  ['before the commit of notify', { step: NOTIFY, at: 'before settled' }],
  ['after the commit of notify', { step: NOTIFY, at: 'after settled' }],
  ['before the commit of a move', { step: MOVE, at: 'before settled' }],
  ['after the commit of a move', { step: MOVE, at: 'after settled' }],
  ['before the commit of a hand-over', { step: HAND_OVER, at: 'before settled' }],
  ['after the commit of a hand-over', { step: HAND_OVER, at: 'after settled' }],
];

/** Where a process that stood still may do something once more when it goes on: the rest is taken back with its transaction. */
const GOES_ON_AT = ['after claim', 'before permit', 'after permit', 'written', 'after answer', 'after call'];

/** A process goes on after another one has taken its dialog over, and while that one has a call under way there. */
const OVERTAKEN = 'overtaken';
const BOUNDARIES_OF: Record<string, typeof BOUNDARIES> = {
  killed: BOUNDARIES,
  stopped: IS_LONG
    ? BOUNDARIES
    : BOUNDARIES.filter(
        ([, { step, at }]) => GOES_ON_AT.includes(at) || (step === MOVE && at === 'before settled'),
      ),
  [OVERTAKEN]: [['after the claim of the dialog', { step: SEND, at: 'after claim' }]],
};

interface Point {
  step: number;
  at: string;
  /** Its first request is refused for a moment. */
  isThrottled?: true;
  boundary: string;
  /** The process that is killed, or stopped. */
  fault: string;
  threadId: string;
  phone: string;
}

let receiver: StandInProvider;
/** The steps whose requests came, by the customer's phone. */
const requests = new Map<string, number[]>();
/** Requests that were refused, so that another one may come. */
const refused = new Set<ReceivedSend>();
/** Answers that the other side has not given. */
const unanswered: (() => void)[] = [];
/** Answers that it gives later. */
const slow: (() => void)[] = [];
const violations = new Map<string, string[]>();

const stepsOf = (next: string): StepDefinition[] => {
  const call = (step: number): StepDefinition => ({
    ...{ kind: 'http', method: 'POST', url: receiver.url, body: { phone: '{{lead.phone}}', step } },
  });
  const send = (step: number): StepDefinition => ({
    ...{ kind: 'send_text', text: textOf(step), on_failure: 'continue' },
  });
  return [
    send(SEND),
    call(CALL),
    { kind: 'notify', text: 'Look' },
    { kind: 'set_status', status_id: next },
    { kind: 'hand_over' },
    send(5),
    call(6),
  ];
};

/** A request of a step came. It is answered, unless its dialog is to be met just there. */
function came(point: Point, step: number, answer: () => void): void {
  const before = requests.get(point.phone) ?? [];
  requests.set(point.phone, [...before, step]);
  const isMet = point.at === 'written' && point.step === step;
  const isOvertaken = point.fault === OVERTAKEN && step === CALL;
  if ((isMet || isOvertaken) && !before.includes(step)) (isMet ? unanswered : slow).push(answer);
  else answer();
}

const points: Point[] = [];

async function pointsOf(fault: string): Promise<Point[]> {
  const made = (BOUNDARIES_OF[fault] ?? []).map(async ([boundary, where]) => {
    const { threadId, phone } = await scene.dialog();
    const point = { ...where, boundary, fault, threadId, phone };
    scene.provider.on(phone, (response, received, n) => {
      if (where.isThrottled && n === 1) {
        refused.add(received);
        return refuse(429, 131056, { 'Retry-After': '1' })(response, received, n);
      }
      const { body } = received.body.text as { body: string };
      came(point, Number(body.slice(textOf('').length)), () => void accept(response, received, n));
    });
    return point;
  });
  const all = await Promise.all(made);
  points.push(...all);
  return all;
}

/** A process that holds each of its dialogs at its boundary. */
async function begin(its: readonly Point[]): Promise<ServerProcess> {
  const points = its.map(({ threadId, ...point }) => ({ ...point, threadId: uuidOf(threadId) }));
  const server = await scene.addServer({
    ...injected('step-boundary', { points }),
    // One that is held keeps its connection and its account's slot, which the others need.
    ...limits({ 'statements.slotsOfAccounts': 16 + 2 * its.length }),
  });
  const api = scene.apiAt(scene.servers.indexOf(server));
  // The answer may never come: its process ends.
  for (const { threadId } of its)
    void api.setStatus({ thread_id: threadId, status_id: scene.stage(0) }).catch(() => undefined);
  return server;
}

const heldBy = (server: ServerProcess): number =>
  faultReports(server).filter(({ word }) => word === 'held').length;
const isWritten = ({ at, step, phone }: Point): boolean =>
  at === 'written' && (requests.get(phone)?.includes(step) ?? false);

/** @returns dialogs that did not come to their boundaries */
async function missedBy(server: ServerProcess, its: readonly Point[]): Promise<Set<string>> {
  const reported = (): string[] => faultReports(server).map(({ about }) => about);
  const missing = (): Point[] =>
    its.filter((point) => !isWritten(point) && !reported().includes(uuidOf(point.threadId)));
  const none = async (): Promise<boolean> => heldBy(server) + its.filter(isWritten).length === its.length;
  await eventually(none, 60_000, 'not all came to their boundaries').catch(() => undefined);
  return new Set(missing().map(({ phone }) => phone));
}

/** Dialogs with a message of which nobody may ever know whether it left. */
async function underWay(): Promise<Set<string>> {
  const { rows } = await scene.database.pool.query<{ phone: string }>(
    `SELECT t.phone FROM messages m JOIN threads t ON t.account_id = m.account_id AND t.id = m.thread_id
      WHERE m.status IN ('sending', 'unknown')`,
  );
  return new Set(rows.map(({ phone }) => phone));
}

/** One process is killed and another stopped, both amid their steps; a third takes over. */
async function round(rescuer: ServerProcess): Promise<void> {
  await rescuer.kill('SIGSTOP');
  const its = await Promise.all(['killed', 'stopped', OVERTAKEN].map(pointsOf));
  const [killed, stopped, overtaken] = (await Promise.all(its.map(begin))) as [
    ServerProcess,
    ServerProcess,
    ServerProcess,
  ];
  const missed = await Promise.all(
    [killed, stopped, overtaken].map((server, n) => missedBy(server, its[n] ?? [])),
  );
  const before = await underWay();
  await Promise.all([killed.kill('SIGKILL'), stopped.kill('SIGSTOP')]);
  // Also what began just before.
  const mayBeUnknown = new Set([...before, ...(await underWay())]);
  const called = new Set(its.flat().filter(({ phone }) => requests.get(phone)?.includes(CALL)));
  await rescuer.kill('SIGCONT');
  await eventually(() => Promise.resolve(slow.length > 0), ENDED_WITHIN_MS, 'nothing was overtaken');
  await overtaken.kill('SIGCONT');
  await sleep(TRIED_AGAIN_MS);
  for (const answer of slow.splice(0)) answer();
  const { pool } = scene.database;
  const open = 'SELECT count(*)::int AS n FROM scenario_runs WHERE finished_at IS NULL';
  await eventually(
    async () => (await pool.query<{ n: number }>(open)).rows[0]?.n === 0,
    ENDED_WITHIN_MS,
    'runs did not end',
  );
  await stopped.kill('SIGCONT');
  for (const answer of unanswered.splice(0)) answer();
  await sleep(GONE_ON_MS);
  await Promise.all([stopped.kill('SIGKILL'), overtaken.kill('SIGKILL')]);
  const known = await knownRuns();
  for (const point of its.flat()) {
    const { threadId, phone, boundary, fault, step, at } = point;
    const run = known.get(uuidOf(threadId));
    const title = `${fault} ${boundary}`;
    const faults = violations.get(title) ?? [];
    if (missed.some((phones) => phones.has(phone))) faults.push('the boundary was not reached');
    if (run?.unknown && !mayBeUnknown.has(phone)) faults.push('an outcome was unknown that could be known');
    const order = requests.get(phone) ?? [];
    if (order.join() !== order.toSorted((a, b) => a - b).join())
      faults.push(`requests came as ${order.join()}`);
    // Only a call is made again of which nobody knows that it came. A later step may be in the commit that settles it.
    // On a slow machine, a message without an answer is given up before its process ends, and the call is under way.
    const isLost =
      at === 'before settled' ||
      (step === CALL && AGAIN.includes(at)) ||
      (step === SEND && called.has(point));
    const again = isLost ? 1 : 0;
    if (new Set(order).size + again < order.length) faults.push(`calls came as ${order.join()}`);
    // Its permit is void by the time at which the process goes on.
    if (step === SEND && at === 'after permit' && order.includes(SEND)) faults.push('a message came late');
    violations.set(title, faults);
  }
}

async function knownRuns(): Promise<Map<string, { id: string; unknown: boolean }>> {
  const { rows } = await scene.database.pool.query<{ id: string; thread_id: string; unknown: boolean }>(
    `SELECT id, thread_id, progress @> '[{"state": "unknown"}]' AS unknown FROM scenario_runs`,
  );
  return new Map(rows.map(({ thread_id: threadId, ...run }) => [threadId, run]));
}

beforeAll(async () => {
  receiver = await StandInProvider.open();
  receiver.behave = (response, { body }) => {
    const { phone, step } = JSON.parse(body) as { phone: string; step: number };
    const point = points.find((each) => each.phone === phone);
    if (point) came(point, step, () => void response.end());
  };
  const rescuer = await scene.addServer();
  const steps = stepsOf(scene.stage(1));
  await scene.scenario(0, steps, { on_takeover: 'continue' });
  for (let n = 0; n < ROUNDS; n += 1) await round(rescuer);
  const { pool } = scene.database;
  const known = await knownRuns();
  const taken = {
    sendsTo: (phone: string) => scene.provider.sendsTo(phone).filter((send) => !refused.has(send)),
  };
  const found = await violationsOfRuns(pool, taken, scene.account.id, steps);
  for (const { threadId, boundary, fault } of points) {
    const { id = 'no run' } = known.get(uuidOf(threadId)) ?? {};
    violations.get(`${fault} ${boundary}`)?.push(...found.filter((violation) => violation.startsWith(id)));
  }
});
afterAll(() => receiver.close());

describe.each(Object.entries(BOUNDARIES_OF))('a process that is %s', (fault, boundaries) => {
  it.each(boundaries)('%s has each effect once and in order', (boundary) => {
    expect(violations.get(`${fault} ${boundary}`)).toEqual([]);
  });
});

describe('runs of processes that were killed or stopped at a boundary', () => {
  it('go on soon', async () => {
    const pause = await longestPause(scene.database.pool, scene.account.id, 0);
    console.info(`${points.length} boundaries; the longest pause ${(pause / 1_000).toFixed(1)} s`);
    expect(pause).toBeLessThan(inTime(RESUMED_WITHIN_MS));
  });
});
