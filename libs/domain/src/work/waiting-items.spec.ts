import { WaitingItems } from './waiting-items';

let waiting: WaitingItems;

beforeEach(() => {
  waiting = new WaitingItems();
});

const add = (accountId: string | null, ...ids: string[]): void =>
  ids.forEach((id) => waiting.add({ accountId, id }));

/** Takes so many items, with slots for all. */
const take = (count: number): (string | undefined)[] =>
  Array.from({ length: count }, () => waiting.next(Infinity)?.id);

/** Takes as many items as a number of slots allows. */
function fill(slots: number): string[] {
  const taken: string[] = [];
  for (let free = slots; ; free--) {
    const item = waiting.next(free);
    if (!item) return taken;
    taken.push(item.id);
  }
}

it('an account with many items keeps another one waiting for one of them at most', () => {
  add('busy', ...Array.from({ length: 1_000 }, (_, n) => `b${n}`));
  add('quiet', 'q0');
  expect(take(3)).toEqual(['b0', 'q0', 'b1']);
});

it('the account with the fewest running items is next, however long others have waited', () => {
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

it('accounts with equally many running items take turns, and each keeps its order', () => {
  add('first', 'f0', 'f1');
  add('second', 's0', 's1');
  add(null, 'n0', 'n1');
  expect(take(7)).toEqual(['f0', 's0', 'n0', 'f1', 's1', 'n1', undefined]);
});

it('an account runs as many items as slots are still free, and so does the next one', () => {
  add('hanging', ...Array.from({ length: 10 }, (_, n) => `h${n}`));
  expect(fill(8)).toEqual(['h0', 'h1', 'h2', 'h3']);
  add('second', 's0', 's1', 's2');
  expect(fill(4)).toEqual(['s0', 's1']);
  add('third', 't0', 't1');
  expect(fill(2)).toEqual(['t0']);
});

it('an account that has its share continues when one of its items is over', () => {
  add('busy', 'b0', 'b1', 'b2');
  expect(fill(4)).toEqual(['b0', 'b1']);
  expect(waiting.allows('busy', 2)).toBe(false);
  expect(waiting.allows('other', 2)).toBe(true);
  waiting.done({ accountId: 'busy', id: 'b0' });
  expect(fill(3)).toEqual(['b2']);
});

const addTimed = (accountId: string, ...ids: string[]): void =>
  ids.forEach((id) => waiting.add({ accountId, id }, true));

it('items whose time has come take turns with the others of their account, and are not left to the sweeps', () => {
  add('busy', ...Array.from({ length: 1_000 }, (_, n) => `b${n}`));
  add('quiet', 'q0');
  addTimed('busy', 't0', 'b7', 't1');
  expect(take(7)).toEqual(['t0', 'q0', 'b0', 'b7', 'b1', 't1', 'b2']);
  expect(take(1_000).filter((id) => id === 'b7')).toEqual([]);
});

it('thousands of items of one account whose time has come leave room for others', () => {
  for (const n of Array.from({ length: 20_000 }).keys()) addTimed('busy', `t${n}`);
  add('quiet', 'q0');
  expect(take(2)).toContain('q0');
});

it('work of no account takes every slot', () => {
  add(null, 'n0', 'n1', 'n2', 'n3');
  expect(fill(3)).toEqual(['n0', 'n1', 'n2']);
});

it('an item waits once, and again after it was taken', () => {
  add('one', 'a', 'a');
  expect(take(2)).toEqual(['a', undefined]);
  add('one', 'a');
  expect(take(2)).toEqual(['a', undefined]);
});

it('what is beyond a thousand items of one account is left to the sweeps, and others still come in', () => {
  add('busy', ...Array.from({ length: 20_000 }, (_, n) => `b${n}`));
  add('quiet', 'q0');
  const taken = take(1_002);
  expect(taken.slice(0, 2)).toEqual(['b0', 'q0']);
  expect(taken.indexOf(undefined)).toBe(1_001);
});

it('what is beyond ten thousand items in all is left to the sweeps', () => {
  for (let account = 0; account < 11; account += 1)
    add(`account ${account}`, ...Array.from({ length: 1_000 }, (_, n) => `${account}/${n}`));
  expect(take(10_001).indexOf(undefined)).toBe(10_000);
});
