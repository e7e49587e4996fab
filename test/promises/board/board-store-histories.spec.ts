import { THREAD_SORTS } from '@app/contracts/lead.words';
import fc from 'fast-check';
import { BoardHistory, type Step } from '../../support/clients/board.history';
import { triesOf } from '../../support/long.mode';

const HISTORIES = triesOf(2_000, 10_000);

const steps = fc.array(fc.tuple(fc.nat(BoardHistory.KINDS - 1), fc.nat(11), fc.nat(34)), {
  minLength: 5,
  maxLength: 40,
  size: 'max',
});

/** A card stands in one place, and what one does not touch stays the same object. */
function expectSound({ store }: BoardHistory): void {
  const ids = store.board().columnIds.flatMap((id) => store.column(id)?.ids ?? []);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) if (!store.card(id)) throw new Error(`nothing is known of ${id}`);
}

describe('a page’s store of a board', () => {
  it('equals the database after any history, whatever was lost, doubled, late, out of order, refused or in hand', () => {
    fc.assert(
      fc.property(fc.constantFrom(...THREAD_SORTS), fc.boolean(), steps, (sort, filtered, taken) => {
        const history = new BoardHistory(sort, filtered);
        for (const step of taken as Step[]) history.take(step);
        expectSound(history);
        history.settle();
        for (const { shown, kept } of history.firstParts()) expect(shown).toEqual(kept);
        history.loadAll();
        expectSound(history);
        expect(history.shown()).toEqual(history.kept());
      }),
      { numRuns: HISTORIES },
    );
  });
});
