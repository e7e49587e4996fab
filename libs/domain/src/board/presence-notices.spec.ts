import type { Notifications } from '@app/persistence/work/notifications-connection';
import { PRESENCE_TIMES, PresenceBook, type Presence, PresenceNotices } from './presence-notices';

const BOARD = { accountId: 'account', assistantId: 'agent' };

const presenceOf = (fields: Partial<Presence> = {}): Presence => ({
  ...BOARD,
  ...{ threadId: 'one', userId: 'aigerim', name: 'Aigerim', typing: false, ...fields },
});

describe('the book of who is in which dialog', () => {
  const changes: string[] = [];
  let book: PresenceBook;

  beforeEach(() => {
    changes.length = 0;
    book = new PresenceBook((_, threadId) => changes.push(threadId));
  });

  it('has each person once, typing where one of the connections types', () => {
    book.put('first', presenceOf(), 0);
    book.put('second', presenceOf({ typing: true }), 0);
    book.put('third', presenceOf({ userId: 'dana', name: 'Dana' }), 0);
    expect(book.usersOf(BOARD, 'one')).toEqual([
      { id: 'aigerim', name: 'Aigerim', typing: true },
      { id: 'dana', name: 'Dana', typing: false },
    ]);
    expect(book.usersOf({ ...BOARD, accountId: 'other' }, 'one')).toEqual([]);
  });

  it('has a connection in one dialog only, and tells of both where it moves', () => {
    book.put('first', presenceOf(), 0);
    book.put('first', presenceOf({ threadId: 'two' }), 0);
    expect(book.threadsOf(BOARD)).toEqual(['two']);
    expect(changes).toEqual(['one', 'one', 'two']);
  });

  it('tells nothing where the same is said again, and keeps it for another 30 s', () => {
    const { presentForMs } = PRESENCE_TIMES;
    book.put('first', presenceOf(), 0);
    book.put('first', presenceOf(), presentForMs - 1);
    expect(changes).toEqual(['one']);
    book.expire(2 * presentForMs - 2);
    expect(book.threadsOf(BOARD)).toEqual(['one']);
    book.expire(2 * presentForMs - 1);
    expect(changes).toEqual(['one', 'one']);
    expect([book.threadsOf(BOARD), book.size]).toEqual([[], 0]);
  });

  it('knows a bounded number of connections', () => {
    for (let n = 0; n < 30_000; n++) book.put(`${n}`, presenceOf({ threadId: `${n % 100}` }), 0);
    expect(book.size).toBe(20_000);
    book.put('0', presenceOf({ typing: true, threadId: '0' }), 0);
    expect(book.usersOf(BOARD, '0')).toMatchObject([{ typing: true }]);
    for (let n = 0; n < 30_000; n++) book.drop(`${n}`);
    expect([book.size, book.threadsOf(BOARD)]).toEqual([0, []]);
  });
});

const ROUND_MS = 50;

const place = (accountId: string, fields: Partial<Presence> = {}): Presence => ({
  ...{ accountId, assistantId: 'agent', threadId: 'one', userId: 'aigerim', name: 'Aigerim', typing: false },
  ...fields,
});

describe('what other processes are told of where people are', () => {
  let told: { of: string | undefined; presence: Presence | null }[];
  let notices: PresenceNotices;

  beforeEach(() => {
    jest.useFakeTimers();
    told = [];
    const notify = (_: string, payload: string, of?: string) =>
      told.push({ of, presence: (JSON.parse(payload) as { presence: Presence | null }).presence });
    notices = new PresenceNotices({ notify } as unknown as Notifications);
  });

  afterEach(() => jest.useRealTimers());

  const countOf = (account: string): number => told.filter(({ of }) => of === account).length;

  it('is told at once where there is little of it', () => {
    notices.tell('a', 'first', place('a'));
    expect(countOf('a')).toBe(1);
  });

  it('is 50 connections of an account in 50 ms, and another account has its own', () => {
    for (let connection = 0; connection < 200; connection += 1)
      notices.tell('a', String(connection), place('a'));
    notices.tell('b', 'first', place('b'));
    jest.advanceTimersByTime(ROUND_MS);
    expect([countOf('a'), countOf('b')]).toEqual([51, 1]);
    jest.advanceTimersByTime(3 * ROUND_MS);
    expect(countOf('a')).toBe(200);
  });

  it('is the last of each connection', () => {
    notices.tell('a', 'other', place('a'));
    for (const typing of [true, false, true]) notices.tell('a', 'first', place('a', { typing }));
    notices.tell('a', 'leaving', place('a'));
    notices.tell('a', 'leaving', null);
    jest.advanceTimersByTime(ROUND_MS);
    expect(told.slice(1).map(({ presence }) => presence?.typing)).toEqual([true, undefined]);
  });
});
