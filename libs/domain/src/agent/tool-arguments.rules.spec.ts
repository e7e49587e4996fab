import { readArguments } from './tool-arguments.rules';
import { processorMsOf } from '../../../../test/support/processor.time';

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

it('reports a few of many violations, and bears arguments that are a megabyte wide or very deep', () => {
  const properties = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`a${n}`, { type: 'string' }]));
  const schema = { type: 'object', properties, required: Object.keys(properties) };
  expect((readArguments({}, schema) as { reason: string }).reason.split('; ')).toHaveLength(5);
  const wide = { any: Array.from({ length: 200_000 }, () => 'five!') };
  expect(readArguments(wide, SCHEMA).kind).toBe('unfit');
  const deep: unknown = JSON.parse(`{"any":${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
  expect(readArguments(deep, SCHEMA)).toEqual({ kind: 'unfit', reason: 'they nest too deeply' });
});

const one = (schema: object): Record<string, unknown> => ({ type: 'object', properties: { a: schema } });

it.each([
  [
    'pattern',
    { pattern: '^[0-9]{4}-[0-9]{2}$' },
    '2026-12',
    '2026',
    'must match the pattern ^[0-9]{4}-[0-9]{2}$',
  ],
  [
    'a pattern in Unicode',
    { pattern: '^[\\u0400-\\u04FF]+$' },
    'Ош',
    'Osh',
    expect.stringContaining('must match'),
  ],
  ['const', { const: 'yes' }, 'yes', 'no', 'must be the value that the schema gives'],
  [
    'const of an object',
    { const: { b: [1] } },
    { b: [1] },
    { b: [2] },
    'must be the value that the schema gives',
  ],
  [
    'oneOf',
    { oneOf: [{ type: 'integer' }, { type: 'number', minimum: 5 }] },
    5.5,
    6,
    'must fit exactly one of the schemas under oneOf',
  ],
  [
    'anyOf',
    { anyOf: [{ type: 'null' }, { minLength: 2 }] },
    null,
    'x',
    'must fit one of the schemas under anyOf',
  ],
  ['allOf', { allOf: [{ type: 'string' }, { minLength: 2 }] }, 'xy', 'x', 'has the wrong length'],
  ['not', { not: { const: 'x' } }, 'y', 'x', 'must not fit the schema under not'],
  ['exclusiveMinimum', { exclusiveMinimum: 0 }, 1, 0, 'is out of bounds'],
  ['exclusiveMaximum', { exclusiveMaximum: 9 }, 8, 9, 'is out of bounds'],
  ['multipleOf', { multipleOf: 0.1 }, 0.3, 0.35, 'must be a multiple of 0.1'],
  ['uniqueItems', { uniqueItems: true }, [1, '1'], [1, 1], 'must have no item twice'],
])('%s is held to', (_name, schema, fits, fitsNot, reason) => {
  expect(readArguments({ a: fits }, one(schema))).toEqual({ kind: 'fit', given: { a: fits } });
  const { reason: told } = readArguments({ a: fitsNot }, one(schema)) as { reason: string };
  expect(told.split(': ')).toEqual(['a', reason]);
});

it('refuses a field that the schema does not name where it says so, also one that every object inherits', () => {
  const strict = { ...one({}), additionalProperties: false };
  for (const name of ['b', 'constructor']) {
    expect(readArguments({ a: 1, [name]: 2 }, strict)).toEqual({
      kind: 'unfit',
      reason: 'the arguments: has a field that the schema does not name',
    });
  }
  const typed = one({ additionalProperties: { type: 'string' } });
  expect(readArguments({ a: { b: 1 } }, typed)).toEqual({
    kind: 'unfit',
    reason: 'a.b: must be of the type string',
  });
});

it('checks lists in lists, and alternatives', () => {
  const lists = one({ items: { items: { oneOf: [{ const: 1 }, { type: 'string', pattern: '^x' }] } } });
  expect(readArguments({ a: [[1], ['xy', 1]] }, lists).kind).toBe('fit');
  expect(readArguments({ a: [[1], ['y']] }, lists)).toEqual({
    kind: 'unfit',
    reason: 'a[1][0]: must fit exactly one of the schemas under oneOf',
  });
});

it('takes no field from what every object inherits, and adds none', () => {
  const schema = {
    type: 'object',
    properties: { constructor: { type: 'string' } },
    required: ['constructor'],
  };
  expect(readArguments({}, schema)).toEqual({ kind: 'unfit', reason: 'constructor: is required' });
  const { given } = readArguments({}, { ...schema, required: [] }) as { given: object };
  expect(Object.keys(given)).toEqual([]);
});

it.each(['(a+)+$', '^(a|a)*$', 'a*a*a*a*a*b', '(.*a){12}$', '([ab]?){200}[cd]$'])(
  'a text made for the pattern %s does not hang the process',
  (pattern) => {
    const text = `${'a'.repeat(16_000)}!`;
    const read = () => expect(readArguments({ a: text }, one({ pattern })).kind).toBe('unfit');
    expect(processorMsOf(read)).toBeLessThan(2_000);
  },
);

it.each([
  ['a pattern with lookahead', { pattern: '(?=x)x' }],
  ['a long pattern', { pattern: 'b'.repeat(300) }],
  ['a number as a pattern', { pattern: 5 }],
  ['keywords that are malformed', { oneOf: 'x', anyOf: [], additionalProperties: 1, exclusiveMinimum: true }],
  ['keywords that are not held to', { $id: '::', id: 5, format: 'date', extends: 5, divisibleBy: 0 }],
])('%s, stored before it was looked at, is left to the model', (_name, schema) => {
  expect(readArguments({ a: 'a' }, one(schema))).toEqual({ kind: 'fit', given: { a: 'a' } });
});

it('is done in time with the most values and alternatives that there may be', () => {
  const alternatives = Array.from({ length: 32 }, (_, n) => ({ type: 'string', const: `x${n}` }));
  const many = Array.from({ length: 900 }, () => 1);
  const schema = one({ items: { oneOf: alternatives }, uniqueItems: true });
  const read = () => expect(readArguments({ a: many }, schema).kind).toBe('unfit');
  expect(processorMsOf(read)).toBeLessThan(3_000);
});
