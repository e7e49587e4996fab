import assert from 'node:assert/strict';
import fc from 'fast-check';
import { JsonError } from './json.errors';
import { parseStrictJson } from './strict-json-parser';
import { processorMsOf } from '../../../../../test/support/processor.time';
import { triesOf } from '../../../../../test/support/long.mode';

const parse = (text: string): unknown => parseStrictJson(Buffer.from(text));

// Values are compared by node:assert, because Jest's equality trusts a `constructor` property of the data.

/** The error with which a body is refused. Any other error, and acceptance, fails the test. */
function violationOf(body: string | Buffer): JsonError {
  try {
    parseStrictJson(typeof body === 'string' ? Buffer.from(body) : body);
  } catch (error) {
    if (error instanceof JsonError) return error;
    throw error;
  }
  throw new Error(`Accepted: ${String(body)}`);
}

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

/**
 * A key with an escape in it, for which JSON.parse cannot be the reference: V8 13.6 (Node 24) may take it for a key
 * seen before, and reads `"\""` as a backslash (https://github.com/nodejs/node/issues/63785).
 */
const ESCAPED_KEY = /\\(?:[^"\\]|\\.)*"\s*:/s;

/** Levels of arrays and objects in a parsed value. */
function depthOf(value: unknown): number {
  if (value === null || typeof value !== 'object') return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

const cleanText = fc
  .oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom(
      '__proto__',
      'constructor',
      'toString',
      '',
      '0',
      '1',
      '\\',
      '"',
      '\u2028',
      '\ufeff',
      '\ufffd',
    ),
  )
  .filter((text) => !text.includes('\0'));

const cleanNumber = fc
  .oneof(
    fc.integer(),
    fc.maxSafeInteger(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(0, 5e-324, Number.MAX_VALUE, 999_999_999_999_999, 1e15, 1e16, 0.1, 1e21, 1e-7),
  )
  // JSON.stringify loses the sign of zero.
  .map((number) => number + 0);

const cleanValue = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 6 },
    cleanText,
    cleanNumber,
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 5 }),
    // fromEntries defines properties, so a `__proto__` key is an ordinary key here too.
    fc
      .array(fc.tuple(cleanText, tie('value')), { maxLength: 5 })
      .map((entries) => Object.fromEntries(entries)),
  ),
})).value;

const seedTexts = [
  '{"status_id":"0192f0c4-7b7e-7cc2-9a3e-3f0d2b1a9c11","expected_version":12,"reason":"paid"}',
  '{"a":1,"\\u0061":2,"b":[{"c":null},{"c":true}],"__proto__":{"x":false}}',
  '[0,-0,1.5e10,-12E-3,1e308,123456789012345678,"\\ud83d\\ude00 \\n\\/ Оплачено 😀"]',
  ' { "k" : [ ] , "l" : { } } \n',
];

type Mutation = (bytes: Buffer) => Buffer;
const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.tuple(fc.nat(200), fc.integer({ min: 0, max: 255 })).map(([at, byte]): Mutation => (bytes) => {
    const copy = Buffer.from(bytes);
    copy[at % Math.max(1, copy.length)] = byte;
    return copy;
  }),
  fc.tuple(fc.nat(200), fc.nat(20)).map(
    ([at, length]): Mutation =>
      (bytes) =>
        Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]),
  ),
  fc
    .tuple(
      fc.nat(200),
      fc.constantFrom(
        ...[
          '"',
          '\\',
          '\\u',
          '\\u0000',
          '\\ud800',
          '{',
          '}',
          '[',
          ']',
          ',',
          ':',
          '"a":1,',
          '1e999',
          '-',
          '.',
        ],
        ...['e', '0', 'null', '\0', '\n', '\ufeff', '/**/', '\t', '\u00a0'],
      ),
    )
    .map(
      ([at, text]): Mutation =>
        (bytes) =>
          Buffer.concat([bytes.subarray(0, at), Buffer.from(text), bytes.subarray(at)]),
    ),
);

describe('parseStrictJson', () => {
  describe('what it accepts', () => {
    it('is the value that JSON.stringify wrote', () => {
      fc.assert(
        fc.property(cleanValue, (value) => {
          const text = JSON.stringify(value);
          const parsed = parse(text);
          assert.deepEqual(parsed, value);
          expect(JSON.stringify(parsed)).toBe(text);
        }),
        { numRuns: 2_000 },
      );
    });

    it('does not depend on white space', () => {
      fc.assert(
        fc.property(cleanValue, fc.constantFrom(1, 4, '\t'), (value, indent) => {
          const text = `\r\n${JSON.stringify(value, null, indent)}\n`;
          assert.deepEqual(parse(text), value);
        }),
        { numRuns: 500 },
      );
    });

    it('does not depend on whether characters are escaped', () => {
      fc.assert(
        fc.property(cleanText, (value) => {
          const escaped = Array.from({ length: value.length }, (_, at) => {
            return `\\u${value.charCodeAt(at).toString(16).padStart(4, '0')}`;
          });
          const string = `"${escaped.join('')}"`;
          assert.deepEqual(parse(`[${string},{${string}:1}]`), [value, Object.fromEntries([[value, 1]])]);
        }),
      );
    });

    it('is, of any bytes whatever, either what JSON.parse says or a JsonError', () => {
      const body = fc
        .tuple(fc.constantFrom(...seedTexts), fc.array(mutation, { maxLength: 4 }))
        .map(([text, mutations]) =>
          mutations.reduce<Buffer>((bytes, mutate) => mutate(bytes), Buffer.from(text)),
        );
      const noise = fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes));
      fc.assert(
        fc.property(fc.oneof({ weight: 9, arbitrary: body }, { weight: 1, arbitrary: noise }), (bytes) => {
          let value: unknown;
          try {
            value = parseStrictJson(bytes);
          } catch (error) {
            expect(error).toBeInstanceOf(JsonError);
            return;
          }
          const text = bytes.toString('utf8');
          if (!ESCAPED_KEY.test(text)) assert.deepEqual(value, JSON.parse(text));
          expect(depthOf(value)).toBeLessThanOrEqual(32);
        }),
        { numRuns: triesOf(5_000, 20_000) },
      );
    });

    it('is refused as malformed exactly when JSON.parse refuses it', () => {
      const text = fc
        .tuple(fc.constantFrom(...seedTexts), mutation)
        .map(([seed, mutate]) => mutate(Buffer.from(seed)).toString('utf8'));
      const ownRules = /^The key .* occurs twice|^A string contains|^The number is too large|byte order mark/;
      fc.assert(
        fc.property(text, (body) => {
          fc.pre(!ESCAPED_KEY.test(body));
          let known = true;
          try {
            JSON.parse(body);
          } catch {
            known = false;
          }
          try {
            parse(body);
            expect(known).toBe(true);
          } catch (error) {
            if (known) expect((error as Error).message).toMatch(ownRules);
            else expect(error).toBeInstanceOf(JsonError);
          }
        }),
        { numRuns: triesOf(5_000, 20_000) },
      );
    });

    it('has the escaped keys that were sent, also where JSON.parse of Node 24 takes one for another', () => {
      parse('{"h":[],"\\\\":0}');
      expect(Object.keys(parse('{"h":1,"\\"":2}') as object)).toEqual(['h', '"']);
    });

    it('may be any value, not only an object', () => {
      expect(['null', 'true', '""', '-0', '[]'].map(parse)).toStrictEqual([null, true, '', -0, []]);
    });

    it('may hold the character U+FFFD', () => {
      expect(parse('"\ufffd"')).toBe('\ufffd');
    });

    it('may use a key again in another object', () => {
      expect(parse('[{"a":{"a":1}},{"a":2}]')).toEqual([{ a: { a: 1 } }, { a: 2 }]);
    });

    it('has own data properties named __proto__ and constructor', () => {
      const value = parse('{"__proto__":{"admin":true},"constructor":{"prototype":1}}') as object;
      expect(Object.getOwnPropertyDescriptors(value)).toEqual({
        ['__proto__']: { value: { admin: true }, writable: true, enumerable: true, configurable: true },
        constructor: { value: { prototype: 1 }, writable: true, enumerable: true, configurable: true },
      });
    });

    it('changes no prototype', () => {
      const value = parse(
        '{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}',
      ) as object;
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
      expect('admin' in {}).toBe(false);
    });
  });

  describe('an encoding error', () => {
    it.each([
      ['a stray continuation byte', [0x22, 0x80, 0x22], 1],
      ['an overlong form', [0x22, 0xc0, 0xaf, 0x22], 1],
      ['an encoded surrogate', [0x22, 0x61, 0xed, 0xa0, 0x80, 0x22], 2],
      ['UTF-16', [0xff, 0xfe, 0x31, 0x00], 0],
    ])('is %s', (_what, bytes, at) => {
      expect(violationOf(Buffer.from(bytes))).toMatchObject({
        message: `The body is not valid UTF-8 (near byte ${at}).`,
        path: '',
      });
    });

    it('is a byte order mark', () => {
      expect(violationOf('\ufeff{}').message).toBe(
        'The body starts with a byte order mark: send UTF-8 without one.',
      );
    });
  });

  describe('a grammar error', () => {
    it.each([[''], [' \r\n\t']])('is an empty body: %j', (text) => {
      expect(violationOf(text)).toMatchObject({
        message: 'The body is empty: send a JSON document.',
        path: '',
      });
    });

    it.each([
      ['{"a":1,}', 'line 1, column 8: expected a key in double quotes, found "}".'],
      ["{'a':1}", `line 1, column 2: expected a key in double quotes, found "'".`],
      ['{"a" 1}', 'line 1, column 6: expected ":" after a key, found "1".'],
      ['{"a":1 "b":2}', `line 1, column 8: expected "," or "}", found '"'.`],
      ['[1,]', 'line 1, column 4: expected a value, found "]".'],
      ['[1 2]', 'line 1, column 4: expected "," or "]", found "2".'],
      ['[1', 'line 1, column 3: expected "," or "]", found the end of the body.'],
      ['NaN', 'line 1, column 1: expected a value, found "N".'],
      ['nul', 'line 1, column 1: expected a value, found "n".'],
      ['01', 'line 1, column 2: expected the end of the body, found "1".'],
      ['-', 'line 1, column 2: expected a digit, found the end of the body.'],
      ['-a', 'line 1, column 2: expected a digit, found "a".'],
      ['+1', 'line 1, column 1: expected a value, found "+".'],
      ['.5', 'line 1, column 1: expected a value, found ".".'],
      ['1.', 'line 1, column 3: expected a digit, found the end of the body.'],
      ['1e+', 'line 1, column 4: expected a digit, found the end of the body.'],
      ['{}\n  {}', 'line 2, column 3: expected the end of the body, found "{".'],
      ['{\n"a":\n\n?}', 'line 4, column 1: expected a value, found "?".'],
      ['[\u00a01]', 'line 1, column 2: expected a value, found U+00A0.'],
      ['"abc', 'line 1, column 5: expected a closing double quote, found the end of the body.'],
      [
        '"a\\',
        'line 1, column 4: expected one of " \\ / b f n r t u after a backslash, found the end of the body.',
      ],
      ['"\\x41"', 'line 1, column 3: expected one of " \\ / b f n r t u after a backslash, found "x".'],
      ['"\\u12g4"', 'line 1, column 6: expected four hexadecimal digits after \\u, found "g".'],
      [
        '"a\nb"',
        'line 1, column 3: expected an escape like \\n in place of a control character, found U+000A.',
      ],
    ])('says where and what: %j', (text, message) => {
      expect(violationOf(text)).toMatchObject({ message: `Malformed JSON at ${message}`, path: '' });
    });
  });

  describe('a duplicate key', () => {
    it.each([
      ['{"a":1,"a":1}', 'a'],
      ['{"status":1,"\\u0073tatus":2}', 'status'],
      ['{"items":[{},{"x":{"id":1,"b":2,"id":3}}]}', 'items[1].x.id'],
      ['{"__proto__":1,"__proto__":2}', '__proto__'],
      ['{"toString":1,"toString":2}', 'toString'],
      ['[{"1":1,"1":2}]', '[0]["1"]'],
      ['{"":1,"":2}', '[""]'],
    ])('is refused: %s', (text, path) => {
      expect(violationOf(text)).toMatchObject({
        message: expect.stringContaining('occurs twice in one object'),
        path,
      });
    });

    it('is shown with its position', () => {
      expect(violationOf('{"a":1,\n "a":2}').message).toBe(
        'The key "a" occurs twice in one object (line 2, column 2).',
      );
    });

    it('is cut when it is long', () => {
      const key = JSON.stringify('😀'.repeat(10_000));
      const violation = violationOf(`{${key}:1,${key}:2}`);
      expect(violation.path).toBe(`["${'😀'.repeat(32)}…"]`);
      expect(violation.message.length).toBeLessThan(200);
    });

    it('is cut between characters', () => {
      const key = JSON.stringify(`-${'😀'.repeat(100)}`);
      expect(violationOf(`{${key}:1,${key}:2}`).path).toBe(`["-${'😀'.repeat(31)}…"]`);
    });
  });

  describe('a NUL character', () => {
    it.each([
      ['escaped in a string', '{"items":[{"name":"a\\u0000"}]}', 'items[0].name'],
      ['raw in a string', '{"name":"a\0b"}', 'name'],
      ['raw after an escape', '["\\n\0"]', '[0]'],
      ['in a key', '{"lead":{"first":1,"a\\u0000":1}}', 'lead'],
      ['in a key of the document', '{"a\0":1}', ''],
    ])('is refused %s', (_where, text, path) => {
      expect(violationOf(text)).toMatchObject({
        message: expect.stringContaining('A string contains the NUL character (U+0000)'),
        path,
      });
    });
  });

  describe('a lone surrogate', () => {
    it.each([
      ['a high one', '{"a":["\\ud800"]}', 'a[0]'],
      ['a low one', '"\\uDC00"', ''],
      ['a pair the wrong way round', '["\\ude00\\ud83d"]', '[0]'],
      ['one apart from its other half', '["\\ud83dx\\ude00"]', '[0]'],
      ['one in a key', '[{"\\udfff":1}]', '[0]'],
    ])('is refused: %s', (_what, text, path) => {
      expect(violationOf(text)).toMatchObject({
        message: expect.stringContaining('A string contains half of a surrogate pair'),
        path,
      });
    });
  });

  describe('a number', () => {
    it.each([['1e400'], ['-1e400'], ['1.8e308'], ['9'.repeat(400)]])(
      'is refused beyond a double: %.10s',
      (text) => {
        expect(violationOf(`{"sum":[${text}]}`)).toMatchObject({
          message: 'The number is too large: its magnitude must be below 1.8e308 (line 1, column 9).',
          path: 'sum[0]',
        });
      },
    );

    it('may be too small and become zero', () => {
      expect(parse('1e-400')).toBe(0);
    });
  });

  describe('nesting', () => {
    it('may be 32 levels deep', () => {
      expect(depthOf(parse(nested(32)))).toBe(32);
    });

    it('may not be 33 levels deep, be it arrays or objects', () => {
      expect(violationOf(nested(33))).toMatchObject({
        message: 'Arrays and objects nested deeper than level 32 are refused (line 1, column 33).',
        path: '[0]'.repeat(32),
      });
      expect(violationOf(`${'{"a":'.repeat(33)}1${'}'.repeat(33)}`).path).toBe(`a${'.a'.repeat(31)}`);
    });

    it('is counted along one branch, not over the document', () => {
      expect(parse(`[${Array.from({ length: 100 }, () => nested(31)).join()}]`)).toHaveLength(100);
    });

    it('of 200,000 levels is refused, not recursed into', () => {
      expect(violationOf(nested(200_000)).message).toMatch(/deeper than level 32/);
    });
  });

  // JSON.parse needs 1 to 20 ms. Only a quadratic reader would need a second.
  describe('a body of 1 MiB takes well under a second', () => {
    const size = 1 << 20;
    const keys = (key: (index: number) => string): string =>
      `{${Array.from({ length: 50_000 }, (_, index) => `"${key(index)}":1`).join()}}`;
    it.each([
      ['of numbers', `[${'1,'.repeat(size / 2)}1]`],
      ['of one string', `"${'x'.repeat(size)}"`],
      ['of one escaped string', `"${'\\u0416'.repeat(size / 6)}"`],
      ['of one number', `0.${'1'.repeat(size)}`],
      ['of 50,000 keys', keys((index) => `key_number_${index}`)],
      ['of 50,000 numeric keys', keys((index) => String(index * 7919))],
      ['of empty objects', `[${'{},'.repeat(size / 3)}{}]`],
      ['of spaces', `${' '.repeat(size)}1`],
    ])('%s', (_what, text) => {
      const bytes = Buffer.from(text);
      expect(processorMsOf(() => parseStrictJson(bytes))).toBeLessThan(1_000);
    });

    it('of lines, the last of them broken', () => {
      const bytes = Buffer.from(`[${'1,\n'.repeat(size / 3)}`);
      const tookMs = processorMsOf(() => {
        expect(violationOf(bytes).message).toMatch(/^Malformed JSON at line 349526, column 1:/);
      });
      expect(tookMs).toBeLessThan(1_000);
    });
  });
});
