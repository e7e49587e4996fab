import {
  readThreadPosition,
  writeThreadPosition,
  type ThreadPosition,
  readTwoWayPosition,
} from './list-position.format';

const ID = '01930000-0000-7000-8005-000000000002';
const TIME = '2026-11-20 09:30:00.000000';
const PLACE = `${TIME} ${ID}`;
const SEEN = { seenAt: TIME, snapshot: '3:9:4,5' };

it.each<ThreadPosition>([
  { sort: 'opened', id: ID },
  { sort: 'activity', at: TIME, id: ID, ...SEEN },
  { sort: 'waiting', at: TIME, id: ID, ...SEEN },
  { sort: 'waiting', at: null, id: ID, ...SEEN },
])('a position is read as it was written: %j', (position) => {
  expect(readThreadPosition(writeThreadPosition(position))).toEqual(position);
});

it.each([
  'x',
  `activity|${PLACE}|${TIME}|5:3:`,
  `activity|${PLACE}|${TIME}|3:9:8,4`,
  `activity|${PLACE}|${TIME}|3:9:4,4`,
  `activity|${PLACE}|${TIME}|3:9:4,`,
  `activity|${PLACE}|${TIME}|1:9999999999999999999:`,
  `activity|${PLACE}|${TIME}|1:4294967296:`,
  `activity|${PLACE}|${TIME}|1:12884901888:`,
  `activity|${PLACE}|${TIME}|4294967296:4294967299:`,
  `activity|${PLACE}|${TIME}|1:9223372036854775807:`,
  `activity|${PLACE}|2026-13-20 09:30:00.000000|3:9:`,
  `activity|${PLACE}|${TIME}|3:9:|more`,
  'waiting|opened nobody',
  `waiting|opened ${ID}`,
  `waiting|opened ${ID}|2026-13-20 09:30:00.000000|3:9:`,
  `waiting|opened ${ID}|${TIME}|9:3:`,
  `waiting|2026-02-30 09:30:00.000000 ${ID}|${TIME}|3:9:`,
])('a position that nobody was given is none: %s', (text) => {
  expect(readThreadPosition(text)).toBeNull();
});

it.each([
  'newer x',
  'x',
  `newer newer ${PLACE}`,
  `2026-02-30 09:30:00.000000 ${ID}`,
  `0000-01-01 00:00:00.000000 ${ID}`,
])('nor is one in a list by time: %s', (text) => {
  expect(readTwoWayPosition(text)).toBeNull();
});
