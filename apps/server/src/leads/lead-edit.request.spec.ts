import { refusedAt } from '../../../../test/support/clients/refused.fields';
import { SetNameRequest } from './lead-edit.request';

it.each([
  ['an empty name', { name: '' }],
  ['blanks alone', { name: ' \t' }],
  ['what nobody sees alone', { name: ' \u200b\u00ad\ufeff' }],
  ['201 letters', { name: 'ж'.repeat(201) }],
  ['5,000 letters', { name: 'x'.repeat(5_000) }],
  ['NUL', { name: 'A\u0000' }],
  ['a line break', { name: 'Aida\nPaid' }],
  ['a line separator', { name: 'Aida\u2028Paid' }],
  ['a turned direction', { name: 'Aida\u202ediaP' }],
  ['a number', { name: 5 }],
  ['a list', { name: ['Aida'] }],
  ['no name', {}],
])('a customer is not named by %s', (_, fields) => {
  expect(refusedAt(SetNameRequest, { thread_id: 'x', ...fields })).toEqual(['name']);
});

it.each(['ж'.repeat(200), '😀'.repeat(100), `' OR true --`, '<b>Aida</b>', null])(
  'a customer is named %j',
  (name) => {
    expect(refusedAt(SetNameRequest, { thread_id: 'x', name })).toEqual([]);
  },
);
