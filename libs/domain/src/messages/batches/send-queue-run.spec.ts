import type { Claimed, DueMessage, Postponed } from '@app/persistence/messages/batches/send-queue.repository';
import { SendQueueRun } from './send-queue-run';
import type { ClaimedMessage, SendQueueWork } from './send-queue-work';

const IN_FLIGHT_MAX = 80;
const GROUP_MAX = 32;
const WAIT_MS_MAX = 2_000;

/** Times in this queue are compared as texts. */
const dueAt = (n: number): string => String(n).padStart(6, '0');

const messageOf = (n: number): DueMessage => ({
  id: `message ${n}`,
  batch_id: 'batch',
  recipient: `+7701${n}`,
  content: {},
  due_at: dueAt(n),
});

/** A queue in memory, with a provider that answers when the test says so. */
class FakeWork implements SendQueueWork {
  perSecond = 10_000;
  /** The queued messages. A claim removes them. */
  queue: DueMessage[];
  readonly looks: { from: string | null; ids: string[] }[] = [];
  readonly claims: { token: string; ids: string[]; unwritten: number }[] = [];
  readonly begun: string[] = [];
  readonly putBacks: { ids: string[]; token: string }[] = [];
  readonly postponed: Postponed[][] = [];
  readonly answers: (() => void)[] = [];
  /** What a claim waits for. */
  claiming: () => Promise<void> = () => Promise.resolve();
  /** What a putting back, or a postponing, waits for. */
  goingBack: () => Promise<void> = () => Promise.resolve();
  paceMs: (recipient: string) => number = () => 0;
  /** What a recipient alone waits for. */
  recipientPauseMs: (recipient: string, before: number) => number = () => 0;
  answersAtOnce = false;
  /** Bytes that leave when the test says so, instead of at once. */
  readonly unwritten: (() => void)[] = [];
  writesAtOnce = true;

  constructor(size: number) {
    this.queue = Array.from({ length: size }, (_, n) => messageOf(n));
  }

  lookAhead(most: number, from: string | null): Promise<DueMessage[]> {
    const found = this.queue.filter(({ due_at }) => from === null || due_at >= from).slice(0, most);
    this.looks.push({ from, ids: found.map(({ id }) => id) });
    return Promise.resolve(found);
  }

  async claim(ids: readonly string[], token: string): Promise<Claimed[]> {
    const claimed = this.queue.filter(({ id }) => ids.includes(id));
    this.queue = this.queue.filter((message) => !claimed.includes(message));
    this.claims.push({ token, ids: [...ids], unwritten: this.unwritten.length });
    await this.claiming();
    return claimed.map(({ id }) => ({ id, attempts: 1, waited_ms: 0, trace: null }));
  }

  async putBack(ids: readonly string[], token: string): Promise<void> {
    await this.goingBack();
    this.putBacks.push({ ids: [...ids], token });
  }

  async postpone(messages: readonly Postponed[]): Promise<void> {
    await this.goingBack();
    this.postponed.push([...messages]);
    const ids = messages.map(({ id }) => id);
    this.queue = this.queue.filter(({ id }) => !ids.includes(id));
  }

  hasSlot(): boolean {
    return true;
  }

  waitMs(recipient: string): number {
    return this.paceMs(recipient);
  }

  takeTime(recipient: string): number {
    return this.paceMs(recipient);
  }

  recipientWaitMs(recipient: string, before: number): number {
    return this.recipientPauseMs(recipient, before);
  }

  begin({ id }: ClaimedMessage, onWritten: () => void): Promise<void> {
    this.begun.push(id);
    if (this.writesAtOnce) onWritten();
    else this.unwritten.push(onWritten);
    return this.answersAtOnce ? Promise.resolve() : new Promise((resolve) => this.answers.push(resolve));
  }

  answerAll(): void {
    for (const answer of this.answers.splice(0)) answer();
  }

  writeAll(): void {
    for (const write of this.unwritten.splice(0)) write();
  }
}

/** How far the clock has been moved on. */
let later = 0;
const realNow = performance.now.bind(performance);

/** Waits until a condition holds. A run reads its queue at least every 100 ms. */
async function until(isSo: () => boolean): Promise<void> {
  const last = realNow() + 5_000;
  while (!isSo()) {
    if (realNow() > last) throw new Error(`not within 5 s: ${isSo.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

/** Runs everything that waits only for a tick of the event loop. */
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

describe('a run of a send queue', () => {
  let work: FakeWork;
  let run: SendQueueRun;
  let over: Promise<void>;
  let isOver: boolean;

  beforeEach(() => {
    later = 0;
    isOver = false;
    jest.spyOn(performance, 'now').mockImplementation(() => realNow() + later);
  });
  afterEach(async () => {
    work.answersAtOnce = true;
    work.writesAtOnce = true;
    work.writeAll();
    work.answerAll();
    run.halt();
    await over;
    jest.restoreAllMocks();
  });

  function start(size: number, change: (work: FakeWork) => void = () => undefined): void {
    work = new FakeWork(size);
    change(work);
    run = new SendQueueRun(work);
    over = run.untilEmpty().then(() => void (isOver = true));
  }

  it('has eighty in flight, and begins the next when one is answered', async () => {
    start(200);
    await until(() => work.begun.length === IN_FLIGHT_MAX);
    await settle();
    expect(work.begun).toHaveLength(IN_FLIGHT_MAX);
    work.answers.shift()?.();
    await until(() => work.begun.length > IN_FLIGHT_MAX);
    work.answersAtOnce = true;
    work.answerAll();
    await until(() => isOver);
    expect(new Set(work.begun).size).toBe(200);
    expect(work.begun).toHaveLength(200);
    expect(work.putBacks).toEqual([]);
  });

  it('has no more claimed and not written than one group, whatever is due', async () => {
    start(500, (given) => {
      given.writesAtOnce = false;
    });
    for (let round = 0; round < 5; round++) {
      await until(() => work.unwritten.length > GROUP_MAX / 2);
      await settle();
      expect(work.claims.flatMap(({ ids }) => ids)).toHaveLength(work.begun.length);
      expect(work.unwritten.length).toBeLessThanOrEqual(GROUP_MAX);
      work.writeAll();
      work.answerAll();
    }
    for (const { ids, unwritten } of work.claims)
      expect(ids.length + unwritten).toBeLessThanOrEqual(GROUP_MAX);
  });

  it('has the next claimed when one of eighty is answered, as far as the provider answers', async () => {
    start(500);
    await until(() => work.begun.length === IN_FLIGHT_MAX);
    await settle();
    expect(work.claims.flatMap(({ ids }) => ids)).toHaveLength(IN_FLIGHT_MAX);
    for (const answer of work.answers.splice(0, 20)) answer();
    await until(() => work.begun.length === IN_FLIGHT_MAX + 20);
    await settle();
    const claimed = work.claims.flatMap(({ ids }) => ids).length;
    expect(claimed).toBeGreaterThan(IN_FLIGHT_MAX + 20);
    expect(claimed).toBeLessThanOrEqual(IN_FLIGHT_MAX + 20 + GROUP_MAX);
    // Without another claim.
    work.claiming = () => new Promise(() => undefined);
    work.answers.shift()?.();
    await until(() => work.begun.length === IN_FLIGHT_MAX + 21);
    work.claiming = () => Promise.resolve();
  });

  it('claims nothing ahead of a provider that has stopped answering', async () => {
    start(500);
    await until(() => work.begun.length === IN_FLIGHT_MAX);
    for (const answer of work.answers.splice(0, 20)) answer();
    await until(() => work.claims.flatMap(({ ids }) => ids).length > IN_FLIGHT_MAX + 20);
    later += WAIT_MS_MAX + 1;
    await until(() => work.putBacks.length > 0);
    const claims = work.claims.length;
    run.wake();
    await settle();
    expect(work.claims).toHaveLength(claims);
  });

  it('claims in one group what the number sends in a fifth of a second, each with its own token', async () => {
    start(50, (given) => {
      given.perSecond = 20;
      given.answersAtOnce = true;
    });
    await until(() => isOver);
    expect(work.claims.filter(({ ids }) => ids.length > 4)).toEqual([]);
    expect(new Set(work.claims.map(({ token }) => token)).size).toBe(work.claims.length);
    expect(work.begun).toHaveLength(50);
  });

  it('claims nothing whose time is far, and everything in time', async () => {
    let waitMs = 1_000;
    start(3, (given) => {
      given.answersAtOnce = true;
      given.paceMs = () => waitMs;
    });
    await until(() => work.looks.length > 0);
    await settle();
    expect(work.claims).toEqual([]);
    waitMs = 0;
    await until(() => isOver);
    expect(work.begun).toHaveLength(3);
  });

  it('ends when nothing is due and every request is answered, not before', async () => {
    start(1);
    await until(() => work.begun.length === 1);
    const looks = work.looks.length;
    later += 60_000;
    run.wake();
    await until(() => work.looks.length > looks);
    expect(isOver).toBe(false);
    work.answerAll();
    await until(() => isOver);
  });

  it('reads after what it found last, and at the beginning again before it ends', async () => {
    start(1_000);
    await until(() => work.begun.length === IN_FLIGHT_MAX);
    work.queue.unshift({ ...messageOf(0), id: 'earlier' });
    work.answersAtOnce = true;
    work.answerAll();
    await until(() => isOver);
    expect(work.looks.filter(({ from }) => from !== null).length).toBeGreaterThan(3);
    expect(work.looks.at(-1)?.from).toBeNull();
    expect(work.begun.indexOf('earlier')).toBeGreaterThan(IN_FLIGHT_MAX - 1);
    expect(new Set(work.begun).size).toBe(1_001);
    expect(work.begun).toHaveLength(1_001);
  });

  it('reads at the beginning again within half a second, however much follows', async () => {
    start(10_000);
    await until(() => work.begun.length === IN_FLIGHT_MAX);
    await settle();
    work.queue.unshift({ ...messageOf(0), id: 'earlier' });
    later += 500;
    const looks = work.looks.length;
    while (work.looks.length === looks) {
      work.answers.shift()?.();
      await settle();
    }
    expect(work.looks.at(-1)?.ids[0]).toBe('earlier');
  });

  it('begins nothing before its time, and begins what is due before what must wait', async () => {
    const waiting = new Map([['+77010', 20]]);
    start(3, (given) => {
      given.answersAtOnce = true;
      given.paceMs = (recipient) => waiting.get(recipient) ?? 0;
    });
    await until(() => work.begun.length === 2);
    await settle();
    expect(work.begun).toEqual(['message 1', 'message 2']);
    waiting.clear();
    await until(() => isOver);
    expect(work.begun).toEqual(['message 1', 'message 2', 'message 0']);
  });

  it('puts back under its own token what is claimed and not begun when it is halted, and waits for what has', async () => {
    let slotMs = 0;
    start(IN_FLIGHT_MAX, (given) => {
      given.paceMs = () => (given.begun.length < 20 ? 0 : slotMs);
    });
    slotMs = 100;
    await until(() => work.claims.flatMap(({ ids }) => ids).length > 20);
    await settle();
    run.halt();
    await until(() => work.putBacks.length > 0);
    await settle();
    const put = work.putBacks.flatMap(({ ids, token }) => ids.map((id) => `${id} ${token}`));
    const claimed = work.claims.flatMap(({ ids, token }) => ids.map((id) => `${id} ${token}`));
    expect(put.sort()).toEqual(claimed.slice(20).sort());
    expect(isOver).toBe(false);
    work.answerAll();
    await until(() => isOver);
    expect(work.begun).toHaveLength(20);
  });

  it('puts back what would wait into its deadline', async () => {
    start(1, (given) => {
      given.paceMs = () => 100;
    });
    await until(() => work.claims.length === 1);
    await settle();
    expect(work.putBacks).toEqual([]);
    later += WAIT_MS_MAX + 1;
    await until(() => work.putBacks.length === 1);
    expect(work.putBacks[0]?.ids).toEqual(['message 0']);
    expect(work.begun).toEqual([]);
  });

  it('postpones at once messages whose recipient must wait longer, each to its time, and goes on with the others', async () => {
    // Three of the same recipient, who may be sent to in a minute and then each six seconds.
    start(200, (given) => {
      given.answersAtOnce = true;
      for (const n of [0, 1, 2]) given.queue[n] = { ...messageOf(n), recipient: '+7000' };
      given.paceMs = (recipient) => (recipient === '+7000' ? 60_000 : 0);
      given.recipientPauseMs = (recipient, before) => (recipient === '+7000' ? 60_000 + before * 6_000 : 0);
    });
    const began = realNow();
    await until(() => isOver);
    expect(realNow() - began).toBeLessThan(WAIT_MS_MAX);
    expect(work.begun).toHaveLength(197);
    expect(work.postponed).toEqual([
      [
        { id: 'message 0', waitMs: 60_000 },
        { id: 'message 1', waitMs: 66_000 },
        { id: 'message 2', waitMs: 72_000 },
      ],
    ]);
    expect(work.claims.flatMap(({ ids }) => ids)).not.toContain('message 0');
  });

  it('is over only when what is postponed is kept', async () => {
    const back = Promise.withResolvers<void>();
    start(1, (given) => {
      given.paceMs = () => 60_000;
      given.recipientPauseMs = () => 60_000;
      given.goingBack = () => back.promise;
    });
    await until(() => work.looks.length > 0);
    await settle();
    expect(isOver).toBe(false);
    back.resolve();
    await until(() => isOver);
  });

  it('begins nothing of a claim whose answer came so late that its deadline is near', async () => {
    // The statement succeeded at once; the process was delayed before it saw the answer.
    start(10, (given) => {
      given.claiming = () => {
        later += WAIT_MS_MAX + 1;
        return Promise.resolve();
      };
    });
    await until(() => work.putBacks.length === 1);
    expect(work.putBacks[0]?.ids).toHaveLength(10);
    expect(work.begun).toEqual([]);
  });

  it('begins nothing of what it had claimed when the process was held up', async () => {
    let slotMs = 50;
    start(10, (given) => {
      given.paceMs = () => slotMs;
    });
    await until(() => work.claims.length === 1);
    await settle();
    slotMs = 0;
    later += 30_000;
    await until(() => work.putBacks.length === 1);
    expect(work.putBacks[0]?.ids).toHaveLength(10);
    expect(work.begun).toEqual([]);
  });

  it('begins nothing that another process settled between the read and the claim', async () => {
    start(20, (given) => {
      given.answersAtOnce = true;
      given.claiming = () => Promise.resolve();
      const look = given.lookAhead.bind(given);
      given.lookAhead = async (most, from) => {
        const found = await look(most, from);
        given.queue = given.queue.filter(({ id }) => id !== 'message 3');
        return found;
      };
    });
    await until(() => isOver);
    expect(work.begun).toHaveLength(19);
    expect(work.begun).not.toContain('message 3');
  });

  it('ends when a claim gets nothing: the queue is another one’s, or paused', async () => {
    start(20, (given) => {
      given.claim = () => Promise.resolve([]);
    });
    await until(() => isOver);
    expect(work.begun).toEqual([]);
  });

  it('reads again when it is notified that there may be more', async () => {
    start(1);
    await until(() => work.begun.length === 1);
    work.queue.push(messageOf(1));
    run.wake();
    await until(() => work.begun.length === 2);
  });

  it('that cannot claim puts back what it has, waits for what is under way, and fails', async () => {
    start(30, (given) => {
      given.perSecond = 50;
      given.paceMs = (recipient) => (Number(recipient.slice(5)) < 5 ? 0 : 50);
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
