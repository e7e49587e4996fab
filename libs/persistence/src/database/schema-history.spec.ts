import { StartError } from '@app/contracts/coded.errors';
import { sinceBaseline } from './schema-history';

const BASELINE = 'Baseline1764093600000';
const NEXT = 'NextFact1900000000000';
const FIRST = 'Foundation1763683200000';
const LAST = ['OpeningHours1764090000000', 'ProcessHeartbeats1764089000000'];

describe('of the migrations that ran, count since the baseline', () => {
  it.each([
    ['none on an empty database', [], []],
    ['the baseline by itself', [BASELINE], [BASELINE]],
    ['what came after it', [BASELINE, NEXT], [BASELINE, NEXT]],
    ['the baseline, where all from before it ran', [FIRST, ...LAST], [BASELINE]],
    ['it once, where it was recorded since', [FIRST, ...LAST, BASELINE, NEXT], [BASELINE, NEXT]],
  ])('%s', (_, ran, counted) => {
    expect(sinceBaseline(ran, 'database')).toEqual(counted);
  });

  it.each(LAST)('and nothing, but an error that says what helps, where %s did not', (missing) => {
    const ran = [FIRST, ...LAST.filter((name) => name !== missing)];
    expect(() => sinceBaseline(ran, 'database')).toThrow(
      new StartError(
        'The database that DATABASE_URL names is of a commit before 73f8699c, whose schema this version does not know: start commit 73f8699c on it once, then this version.',
      ),
    );
    expect(() => sinceBaseline(ran, 'backup')).toThrow(
      /^The backup is of .*: restore it with commit 73f8699c, then start this version on that database\.$/,
    );
  });
});
