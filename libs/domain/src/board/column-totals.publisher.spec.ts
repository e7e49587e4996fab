import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { ColumnTotalsPublisher } from './column-totals.publisher';

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
