import { byteRangeOf, namesTag } from './media.answer';

it.each([
  ['bytes=2-4', { start: 2, end: 4 }],
  ['bytes=7-', { start: 7, end: 9 }],
  ['bytes=-3', { start: 7, end: 9 }],
  ['bytes=-30', { start: 0, end: 9 }],
  ['bytes=5-99', { start: 5, end: 9 }],
  ['bytes=9-9', { start: 9, end: 9 }],
  ['bytes=10-', null],
  ['bytes=-0', null],
  [undefined, undefined],
  ['bytes=', undefined],
  ['bytes=-', undefined],
  ['bytes=4-2', undefined],
  ['bytes=0-1,4-5', undefined],
  ['items=0-1', undefined],
  ['bytes=1e1-', undefined],
])('of ten bytes %s is %j', (header, range) => {
  expect(byteRangeOf(header, 10)).toEqual(range);
});

it('of no bytes every part is out of range', () => {
  for (const header of ['bytes=0-', 'bytes=0-0', 'bytes=-1']) expect(byteRangeOf(header, 0)).toBeNull();
});

it('a tag is named by itself, among others, as a weak one, or by a star', () => {
  for (const header of ['"a"', 'W/"a"', '"b", "a"', '*'])
    expect([header, namesTag(header, '"a"')]).toEqual([header, true]);
  for (const header of [undefined, '', '"b"', 'a', '"a" "b"'])
    expect([header, namesTag(header, '"a"')]).toEqual([header, false]);
});
