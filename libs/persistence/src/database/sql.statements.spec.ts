import { orderedValues, statement } from './sql.statements';

describe('a statement with named parameters', () => {
  it('has a number for each name, the same for the same name', () => {
    const { text } = statement('find')
      .takes('accountId', 'threadId')
      .returns('SELECT 1 FROM a WHERE id = :threadId AND account_id = :accountId AND owner = :accountId');
    expect(text).toBe('SELECT 1 FROM a WHERE id = $2 AND account_id = $1 AND owner = $1');
  });

  it('orders the values as they are declared', () => {
    const find = statement('find').takes('accountId', 'threadId').returns('SELECT :threadId, :accountId');
    expect(orderedValues(find, { threadId: 't', accountId: 'a' })).toEqual(['a', 't']);
  });

  it.each([
    ['a cast', 'SELECT id::uuid'],
    ['a cast of a cast', 'SELECT id::text::uuid[]'],
    ['a time', `SELECT '12:30:00'`],
    ['a name in a string', `SELECT 'it''s :accountId'`],
    ['JSON in a string', `SELECT '{"by":true,"at":null}'::jsonb`],
    ['a path of JSON', `SELECT body #>> '{by:x}' -> 'a:b'`],
    ['a quoted name', 'SELECT "a:b" FROM t'],
    ['a comment', 'SELECT 1 -- :accountId\n'],
    ['a long comment', 'SELECT 1 /* :accountId\n :other */'],
    ['a text between dollars', 'SELECT $$:accountId$$, $x$ :other $$ $x$'],
    ['a slice of an array', 'SELECT list[1:n], list[a[1]:n]'],
  ])('takes no parameter out of %s', (_, text) => {
    expect(statement('plain').returns(text).text).toBe(text);
  });

  it('takes a parameter with a cast behind it, and in an array', () => {
    const { text } = statement('cast')
      .takes('ids', 'from')
      .returns('ANY (:ids::uuid[]) AND (:from)::text = :from');
    expect(text).toBe('ANY ($1::uuid[]) AND ($2)::text = $2');
  });

  it('is refused with a parameter that is not declared', () => {
    expect(() => statement('move').takes('accountId').returns('SELECT :accountId, :threadId')).toThrow(
      'move does not declare threadId',
    );
  });

  it('is refused with a parameter that it does not use', () => {
    expect(() => statement('move').takes('accountId', 'threadId').returns('SELECT :accountId')).toThrow(
      'move does not use threadId',
    );
  });

  it('is refused with a parameter that is declared twice', () => {
    expect(() => statement('move').takes('id', 'id').returns('SELECT :id')).toThrow(
      'move declares a parameter twice',
    );
  });

  it('wants a value for each parameter and for no other', () => {
    const find = statement('find').takes('accountId').returns('SELECT :accountId');
    // @ts-expect-error a value is missing
    orderedValues(find, {});
    // @ts-expect-error a value has no parameter
    orderedValues(find, { accountId: 1, threadId: 2 });
    expect(orderedValues(find, { accountId: 1 })).toEqual([1]);
  });
});
