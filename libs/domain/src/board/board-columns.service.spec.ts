import { ACTIVITY_CURSOR, COLUMN_CURSOR } from './board-columns.service';

const ID = '01930000-0000-7000-8005-000000000002';
const TIME = '2026-11-20 09:30:00.000000';
const SEEN = { seenAt: TIME, snapshot: '3:9:' };

it('a cursor of a column is the position that it was made of', () => {
  const position = { at: TIME, id: ID };
  expect(ACTIVITY_CURSOR.decode(ACTIVITY_CURSOR.encode(position))).toEqual(position);
  const waiting = { sort: 'waiting', ...position, ...SEEN } as const;
  expect(COLUMN_CURSOR.decode(COLUMN_CURSOR.encode(waiting))).toEqual(waiting);
});

it('a cursor is taken only as it was given, unpadded', () => {
  const cursor = ACTIVITY_CURSOR.encode({ at: TIME, id: ID });
  for (const other of [`${cursor}=`, `${cursor}==`, ` ${cursor}`, `${cursor}.`, `${cursor}\n`])
    expect([other, ACTIVITY_CURSOR.decode(other)]).toEqual([other, null]);
});

it.each([
  '',
  '=',
  'x',
  '2026-13-99 99:99:99.000000 x',
  `0000-01-01 00:00:00.000000 ${ID}`,
  `2026-02-30 10:00:00.000000 ${ID}`,
])('a cursor that no answer gave is none: of %j', (text) => {
  expect(ACTIVITY_CURSOR.decode(Buffer.from(text).toString('base64url'))).toBeNull();
  expect(ACTIVITY_CURSOR.decode(text)).toBeNull();
});
