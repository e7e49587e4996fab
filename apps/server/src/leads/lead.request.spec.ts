import type { FieldViolation } from '@app/contracts/coded.errors';
import { ValidationError } from '@app/contracts/validation.errors';
import { DtoPipe } from '../http/dto/dto-pipe';
import { SetStatusBulkRequest } from './lead.request';

function violationsOf(body: object): readonly FieldViolation[] {
  try {
    new DtoPipe().transform(body, { type: 'body', metatype: SetStatusBulkRequest });
    return [];
  } catch (error) {
    if (error instanceof ValidationError) return error.details;
    throw error;
  }
}

it.each([[undefined], [null], [{}], [{ 0: {} }], ['x']])(
  'items that are %j are told to be an array',
  (items) => {
    expect(violationsOf({ items })).toEqual([
      { path: 'items', message: 'must be an array of set-status bodies' },
    ]);
  },
);

it('501 wrong items are one fault, without a look at each', () => {
  expect(violationsOf({ items: Array(501).fill('x') }).map(({ path }) => path)).toEqual(['items']);
});
