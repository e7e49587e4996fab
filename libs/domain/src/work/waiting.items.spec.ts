import { WaitingItems } from './waiting.items';

let waiting: WaitingItems;

beforeEach(() => {
  waiting = new WaitingItems();
});

const add = (accountId: string | null, ...ids: string[]): void =>
  ids.forEach((id) => waiting.add({ accountId, id }));

/** Takes so many items. */
const take = (count: number): (string | undefined)[] =>
  Array.from({ length: count }, () => waiting.next()?.id);

it('an account with many items keeps another one waiting for one of them at most', () => {
  add('busy', ...Array.from({ length: 1_000 }, (_, n) => `b${n}`));
  add('quiet', 'q0');
  expect(take(3)).toEqual(['b0', 'q0', 'b1']);
});

it('the account with the fewest items in hand is next, however long others have waited', () => {
  add('busy', 'b0', 'b1', 'b2', 'b3');
  expect(take(3)).toEqual(['b0', 'b1', 'b2']);
  add('quiet', 'q0', 'q1');
  expect(take(3)).toEqual(['q0', 'q1', 'b3']);
});

it('what is over counts no more', () => {
  add('first', 'f0', 'f1');
  add('second', 's0', 's1');
  expect(take(2)).toEqual(['f0', 's0']);
  waiting.done({ accountId: 'second', id: 's0' });
  expect(take(2)).toEqual(['s1', 'f1']);
});

it('accounts with as many in hand take turns, and each keeps its own order', () => {
  add('first', 'f0', 'f1');
  add('second', 's0', 's1');
  add(null, 'n0', 'n1');
  expect(take(7)).toEqual(['f0', 's0', 'n0', 'f1', 's1', 'n1', undefined]);
});

it('an item waits once, and again after it was taken', () => {
  add('one', 'a', 'a');
  expect(take(2)).toEqual(['a', undefined]);
  add('one', 'a');
  expect(take(2)).toEqual(['a', undefined]);
});

it('what is beyond ten thousand items is left to the sweeps', () => {
  add('busy', ...Array.from({ length: 10_001 }, (_, n) => `b${n}`));
  expect(take(10_001).indexOf(undefined)).toBe(10_000);
});
