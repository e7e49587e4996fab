import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { ColumnTotalsPublisher } from './column-totals';

it('an error while a board is told its totals is logged, and the next totals are told', async () => {
  const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation();
  const told: string[] = [];
  let isBroken = true;
  const publisher = new ColumnTotalsPublisher(
    () => Promise.resolve(new Map()),
    (column) => {
      if (isBroken) throw new Error('cannot be written');
      told.push(column);
    },
  );
  publisher.columnsChanged(['a']);
  await sleep(50);
  isBroken = false;
  publisher.columnsChanged(['b']);
  await sleep(700);
  expect(logged).toHaveBeenCalledTimes(1);
  expect(told).toEqual(['b']);
  publisher.stop();
});

it('totals come at most twice a second, also where a slow count is followed by quick ones', async () => {
  const toldAt: number[] = [];
  let counted = 0;
  const publisher = new ColumnTotalsPublisher(
    async () => {
      counted += 1;
      if (counted === 1) await sleep(100);
      return new Map([['a', counted]]);
    },
    () => toldAt.push(performance.now()),
  );
  publisher.columnsChanged(['a']);
  while (toldAt.length < 3) {
    await sleep(20);
    publisher.columnsChanged(['a']);
  }
  publisher.stop();
  const gaps = toldAt.slice(1).map((at, index) => at - (toldAt[index] ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThan(500);
});

it('a total that everybody was told is not told again, until a client comes who may have another', async () => {
  const told: number[] = [];
  let [total, ticks] = [2, 0];
  let ticked = (): void => undefined;
  // Totals are told together, and the clock's differs each time.
  const publisher = new ColumnTotalsPublisher(
    () => Promise.resolve(new Map(Object.entries({ a: total, clock: (ticks += 1) }))),
    (column, number) => (column === 'clock' ? ticked() : told.push(number)),
  );
  const tick = (): Promise<void> =>
    new Promise((resolve) => {
      ticked = resolve;
      publisher.columnsChanged(['a', 'clock']);
    });
  await tick();
  await tick();
  expect(told).toEqual([2]);
  publisher.forgetTold();
  await tick();
  expect(told).toEqual([2, 2]);
  total = 3;
  await tick();
  expect(told).toEqual([2, 2, 3]);
  publisher.stop();
});
