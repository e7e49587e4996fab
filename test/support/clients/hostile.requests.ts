import { randomUUIDv7 } from 'node:crypto';
import fc, { type Arbitrary } from 'fast-check';
import type { Operation } from './openapi.operations';
import type { LiteralRequest } from './raw.request';

/** Values that exist, by the name of the field or parameter they belong to. */
export type Known = Record<string, unknown[]>;

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];

/** Names with a meaning for JavaScript, for the ORM, or for nothing. */
const ODD_NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'toJSON',
  'then',
  'hasOwnProperty',
  'length',
  '',
  '0',
];

const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

/** Texts in place of JSON. Not all of them are JSON. */
const oddJson: Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    'null',
    'true',
    'false',
    '0',
    '-0',
    '-1',
    '1',
    '1.5',
    '201',
    '1e308',
    '1e999',
    '9007199254740993',
  ),
  fc.constantFrom(
    '""',
    '" "',
    '"null"',
    '"true"',
    '"5"',
    '"\\u0000"',
    '"\\ud800"',
    '"\\udc00x"',
    '"\\u0061"',
    `"' OR 1=1 --"`,
  ),
  fc.constantFrom(
    '[]',
    '{}',
    '[null]',
    '[[]]',
    '{"id":1}',
    '{"__proto__":null}',
    '{"a":1,"a":2}',
    deep(31),
    deep(40),
    deep(5_000),
  ),
  fc.constantFrom(
    'undefined',
    'NaN',
    "'x'",
    '',
    ',',
    '"\0"',
    '"\n"',
    `"${'x'.repeat(5_000)}"`,
    '"9999-12-31T23:59:59-23:59"',
  ),
  fc.string({ unit: 'binary', maxLength: 40 }).map((text) => JSON.stringify(text)),
  fc.uuid().map((id) => JSON.stringify(id)),
  fc.uuid().map((id) => JSON.stringify(`thread_${id}`)),
  fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value)),
);

const objectText = (fields: readonly (readonly [string, string])[]): string =>
  `{${fields.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;

function goodText(name: string, schema: Record<string, any>, known: Known): Arbitrary<string> {
  const { items, oneOf } = schema as { items?: Record<string, any>; oneOf?: Record<string, any>[] };
  if (oneOf) return fc.oneof(...oneOf.map((one) => goodText(name, one, known)));
  if (schema.properties) return bodyText(schema, known);
  return items?.properties
    ? fc.array(bodyText(items, known), { maxLength: 4 }).map((texts) => `[${texts.join(',')}]`)
    : fc
        .constantFrom(...(known[name] ?? [true, false, 1, 50, 'text', [], null]))
        .map((value) => JSON.stringify(value));
}

function fieldText(name: string, schema: Record<string, any>, known: Known): Arbitrary<string> {
  return fc.oneof({ weight: 5, arbitrary: goodText(name, schema, known) }, { weight: 1, arbitrary: oddJson });
}

/** A body of an operation: its fields, valid, odd or absent, and other fields. */
function bodyText(schema: Record<string, any>, known: Known): Arbitrary<string> {
  const own = Object.entries((schema.properties ?? {}) as Record<string, any>).map(([name, property]) =>
    fc.option(
      fieldText(name, property as Record<string, any>, known).map((text) => [name, text] as const),
      { freq: 4 },
    ),
  );
  const others = fc.array(fc.tuple(fc.oneof(fc.constantFrom(...ODD_NAMES), fc.string()), oddJson), {
    maxLength: 2,
  });
  return fc
    .tuple(
      fc.tuple(...own),
      fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: others }),
    )
    .map(([fields, more]) => objectText([...fields.filter((field) => field !== null), ...more]));
}

/** The bytes of a body as they were written, or cut, or with others put among them. */
function bytesOf(text: Arbitrary<string>): Arbitrary<Uint8Array> {
  const whole = text.map((body) => Buffer.from(body));
  const spoilt = fc
    .tuple(whole, fc.double({ min: 0, max: 1, noNaN: true }), fc.uint8Array({ maxLength: 3 }), fc.boolean())
    .map(([body, share, bytes, goesOn]) => {
      const at = Math.floor(share * body.length);
      return Buffer.concat([body.subarray(0, at), bytes, goesOn ? body.subarray(at) : Buffer.alloc(0)]);
    });
  return fc.oneof({ weight: 6, arbitrary: whole }, { weight: 1, arbitrary: spoilt });
}

/** Mostly the first value, at times another. */
const mostly = <T>(first: T, ...others: T[]): Arbitrary<T> =>
  fc.oneof(
    { weight: 9, arbitrary: fc.constant(first) },
    { weight: 1, arbitrary: fc.constantFrom(...others) },
  );

function pathOf(path: string, known: Known): Arbitrary<string> {
  const ids = [
    ...(known.id ?? []).map(String),
    randomUUIDv7(),
    'x',
    '..',
    '%00',
    '%zz',
    '%2e%2e',
    'x'.repeat(3_000),
  ];
  const odd = fc.constantFrom('/', '//', '.', '%', '%00', '%ff', ';', '#', '?', '\\', '~', '*', '/../', 'A');
  const query = fc.constantFrom(
    '?limit=5',
    '?limit=0',
    '?limit[]=5',
    '?cursor=x',
    '?account_id=',
    '?__proto__=1',
    '?%',
    '?a&a',
  );
  const named = fc.constantFrom(...ids).map((id) => path.replace(/\{\w+\}/, id));
  const spoilt = fc
    .tuple(named, fc.nat({ max: path.length }), odd)
    .map(([text, at, part]) => `/${text.slice(1, at)}${part}${text.slice(Math.max(1, at))}`);
  const asked = fc.tuple(named, query).map(([text, more]) => text + more);
  return fc.oneof(
    { weight: 10, arbitrary: named },
    { weight: 2, arbitrary: asked },
    { weight: 1, arbitrary: spoilt },
  );
}

/** Requests that somebody might send to an operation: by mistake, out of curiosity or in malice. */
export function hostileRequest(
  operation: Operation,
  keys: string[],
  known: Known,
): Arbitrary<LiteralRequest> {
  const [key = '', ...others] = keys;
  return fc
    .record({
      method: mostly(operation.method, ...METHODS),
      path: pathOf(operation.path, known),
      body: bytesOf(
        fc.oneof(
          { weight: 12, arbitrary: bodyText(operation.body ?? {}, known) },
          { weight: 1, arbitrary: oddJson },
        ),
      ),
      chunked: fc.boolean(),
      key: mostly<string | undefined>(key, ...others, undefined, '', 'll_x', '\xff'),
      type: mostly<string | undefined>(
        'application/json',
        undefined,
        'text/plain',
        'application/json; charset=x',
        '',
      ),
      encoding: mostly<string | undefined>(undefined, 'gzip', 'identity', 'x'),
      requestId: mostly<string | undefined>(undefined, 'mine', '', '\xff', '"', 'x'.repeat(500)),
    })
    .map(({ method, path, body, chunked, key: given, type, encoding, requestId }) => ({
      method,
      path,
      body,
      chunked,
      headers: Object.fromEntries(
        Object.entries({
          'X-API-Key': given,
          'Content-Type': type,
          'Content-Encoding': encoding,
          'X-Request-Id': requestId,
        }).filter(([, value]) => value !== undefined),
      ) as Record<string, string>,
    }));
}
