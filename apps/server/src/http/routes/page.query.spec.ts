import { ValidationError } from '@app/contracts/coded.errors';
import { parsePage } from './page.query';

const ID = '0192f0c4-7b7e-7cc2-9a3e-3f0d2b1a9c11';
const cursorOf = (text: string): string => Buffer.from(text).toString('base64url');

const refusedAt = (query: object): string[] => {
  try {
    parsePage(query);
    return [];
  } catch (error) {
    return (error as ValidationError).details.map(({ path }) => path);
  }
};

it('a page has 50 items unless the query says another number, up to 200', () => {
  expect(parsePage({})).toEqual({ limit: 50, after: null });
  expect(parsePage({ limit: '200', cursor: cursorOf(ID) })).toEqual({ limit: 200, after: ID });
});

it.each(['0', '201', 'x', '-1', '1.5', '', '0x1', ['5', '6']])('the limit %j is refused', (limit) => {
  expect(refusedAt({ limit })).toEqual(['limit']);
});

it.each(['', 'x', 'bjE', ['a', 'b'], `${cursorOf(ID)}=`, `${cursorOf(ID)}\n`, `!${cursorOf(ID)}`])(
  'a cursor that is not as it was given is refused: %j',
  (cursor) => {
    expect(refusedAt({ cursor })).toEqual(['cursor']);
  },
);
