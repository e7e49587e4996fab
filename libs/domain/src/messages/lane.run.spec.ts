import type { ClaimedMessage, PutBack } from '@app/persistence/messages/lane.repository';
import { LaneRun, type LaneWork } from './lane.run';

const IN_FLIGHT_MAX = 80;
const AHEAD_MS_MAX = 2_000;

/** Times in this queue are compared as texts. */
const dueAt = (n: number): string => String(n).padStart(6, '0');

const messageOf = (n: number): ClaimedMessage => ({
  id: `message ${n}`,
  thread_id: 'thread',
  batch_id: 'batch',
  recipient: `+7701${n}`,
  content: {},
  attempts: 1,
  waited_ms: 0,
  up_to: dueAt(n),
});

/** A queue in memory, with a provider that answers when told. */
class FakeWork implements LaneWork {
  atOnceMax = 10_000;
  queue: ClaimedMessage[];
  readonly claims: { most: number; token: string; from: string | null; ids: string[] }[] = [];
  readonly begun: string[] = [];
  readonly putBacks: { ids: string[]; waits: number[]; token: string }[] = [];
  readonly answers: (() => void)[] = [];
  /** What a claim waits for. */
  claiming: () => Promise<void> = () => Promise.resolve();
  /** What a putting back waits for. */
  puttingBack: () => Promise<void> = () => Promise.resolve();
  turn: (recipient: string) => number = () => 0;
  /** What a recipient alone waits for. */
  rest: (recipient: string, before: number) => number = () => 0;
  answersAtOnce = false;

  constructor(size: number) {
    this.queue = Array.from({ length: size }, (_, n) => messageOf(n));
  }

  async claim(most: number, token: string, from: string | null): Promise<ClaimedMessage[]> {
    const claimed = this.queue.filter(({ up_to }) => from === null || up_to >= from).slice(0, most);
    this.queue = this.queue.filter((message) => !claimed.includes(message));
    this.claims.push({ most, token, from, ids: claimed.map(({ id }) => id) });
    await this.claiming();
    const upTo = claimed.at(-1)?.up_to ?? '';
    return claimed.map((message) => ({ ...message, up_to: upTo }));
  }

  async putBack(messages: PutBack[], token: string): Promise<void> {
    await this.puttingBack();
    this.putBacks.push({
      ids: messages.map(({ id }) => id),
      waits: messages.map(({ waitMs }) => waitMs),
      token,
    });
  }

  recipientWaitMs(recipient: string, before: number): number {
    return this.rest(recipient, before);
  }

  turnInMs(recipient: string): number {
    return this.turn(recipient);
  }

  begin({ id }: ClaimedMessage): Promise<void> {
    this.begun.push(id);
    return this.answersAtOnce ? Promise.resolve() : new Promise((resolve) => this.answers.push(resolve));
  }

  answerAll(): void {
    for (const answer of this.answers.splice(0)) answer();
  }
}

/** How far the clock has been moved on. */
let later = 0;
const realNow = performance.now.bind(performance);

/** Waits until something is so; every look of a run is at most 100 ms after the last. */
async function until(isSo: () => boolean): Promise<void> {
  const last = realNow() + 5_000;
  while (!isSo()) {
    if (realNow() > last) throw new Error(`not within 5 s: ${isSo.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

/** Lets everything happen that waits for nothing but its turn in the event loop. */
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

describe('a run of a lane', () => {
  let work: FakeWork;
  let run: LaneRun;
  let over: Promise<void>;
  let isOver: boolean;

  beforeEach(() => {
    later = 0;
    isOver = false;
    jest.spyOn(performance, 'now').mockImplementation(() => realNow() + later);
  });
  afterEach(async () => {
    work.answersAtOnce = true;
    work.answerAll();
    run.halt();
    await over;
    jest.restoreAllMocks();
  });

  function start(size: number, change: (work: FakeWork) => void = () => undefined): void {
    work = new FakeWork(size);
    change(work);
    run = new LaneRun(work);
    over = run.untilEmpty().then(() => void (isOver = true));
  }

  it('has eighty in flight, and begins the next when one is answered', async () => {
    start(200);
    await until(() => work.begun.length === IN_FLIGHT_MAX);
    await settle();
    expect(work.begun).toHaveLength(IN_FLIGHT_MAX);
    work.answers.shift()?.();
    await settle();
    expect(work.begun).toHaveLength(IN_FLIGHT_MAX + 1);
    work.answersAtOnce = true;
    work.answerAll();
    await until(() => isOver);
    expect(new Set(work.begun).size).toBe(200);
    expect(work.begun).toHaveLength(200);
    expect(work.putBacks).toEqual([]);
  });

  it('claims no more at once than may go out within a second, each claim with a token of its own', async () => {
    start(50, (given) => {
      given.atOnceMax = 20;
      given.answersAtOnce = true;
    });
    await until(() => isOver);
    expect(work.claims.filter(({ most }) => most > 20)).toEqual([]);
    expect(new Set(work.claims.map(({ token }) => token)).size).toBe(work.claims.length);
    expect(work.begun).toHaveLength(50);
  });

  it('ends when nothing is due and every request is answered, not before', async () => {
    start(1);
    await until(() => work.begun.length === 1);
    later += 60_000;
    run.wake();
    await until(() => work.claims.length > 1);
    expect(isOver).toBe(false);
    work.answerAll();
    await until(() => isOver);
  });

  it('claims behind what it claimed last, and at the beginning again before it ends', async () => {
    start(500);
    await until(() => work.claims.length === 1);
    await settle();
    work.queue.unshift({ ...messageOf(0), id: 'earlier' });
    work.answersAtOnce = true;
    work.answerAll();
    await until(() => isOver);
    for (const [n, { from }] of work.claims.slice(1, -2).entries())
      expect(from).toBe(dueAt(Number(work.claims[n]?.ids.at(-1)?.slice('message '.length))));
    expect(work.claims.length).toBeGreaterThan(4);
    expect(work.claims.filter(({ from }) => from === null).length).toBeLessThan(4);
    expect(work.begun.indexOf('earlier')).toBeGreaterThan(IN_FLIGHT_MAX);
    expect(work.begun).toHaveLength(501);
  });

  it('looks at the beginning again within half a second, however much is behind it', async () => {
    start(10_000);
    await until(() => work.begun.length === IN_FLIGHT_MAX);
    await settle();
    work.queue.unshift({ ...messageOf(0), id: 'earlier' });
    later += 500;
    while (work.claims.length < 2) {
      work.answers.shift()?.();
      await settle();
    }
    expect(work.claims[1]?.ids[0]).toBe('earlier');
  });

  it('begins nothing before its turn, and whose turn it is before those who wait for theirs', async () => {
    const waiting = new Map([['+77010', 20]]);
    start(3, (given) => {
      given.answersAtOnce = true;
      given.turn = (recipient) => waiting.get(recipient) ?? 0;
    });
    await until(() => work.begun.length === 2);
    await settle();
    expect(work.begun).toEqual(['message 1', 'message 2']);
    waiting.clear();
    await until(() => isOver);
    expect(work.begun).toEqual(['message 1', 'message 2', 'message 0']);
  });

  it('puts back under its own token what has not begun when it is halted, and waits for what has', async () => {
    start(IN_FLIGHT_MAX + 20);
    await until(() => work.begun.length === IN_FLIGHT_MAX);
    run.halt();
    await until(() => work.putBacks.length > 0);
    const put = work.putBacks.flatMap(({ ids, token }) => ids.map((id) => `${id} ${token}`));
    const claimed = work.claims.flatMap(({ ids, token }) => ids.map((id) => `${id} ${token}`));
    expect(put.sort()).toEqual(claimed.slice(IN_FLIGHT_MAX).sort());
    expect(isOver).toBe(false);
    work.answerAll();
    await until(() => isOver);
    expect(work.begun).toHaveLength(IN_FLIGHT_MAX);
  });

  it('puts back what would wait into its deadline', async () => {
    start(1, (given) => {
      given.turn = () => 60_000;
    });
    await until(() => work.claims.length === 1);
    await settle();
    expect(work.putBacks).toEqual([]);
    later += AHEAD_MS_MAX;
    await until(() => work.putBacks.length === 1);
    expect(work.putBacks[0]?.ids).toEqual(['message 0']);
    expect(work.begun).toEqual([]);
  });

  it('puts back at once whose recipient waits for longer, each due in its turn, and goes on with the others', async () => {
    // Three of the same recipient, who may be sent to in a minute and then each six seconds.
    start(200, (given) => {
      given.answersAtOnce = true;
      for (const n of [0, 1, 2]) given.queue[n] = { ...messageOf(n), recipient: '+7000' };
      given.turn = (recipient) => (recipient === '+7000' ? 60_000 : 0);
      given.rest = (recipient, before) => (recipient === '+7000' ? 60_000 + before * 6_000 : 0);
    });
    const began = realNow();
    await until(() => isOver);
    expect(realNow() - began).toBeLessThan(AHEAD_MS_MAX);
    expect(work.begun).toHaveLength(197);
    expect(work.putBacks).toEqual([
      {
        ids: ['message 0', 'message 1', 'message 2'],
        waits: [60_000, 66_000, 72_000],
        token: work.claims[0]?.token,
      },
    ]);
  });

  it('is over only when what goes back is back', async () => {
    const back = Promise.withResolvers<void>();
    start(1, (given) => {
      given.turn = () => 60_000;
      given.rest = () => 60_000;
      given.puttingBack = () => back.promise;
    });
    await until(() => work.claims.length > 1);
    await settle();
    expect(isOver).toBe(false);
    back.resolve();
    await until(() => isOver);
  });

  it('begins nothing of a claim whose answer came so late that its deadline is near', async () => {
    // The statement did its work at once; the process was held up before it saw the answer.
    start(10, (given) => {
      given.claiming = () => {
        later += AHEAD_MS_MAX + 1;
        return Promise.resolve();
      };
    });
    await until(() => work.putBacks.length === 1);
    expect(work.putBacks[0]?.ids).toHaveLength(10);
    expect(work.begun).toEqual([]);
  });

  it('begins nothing of what it had claimed when the process was held up', async () => {
    let turnMs = 50;
    start(10, (given) => {
      given.turn = () => turnMs;
    });
    await until(() => work.claims.length === 1);
    await settle();
    turnMs = 0;
    later += 30_000;
    await until(() => work.putBacks.length === 1);
    expect(work.putBacks[0]?.ids).toHaveLength(10);
    expect(work.begun).toEqual([]);
  });

  it('looks again when it is told that there may be more', async () => {
    start(1);
    await until(() => work.begun.length === 1);
    work.queue.push(messageOf(1));
    run.wake();
    await until(() => work.begun.length === 2);
  });

  it('that cannot claim puts back what it has, waits for what is under way, and fails', async () => {
    start(30, (given) => {
      given.atOnceMax = 10;
      given.turn = (recipient) => (Number(recipient.slice(5)) < 5 ? 0 : 50);
      given.claiming = () =>
        given.claims.length < 2 ? Promise.resolve() : Promise.reject(new Error('no database'));
    });
    const failure = over.catch((error: unknown) => error);
    over = failure.then(() => undefined);
    await until(() => work.putBacks.length > 0);
    expect(work.begun).toHaveLength(5);
    expect(work.putBacks[0]?.ids).toHaveLength(5);
    work.answerAll();
    expect(await failure).toEqual(new Error('no database'));
  });
});
