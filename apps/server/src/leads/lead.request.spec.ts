import { refusalOf, refusedAt } from '../../../../test/support/clients/refused.fields';
import { SetStatusBulkRequest } from './lead.request';

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
