import { refusalOf, refusedAt } from '../../../../test/support/clients/refused.fields';
import { SetStatusBulkRequest, SetNameRequest } from './lead.request';

it.each([[undefined], [null], [{}], [{ 0: {} }], ['x']])(
  'items that are %j are told to be an array',
  (items) => {
    expect(refusalOf(SetStatusBulkRequest, { items })?.details).toEqual([
      { path: 'items', message: 'must be an array of set-status bodies' },
    ]);
  },
);

it('501 wrong items are one fault, without a look at each', () => {
  expect(refusedAt(SetStatusBulkRequest, { items: Array(501).fill('x') })).toEqual(['items']);
});

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
