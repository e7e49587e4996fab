import type { Notifications } from '@app/persistence/work/notifications-connection';
import type { Presence } from './presence-book';
import { PresenceNotices } from './presence-notices';

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
