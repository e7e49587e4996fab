import type { FieldViolation } from '@app/contracts/coded.error';
import { ValidationError } from '@app/contracts/validation.error';
import { DtoPipe } from '../http/dto.pipe';
import { SetStatusBulkRequest } from './lead.requests';

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
