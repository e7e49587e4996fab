import { CallBatcher, type BatchedAct } from './call-batcher';
import { DatabaseUnavailableError, RowBusyError } from './database.errors';

interface Act {
  calls: readonly string[];
  finish: (answers?: string[]) => void;
  fail: (error: unknown) => void;
}

/** Calls such as `a1`, whose key is their first letter. The test finishes every act. */
function actsByHand(options: Partial<BatchedAct<string, string>> = {}) {
  const acts: Act[] = [];
  const batcher = new CallBatcher<string, string>({
    act: (calls) =>
      new Promise((resolve, reject) => {
        const finish = (answers = calls.map((call) => `answer to ${call}`)): void => resolve(answers);
        acts.push({ calls, finish, fail: reject });
      }),
    keyOf: (call) => call.charAt(0),
    ...options,
  });
  /** The calls of each act so far, after everything due has begun. */
  const begun = async (): Promise<(readonly string[])[]> => {
    await ticks();
    return acts.map(({ calls }) => calls);
  };
  /** The outcome of the calls: each one's answer or error. */
  const call = async (...calls: string[]): Promise<unknown[]> =>
    (await Promise.allSettled(calls.map((each) => batcher.call(each)))).map((each): unknown =>
      each.status === 'fulfilled' ? each.value : each.reason,
    );
  return { acts, begun, call };
}

async function ticks(): Promise<void> {
  for (let tick = 0; tick < 5; tick++) await new Promise(setImmediate);
}

// The test controls the clock; the ticks of the event loop are real.
beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate', 'clearImmediate'] }));
afterEach(() => jest.useRealTimers());

/** Longer than a statement may take before another begins beside it. */
async function untilASecondMayBegin(): Promise<void> {
  await ticks();
  jest.advanceTimersByTime(4);
}

function passMoreThanASecond(): void {
  jest.advanceTimersByTime(1_001);
}

const OUTAGE = new DatabaseUnavailableError(new Error('cut off'));

describe('calls that are put together', () => {
  it('go alone and at once when they come alone', async () => {
    const { acts, begun, call } = actsByHand();
    const first = call('a1');
    expect(await begun()).toEqual([['a1']]);
    acts[0]?.finish();
    expect(await first).toEqual(['answer to a1']);
    const second = call('b1');
    expect(await begun()).toEqual([['a1'], ['b1']]);
    acts[1]?.finish();
    expect(await second).toEqual(['answer to b1']);
  });

  it('wait for the act under way, but not for one that takes longer than 4 ms', async () => {
    const { acts, begun, call } = actsByHand();
    void call('a1');
    await ticks();
    void call('b1');
    await ticks();
    jest.advanceTimersByTime(3);
    void call('c1');
    expect(await begun()).toEqual([['a1']]);
    jest.advanceTimersByTime(1);
    expect(await begun()).toEqual([['a1'], ['b1', 'c1']]);
    void call('d1');
    await ticks();
    acts[0]?.finish();
    acts[1]?.finish();
    expect((await begun()).slice(2)).toEqual([['d1']]);
    acts[2]?.finish();
  });

  it('go together when they come in one tick, and each gets its own answer', async () => {
    const { acts, begun, call } = actsByHand();
    const calls = call('a1', 'b1', 'c1');
    expect(await begun()).toEqual([['a1', 'b1', 'c1']]);
    acts[0]?.finish();
    expect(await calls).toEqual(['answer to a1', 'answer to b1', 'answer to c1']);
  });

  it('wait while two acts are under way, and then go together, 64 at most', async () => {
    const { acts, begun, call } = actsByHand({ keyOf: undefined });
    void call('a');
    await ticks();
    void call('b');
    await untilASecondMayBegin();
    await ticks();
    const later = call(...Array.from({ length: 70 }, (_, index) => `c${index}`));
    expect(await begun()).toHaveLength(2);
    acts[0]?.finish();
    expect((await begun()).map((calls) => calls.length)).toEqual([1, 1, 64]);
    acts[1]?.finish();
    await untilASecondMayBegin();
    expect((await begun()).map((calls) => calls.length)).toEqual([1, 1, 64, 6]);
    for (const act of acts) act.finish();
    expect(await later).toHaveLength(70);
  });

  it('do not wait for a spacing once they fill a statement', async () => {
    const { acts, begun, call } = actsByHand({ keyOf: undefined, spacingMs: 10 });
    void call('a');
    await ticks();
    void call(...Array.from({ length: 65 }, (_, index) => `b${index}`));
    expect((await begun()).map((calls) => calls.length)).toEqual([1, 64]);
    for (const act of acts) act.finish();
    expect(await begun()).toHaveLength(2);
    jest.advanceTimersByTime(10);
    expect((await begun()).map((calls) => calls.length)).toEqual([1, 64, 1]);
  });

  it('begin no third act when the second is due twice in one turn of the event loop', async () => {
    const { acts, begun, call } = actsByHand({ keyOf: undefined });
    void call('a');
    await ticks();
    // The first of these is due after 4 ms. So many are due at once.
    void call('b');
    void call(...Array.from({ length: 130 }, (_, index) => `c${index}`));
    jest.advanceTimersByTime(4);
    expect((await begun()).map((calls) => calls.length)).toEqual([1, 64]);
    acts[0]?.finish();
    expect((await begun()).map((calls) => calls.length)).toEqual([1, 64, 64]);
  });

  it('wait between two acts where a spacing is set, and then go together', async () => {
    const { acts, begun, call } = actsByHand({ keyOf: undefined, spacingMs: 10 });
    void call('a');
    expect(await begun()).toEqual([['a']]);
    void call('b');
    await ticks();
    void call('c');
    expect(await begun()).toHaveLength(1);
    jest.advanceTimersByTime(10);
    expect((await begun()).slice(1)).toEqual([['b', 'c']]);
    for (const act of acts) act.finish();
    jest.advanceTimersByTime(10);
    void call('d');
    expect((await begun()).slice(2)).toEqual([['d']]);
    acts[2]?.finish();
  });

  it('of one key go one at a time, in their order, and hold up no other key', async () => {
    const { acts, begun, call } = actsByHand();
    void call('a1', 'a2', 'a3', 'b1');
    expect(await begun()).toEqual([['a1', 'b1']]);
    void call('c1');
    await untilASecondMayBegin();
    expect(await begun()).toEqual([['a1', 'b1'], ['c1']]);
    acts[0]?.finish();
    acts[1]?.finish();
    expect((await begun()).slice(2)).toEqual([['a2']]);
    acts[2]?.finish();
    expect((await begun()).slice(3)).toEqual([['a3']]);
  });

  it('of one key are all answered by an answer that holds for them', async () => {
    const { acts, begun, call } = actsByHand({ answersOthers: (answer) => answer === 'full' });
    const calls = call('a1', 'a2', 'b1', 'a3', 'a4', 'b2');
    expect(await begun()).toEqual([['a1', 'b1']]);
    acts[0]?.finish(['free', 'free']);
    expect((await begun()).slice(1)).toEqual([['a2', 'b2']]);
    acts[1]?.finish(['full', 'free']);
    expect(await calls).toEqual(['free', 'full', 'free', 'full', 'full', 'free']);
    const later = call('a5');
    expect((await begun()).slice(2)).toEqual([['a5']]);
    acts[2]?.finish();
    expect(await later).toEqual(['answer to a5']);
  });
});

describe('a failing act', () => {
  it.each([
    ['a row that was busy', new RowBusyError(new Error('locked'))],
    [
      'one call that PostgreSQL refuses',
      Object.assign(new Error('no UUID'), { severity: 'ERROR', code: '22P02' }),
    ],
  ])(
    'for %s is done again for each call by itself, and only what fails then has failed',
    async (_, error) => {
      const { acts, begun, call } = actsByHand();
      const calls = call('a1', 'b1', 'c1', 'a2');
      await ticks();
      acts[0]?.fail(error);
      expect((await begun()).slice(1)).toEqual([['a1'], ['b1']]);
      acts[1]?.finish();
      acts[2]?.fail(error);
      await untilASecondMayBegin();
      expect((await begun()).slice(3)).toEqual([['c1'], ['a2']]);
      acts[3]?.finish();
      acts[4]?.finish();
      expect(await calls).toEqual(['answer to a1', error, 'answer to c1', 'answer to a2']);
      expect(acts).toHaveLength(5);
    },
  );

  it.each([
    ['a broken connection', OUTAGE],
    ['an error of the driver', new Error('received invalid response')],
    ['an error of ours', new TypeError('rows is not iterable')],
  ])('for %s, after which its calls may be done, fails them all and repeats none', async (_, error) => {
    const { acts, begun, call } = actsByHand();
    const calls = call('a1', 'b1', 'a2');
    await ticks();
    acts[0]?.fail(error);
    expect((await begun()).slice(1)).toEqual([['a2']]);
    acts[1]?.finish();
    expect(await calls).toEqual([error, error, 'answer to a2']);
  });

  it('fails its one call with it, and nothing that waits', async () => {
    const { acts, begun, call } = actsByHand();
    const calls = call('a1', 'a2');
    await ticks();
    passMoreThanASecond();
    acts[0]?.fail(new Error('of this call'));
    expect((await begun()).slice(1)).toEqual([['a2']]);
    acts[1]?.finish();
    expect(await calls).toEqual([new Error('of this call'), 'answer to a2']);
  });

  it('in an outage fails all of its calls, and what has waited for a second, but nothing newer', async () => {
    const { acts, begun, call } = actsByHand();
    const failing = call('a1', 'b1', 'a2');
    await ticks();
    passMoreThanASecond();
    const newer = call('a3', 'b2');
    acts[0]?.fail(OUTAGE);
    expect(await failing).toEqual([OUTAGE, OUTAGE, OUTAGE]);
    expect((await begun()).slice(1)).toEqual([['a3', 'b2']]);
    acts[1]?.finish();
    expect(await newer).toEqual(['answer to a3', 'answer to b2']);
  });

  it('in an outage fails the calls that were to be done by themselves too, and frees their keys', async () => {
    const { acts, begun, call } = actsByHand();
    const calls = call('a1', 'b1', 'c1');
    await ticks();
    passMoreThanASecond();
    acts[0]?.fail(new RowBusyError(new Error('locked')));
    await ticks();
    acts[1]?.fail(OUTAGE);
    acts[2]?.fail(OUTAGE);
    expect(await calls).toEqual([OUTAGE, OUTAGE, OUTAGE]);
    const again = call('c2');
    expect((await begun()).slice(3)).toEqual([['c2']]);
    acts[3]?.finish();
    expect(await again).toEqual(['answer to c2']);
  });
});
