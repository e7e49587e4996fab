import { setTimeout as sleep } from 'node:timers/promises';
import {
  identityOf,
  type FeedEvent,
  type FeedRepository,
  type Look,
  type Seen,
} from '@app/persistence/board/feed.repository';
import { DatabaseUnavailableError } from '@app/persistence/database/database.errors';
import fc from 'fast-check';
import { EventNotifier, type EventNotices } from '../events/event-notifier.service';
import { BoardFeed } from './board-feed.service';

const BOARD = { accountId: 'account', assistantId: 'agent' };
const THREADS = 3;
const SETTLED_WITHIN_MS = 5_000;

/** A log of one agent's events. Looks see it as it was when they began, and are answered when the test says so. */
class ModelLog {
  readonly events = new Map<number, FeedEvent>();
  private readonly versions = new Map<string, number>();
  /** Who holds a thread: an event with its number that is not committed yet. */
  private readonly held = new Map<string, { event: FeedEvent; xid: number }>();
  private seq = 0;
  private xid = 1;
  private readonly answers: (() => void)[] = [];

  readonly repository = {
    start: () => Promise.resolve({ head: 0, atHead: null, floor: 0, recent: [] }),
    look: (seen: Seen) => {
      const look = this.lookNow(seen);
      return new Promise<Look>((resolve) => this.answers.push(() => resolve(look)));
    },
    currentTransactionId: () => Promise.resolve(BigInt(this.xid++)),
  } as unknown as FeedRepository;

  /** Takes a thread's lock and a number; nothing where somebody holds the thread. */
  begin(thread: string, type = 'status'): void {
    if (this.held.has(thread)) return;
    const version = (this.versions.get(thread) ?? 0) + 1;
    const [seq, at] = [++this.seq, new Date(0)];
    const of = { account_id: BOARD.accountId, thread_id: thread, assistant_id: BOARD.assistantId };
    const values = { from_value: null, to_value: null, to_name: null, to_kind: null, to_order: null };
    const event = {
      ...{ seq, ...of, event_version: version, type, at, by: 'SYSTEM', actor: null, request_id: null },
      ...{ ...values, card: null, message: null },
    };
    this.held.set(thread, { event, xid: this.xid++ });
  }

  end(thread: string, commit: boolean): FeedEvent | undefined {
    const event = this.held.get(thread)?.event;
    this.held.delete(thread);
    if (!event || !commit) return undefined;
    this.versions.set(thread, event.event_version);
    this.events.set(event.seq, event);
    return event;
  }

  answerLook(): void {
    this.answers.shift()?.();
  }

  /** The same numbers, given to other events, from one number on. */
  loseFrom(seq: number, others: number): void {
    for (const known of [...this.events.keys()]) if (known >= seq) this.events.delete(known);
    this.seq = seq - 1;
    for (let other = 0; other < others; other++) {
      this.begin(`other ${other}`);
      this.end(`other ${other}`, true);
    }
  }

  private lookNow({ head, verified, gaps }: Seen): Look {
    const identity = (seq: number): string | null => {
      const event = this.events.get(seq);
      return event ? identityOf({ threadId: event.thread_id, version: event.event_version }) : null;
    };
    const seqs = [...this.events.keys()].filter((seq) => seq > head || gaps.includes(seq));
    seqs.sort((one, other) => one - other);
    const xmin = Math.min(this.xid, ...[...this.held.values()].map(({ xid }) => xid));
    const last = seqs.at(-1);
    const known = { atHead: identity(head), atVerified: identity(verified) };
    const events = seqs.flatMap((seq) => this.events.get(seq) ?? []);
    return {
      ...{ ...known, xmin: BigInt(xmin), seqs, events },
      ...{ atLast: last === undefined ? null : identity(last), full: false },
    };
  }
}

/** Ends what a test opened, also where it failed. */
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A feed with one board open, which reads the model. */
async function openFeed(log = new ModelLog()) {
  const notifier = new EventNotifier();
  let hearOthers = (): void => undefined;
  const notices = { start: (hear: () => void) => void (hearOthers = hear) } as unknown as EventNotices;
  const feed = new BoardFeed(log.repository, notices, notifier);
  await feed.start();
  const heard: FeedEvent[] = [];
  let wentBack = 0;
  feed.subscribe(BOARD, { happened: (event) => heard.push(event), wentBack: () => (wentBack += 1) });
  const tellOwn = (event: FeedEvent, told = true): void =>
    notifier.notify(event.account_id, {
      ...{ seq: event.seq, accountId: event.account_id, threadId: event.thread_id },
      ...{ version: event.event_version, begunAt: performance.now(), told: told ? event : null },
    });
  /** Has the feed look, and answers it, until a condition holds. */
  const until = async (holds: () => boolean, what: string): Promise<void> => {
    const last = performance.now() + SETTLED_WITHIN_MS;
    while (!holds()) {
      if (performance.now() > last) throw new Error(what);
      hearOthers();
      log.answerLook();
      await sleep(1);
    }
  };
  closing.push(async () => {
    const stopped = feed.beforeApplicationShutdown();
    for (let look = 0; look < 3; look++) log.answerLook();
    await stopped;
  });
  return { log, feed, heard, tellOwn, until, hearOthers: () => hearOthers(), back: () => wentBack };
}

const commit = (log: ModelLog, thread: string, type?: string): FeedEvent => {
  log.begin(thread, type);
  return log.end(thread, true) as FeedEvent;
};

/** Deliveries that take longer than a tick of the event loop has time for go on in the next ones. No look is answered. */
async function ticks(count = 20): Promise<void> {
  for (let tick = 0; tick < count; tick++) await new Promise(setImmediate);
}

it('reads the log of a database that was away for a moment when the process started', async () => {
  const log = new ModelLog();
  const answered = await log.repository.start();
  log.repository.start = () => {
    log.repository.start = () => Promise.resolve(answered);
    return Promise.reject(new DatabaseUnavailableError(new Error('timeout exceeded when trying to connect')));
  };
  const { heard, tellOwn } = await openFeed(log);
  tellOwn(commit(log, 'a'));
  await ticks();
  expect(heard.map(({ seq }) => seq)).toEqual([1]);
});

describe('an event that this process committed', () => {
  it('is delivered before any look is answered where its number is the next one', async () => {
    const { log, heard, tellOwn, feed } = await openFeed();
    const events = [commit(log, 'a'), commit(log, 'b')];
    for (const event of events) tellOwn(event);
    await ticks();
    expect(heard.map(({ seq }) => seq)).toEqual([1, 2]);
    expect(feed.mark).toBe(2);
  });

  it('waits for a lower number of this process, whichever is answered first', async () => {
    const { log, heard, tellOwn } = await openFeed();
    const [first, second] = [commit(log, 'a'), commit(log, 'a')];
    tellOwn(second);
    await ticks();
    expect(heard).toEqual([]);
    tellOwn(first);
    await ticks();
    expect(heard.map(({ event_version: version }) => version)).toEqual([1, 2]);
  });

  it('is read from the log where its card was not asked for and a board is open by now', async () => {
    const { log, heard, tellOwn, until } = await openFeed();
    tellOwn(commit(log, 'a'), false);
    expect(heard).toEqual([]);
    await until(() => heard.length === 1, 'the board did not hear of it');
  });
});

describe('events of this process behind a number that is missing', () => {
  it.each([
    ['a thousand are held back, and delivered as soon as it is there', 1_000, 1_001],
    ['of three thousand the feed holds back no more than a thousand, and the log delivers them', 3_000, 0],
  ])('%s', async (_what, count, atOnce) => {
    const { log, heard, tellOwn, until } = await openFeed();
    log.begin('missing');
    const others = Array.from({ length: count }, () => commit(log, 'a'));
    for (const event of others) tellOwn(event);
    expect(heard).toEqual([]);
    const first = log.end('missing', true) as FeedEvent;
    tellOwn(first);
    await ticks();
    // No look was answered, so the feed had held back what is delivered by now.
    expect(heard.length).toBe(atOnce);
    await until(() => heard.length > count, 'the log did not deliver what was not held back');
    const seqs = heard.map(({ seq }) => seq).toSorted((one, other) => one - other);
    expect(seqs).toEqual([first, ...others].map(({ seq }) => seq));
  });
});

describe('an event of this process that began before its funnel was changed', () => {
  it('is read from the log, because it may name a stage as it was', async () => {
    const { log, heard, tellOwn, until, hearOthers } = await openFeed();
    const seqs = (): number[] => heard.map(({ seq }) => seq);
    commit(log, 'funnel', 'funnel');
    hearOthers();
    log.begin('a');
    tellOwn(commit(log, 'b'));
    log.answerLook();
    await ticks();
    tellOwn(log.end('a', true) as FeedEvent);
    await ticks();
    expect(seqs()).toEqual([1, 2]);
    await until(() => heard.length === 3, 'the event was not read from the log');
    expect(seqs()).toEqual([1, 2, 3]);
  });
});

describe('a log that goes back', () => {
  it('is noticed though this process has just committed the number that was the next one', async () => {
    const { log, tellOwn, until, heard, back } = await openFeed();
    commit(log, 'a');
    commit(log, 'a');
    await until(() => heard.length === 2, 'the board did not hear of two events');
    // Both are lost, and the numbers go on from where they were: PostgreSQL skips some after a crash.
    log.loseFrom(1, 0);
    log.begin('x');
    log.begin('y');
    log.begin('b');
    tellOwn(log.end('b', true) as FeedEvent);
    await ticks();
    expect(heard.at(-1)?.seq).toBe(3);
    await until(() => back() === 1, 'the board was not told to open anew');
  });

  it('is noticed where the numbers of events of this process belong to others by now', async () => {
    const { log, tellOwn, until, heard, back } = await openFeed();
    for (const thread of ['a', 'b', 'a']) tellOwn(commit(log, thread));
    await ticks();
    expect(heard).toHaveLength(3);
    log.loseFrom(2, 2);
    await until(() => back() === 1, 'the board was not told to open anew');
  });
});

type Step =
  | { do: 'begin' | 'own' | 'foreign' | 'rollback'; thread: number }
  | { do: 'answer'; which: number }
  | { do: 'look' | 'tick' };

const ofThread = (...kinds: ('begin' | 'own' | 'foreign' | 'rollback')[]) =>
  fc.record({ do: fc.constantFrom(...kinds), thread: fc.nat({ max: THREADS - 1 }) });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: ofThread('begin') },
  { weight: 6, arbitrary: ofThread('own', 'own', 'own', 'foreign', 'rollback') },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('answer' as const), which: fc.nat({ max: 3 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('look' as const, 'tick' as const) }) },
);

/** Any order of commits here and elsewhere, of their answers, and of looks. @throws at the first broken promise. */
async function run(steps: readonly Step[]): Promise<void> {
  const { log, heard, tellOwn, until, hearOthers } = await openFeed();
  const unanswered: FeedEvent[] = [];
  const answer = (which: number): void => {
    const [event] = unanswered.splice(which % Math.max(1, unanswered.length), 1);
    if (event) tellOwn(event);
  };
  try {
    for (const each of steps) {
      if (each.do === 'begin') log.begin(`${each.thread}`);
      else if (each.do === 'answer') answer(each.which);
      else if (each.do === 'look') hearOthers();
      else if (each.do === 'tick') {
        log.answerLook();
        await new Promise(setImmediate);
      } else if ('thread' in each) {
        const event = log.end(`${each.thread}`, each.do !== 'rollback');
        if (event && each.do === 'own') unanswered.push(event);
      }
    }
    for (let thread = 0; thread < THREADS; thread++) log.end(`${thread}`, true);
    while (unanswered.length > 0) answer(0);
    await until(() => heard.length >= log.events.size, 'a committed event was not delivered');
    for (let thread = 0; thread < THREADS; thread++) {
      const versions = heard.filter((event) => event.thread_id === `${thread}`).map((e) => e.event_version);
      const expected = versions.map((_, index) => index + 1);
      if (versions.join() !== expected.join())
        throw new Error(`a thread's versions came as ${versions.join()}`);
    }
    if (heard.length !== log.events.size) throw new Error('an event came twice');
  } finally {
    await closing.pop()?.();
  }
}

describe('the events of each thread', () => {
  it('are delivered once and in order, over any order of commits, answers and looks', async () => {
    const property = fc.asyncProperty(fc.array(step, { maxLength: 40, size: 'max' }), run);
    await fc.assert(property, { numRuns: 300, seed: 42 });
  });
});
