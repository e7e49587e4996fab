import { violationsOf } from '../../../../test/support/clients/dto.violations';
import { RequestPhoneBody } from './message.requests';

describe('a request for the phone', () => {
  it.each([
    ['none', undefined],
    ['a letter', 'x'],
    ['the longest', 'x'.repeat(1_024)],
  ])('may have %s as its text', (_, text) => {
    expect(violationsOf(RequestPhoneBody, { thread_id: 'thread_1', text })).toEqual([]);
  });

  it.each([
    ['an empty one', ''],
    ['a longer one', 'x'.repeat(1_025)],
    ['null', null],
    ['a number', 5],
  ])('may not have %s', (_, text) => {
    expect(violationsOf(RequestPhoneBody, { thread_id: 'thread_1', text })).toEqual(['text']);
  });
});
