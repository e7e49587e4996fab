import { SharedReads } from './board.service';

/** Reads that end when the test says so. Each returns its number. */
function readingsByHand() {
  const ends: { finish: () => void; fail: () => void }[] = [];
  const reads = new SharedReads<number>();
  const ask = (key: string): Promise<number> =>
    reads.read(
      key,
      () =>
        new Promise((resolve, reject) => {
          const number = ends.length + 1;
          ends.push({ finish: () => resolve(number), fail: () => reject(new Error(`reading ${number}`)) });
        }),
    );
  /** How many have begun, after everything due has run. */
  const begun = async (): Promise<number> => {
    await new Promise(setImmediate);
    return ends.length;
  };
  return { ends, ask, begun };
}

describe('who asks while a reading runs', () => {
  it('does not get that reading, which began before the call, but the next', async () => {
    const { ends, ask, begun } = readingsByHand();
    const answers = [ask('a'), ask('a')];
    expect(await begun()).toBe(1);
    ends[0]?.finish();
    expect(await begun()).toBe(2);
    ends[1]?.finish();
    expect(await Promise.all(answers)).toEqual([1, 2]);
  });

  it('shares the next with all who came meanwhile, but with none who comes once it runs', async () => {
    const { ends, ask, begun } = readingsByHand();
    const answers = [ask('a'), ask('a'), ask('a')];
    ends[0]?.finish();
    expect(await begun()).toBe(2);
    answers.push(ask('a'));
    ends[1]?.finish();
    expect(await begun()).toBe(3);
    ends[2]?.finish();
    expect(await Promise.all(answers)).toEqual([1, 2, 2, 3]);
  });

  it('gets the next also when that reading fails', async () => {
    const { ends, ask, begun } = readingsByHand();
    const answers = Promise.allSettled([ask('a'), ask('a')]);
    ends[0]?.fail();
    expect(await begun()).toBe(2);
    ends[1]?.finish();
    expect(await answers).toEqual([
      { status: 'rejected', reason: new Error('reading 1') },
      { status: 'fulfilled', value: 2 },
    ]);
  });

  it('of something else does not wait', async () => {
    const { ask, begun } = readingsByHand();
    void ask('a');
    void ask('b');
    expect(await begun()).toBe(2);
  });
});
