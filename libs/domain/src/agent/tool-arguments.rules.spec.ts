import { readArguments } from './tool-arguments.rules';

const SCHEMA = {
  type: 'object',
  properties: {
    city: { type: 'string', minLength: 2, maxLength: 3 },
    count: { type: 'integer', minimum: 1, maximum: 9 },
    price: { type: 'number' },
    is: { type: 'boolean' },
    kind: { enum: ['a', 1, null] },
    either: { type: ['string', 'null'] },
    items: {
      type: 'array',
      minItems: 1,
      maxItems: 2,
      items: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
    },
    free: { type: 'object' },
    any: {},
  },
};

it.each([
  [{}, {}],
  [{ city: 'Ош' }, { city: 'Ош' }],
  [{ city: '😀😀😀' }, { city: '😀😀😀' }],
  [{ count: 1 }, { count: 1 }],
  [
    { price: -1.5, is: false, kind: null, either: null },
    { price: -1.5, is: false, kind: null, either: null },
  ],
  [{ items: [{ id: 'x', more: 1 }] }, { items: [{ id: 'x' }] }],
  [
    { free: { a: { b: [1] } }, any: [1, 'x'] },
    { free: { a: { b: [1] } }, any: [1, 'x'] },
  ],
  [{ other: 1, constructor: 2, toString: 3 }, {}],
  [JSON.parse('{"__proto__":{"city":5}}'), {}],
])('%j is read as %j', (given, read) => {
  expect(readArguments(given, SCHEMA)).toEqual({ kind: 'fit', given: read });
});

it.each([
  [{ city: 5 }, 'city: must be of the type string'],
  [{ city: 'x' }, 'city: has the wrong length'],
  [{ city: 'xxxx' }, 'city: has the wrong length'],
  [{ count: 1.5 }, 'count: must be of the type integer'],
  [{ count: '1' }, 'count: must be of the type integer'],
  [{ count: 0 }, 'count: is out of bounds'],
  [{ count: 10 }, 'count: is out of bounds'],
  [JSON.parse('{"price":1e999}'), 'price: must be of the type number'],
  [{ is: 'true' }, 'is: must be of the type boolean'],
  [{ kind: 'b' }, 'kind: must be one of the values that are listed'],
  [{ either: 1 }, 'either: must be of the type string or null'],
  [{ items: [] }, 'items: has the wrong number of items'],
  [{ items: [{}] }, 'items[0].id: is required'],
  [{ items: [null] }, 'items[0]: must be of the type object'],
  [{ free: [] }, 'free: must be of the type object'],
  [{ any: 'x'.repeat(17_000) }, 'they take more than 16384 bytes'],
  ['{}', 'they must be a JSON object'],
])('%j does not fit: %s', (given, reason) => {
  expect(readArguments(given, SCHEMA)).toEqual({ kind: 'unfit', reason });
});

it('of a schema without fields takes none', () => {
  expect(readArguments({ a: 1 }, { type: 'object' })).toEqual({ kind: 'fit', given: {} });
});

it('tells of a few faults of many, and bears what is a megabyte wide or very deep', () => {
  const properties = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`a${n}`, { type: 'string' }]));
  const schema = { type: 'object', properties, required: Object.keys(properties) };
  expect((readArguments({}, schema) as { reason: string }).reason.split('; ')).toHaveLength(5);
  const wide = { any: Array.from({ length: 200_000 }, () => 'five!') };
  expect(readArguments(wide, SCHEMA).kind).toBe('unfit');
  const deep: unknown = JSON.parse(`{"any":${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
  expect(readArguments(deep, SCHEMA)).toEqual({ kind: 'unfit', reason: 'they nest too deeply' });
});
