import { PRESENCE_TIMES, PresenceBook, type Presence } from './presence-book';

const BOARD = { accountId: 'account', assistantId: 'agent' };

const place = (fields: Partial<Presence> = {}): Presence => ({
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
    book.put('first', place(), 0);
    book.put('second', place({ typing: true }), 0);
    book.put('third', place({ userId: 'dana', name: 'Dana' }), 0);
    expect(book.usersOf(BOARD, 'one')).toEqual([
      { id: 'aigerim', name: 'Aigerim', typing: true },
      { id: 'dana', name: 'Dana', typing: false },
    ]);
    expect(book.usersOf({ ...BOARD, accountId: 'other' }, 'one')).toEqual([]);
  });

  it('has a connection in one dialog only, and tells of both where it moves', () => {
    book.put('first', place(), 0);
    book.put('first', place({ threadId: 'two' }), 0);
    expect(book.threadsOf(BOARD)).toEqual(['two']);
    expect(changes).toEqual(['one', 'one', 'two']);
  });

  it('tells nothing where the same is said again, and keeps it for another 30 s', () => {
    const { presentForMs } = PRESENCE_TIMES;
    book.put('first', place(), 0);
    book.put('first', place(), presentForMs - 1);
    expect(changes).toEqual(['one']);
    book.expire(2 * presentForMs - 2);
    expect(book.threadsOf(BOARD)).toEqual(['one']);
    book.expire(2 * presentForMs - 1);
    expect(changes).toEqual(['one', 'one']);
    expect([book.threadsOf(BOARD), book.size]).toEqual([[], 0]);
  });

  it('knows a bounded number of connections', () => {
    for (let n = 0; n < 30_000; n++) book.put(`${n}`, place({ threadId: `${n % 100}` }), 0);
    expect(book.size).toBe(20_000);
    book.put('0', place({ typing: true, threadId: '0' }), 0);
    expect(book.usersOf(BOARD, '0')).toMatchObject([{ typing: true }]);
    for (let n = 0; n < 30_000; n++) book.drop(`${n}`);
    expect([book.size, book.threadsOf(BOARD)]).toEqual([0, []]);
  });
});
