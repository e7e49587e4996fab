import type { FieldViolation } from '@app/contracts/coded.errors';
import { isObject, type JsonObject, isDeeperThan } from '@app/contracts/json-object';
import { RE2JS } from 're2js';

const PATTERN_LONGEST = 256;
/**
 * Most instructions of all patterns of a schema. The worst ones take about half a second over 16 KiB of arguments.
 */
const INSTRUCTIONS_MAX = 1_000;

/** What a pattern must be. */
const PATTERN_MESSAGE =
  `must be a regular expression of at most ${PATTERN_LONGEST} characters, without lookaround and ` +
  'back-references; the patterns of a schema together must not be too large';

/**
 * The patterns of one schema, compiled by an engine whose time grows linearly with the text. JavaScript's own engine
 * would hang on a pattern such as `(a+)+$`.
 */
class SchemaPatterns {
  private readonly compiled = new Map<string, RE2JS>();
  private instructions = 0;

  /** Whether the pattern can be used, together with those that were added before. */
  add(pattern: unknown): boolean {
    if (typeof pattern !== 'string' || pattern.length > PATTERN_LONGEST) return false;
    if (this.compiled.has(pattern)) return true;
    if (this.instructions >= INSTRUCTIONS_MAX) return false;
    const expression = compile(pattern);
    if (!expression) return false;
    this.instructions += expression.programSize();
    if (this.instructions > INSTRUCTIONS_MAX) return false;
    this.compiled.set(pattern, expression);
    return true;
  }

  /** Whether a text matches a pattern. A pattern that was not added matches every text. */
  test(pattern: string, text: string): boolean {
    return this.compiled.get(pattern)?.test(text) ?? true;
  }
}

function compile(pattern: string): RE2JS | null {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(pattern));
  } catch {
    return null;
  }
}

const SCHEMA_TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'] as const;

/** Most schemas under `anyOf`, `oneOf` and `allOf` together. Each may be tried on each value. */
const ALTERNATIVES_MAX = 32;

/** What is counted over a whole schema. */
export class SchemaBudget {
  readonly patterns = new SchemaPatterns();
  private alternatives = 0;

  takeAlternatives(count: number): boolean {
    if (this.alternatives + count > ALTERNATIVES_MAX) return false;
    this.alternatives += count;
    return true;
  }
}

interface Keyword {
  readonly is: (value: unknown, budget: SchemaBudget) => boolean;
  readonly message: string;
}

const isCount = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0;
const isType = (value: unknown): boolean => SCHEMA_TYPES.some((type) => type === value);

const NUMBER: Keyword = { is: Number.isFinite, message: 'must be a number' };
const COUNT: Keyword = { is: isCount, message: 'must be a whole number, 0 or more' };
const SCHEMA: Keyword = { is: isObject, message: 'must be an object' };
const ALTERNATIVES: Keyword = {
  is: (value, budget) => Array.isArray(value) && value.length > 0 && budget.takeAlternatives(value.length),
  message: `must be an array of one or more schemas; a schema may have ${ALTERNATIVES_MAX} of them in all`,
};

/**
 * The keywords that arguments are checked against, with the values that they may have. Other keywords are for the
 * model only.
 */
export const KEYWORDS: Readonly<Record<string, Keyword>> = {
  type: {
    is: (value) => (Array.isArray(value) && value.length > 0 ? value : [value]).every(isType),
    message: `must be one or several of ${SCHEMA_TYPES.join(', ')}`,
  },
  minimum: NUMBER,
  maximum: NUMBER,
  exclusiveMinimum: NUMBER,
  exclusiveMaximum: NUMBER,
  multipleOf: {
    is: (value) => Number.isFinite(value) && (value as number) > 0,
    message: 'must be a number above 0',
  },
  minLength: COUNT,
  maxLength: COUNT,
  pattern: { is: (value, { patterns }) => patterns.add(value), message: PATTERN_MESSAGE },
  minItems: COUNT,
  maxItems: COUNT,
  uniqueItems: { is: (value) => typeof value === 'boolean', message: 'must be true or false' },
  enum: {
    is: (value) =>
      Array.isArray(value) &&
      value.length > 0 &&
      value.every((item) => typeof item !== 'object' || item === null),
    message: 'must be an array of one or more texts, numbers, booleans or null',
  },
  const: { is: () => true, message: '' },
  properties: SCHEMA,
  required: {
    is: (value) => Array.isArray(value) && value.every((name) => typeof name === 'string'),
    message: 'must be an array of names',
  },
  additionalProperties: {
    is: (value) => typeof value === 'boolean' || isObject(value),
    message: 'must be true, false or an object',
  },
  items: SCHEMA,
  anyOf: ALTERNATIVES,
  oneOf: ALTERNATIVES,
  allOf: ALTERNATIVES,
  not: SCHEMA,
};

/** The schemas directly inside a schema, and whether each is a further rule for the same value. */
function* schemasInside(schema: JsonObject): Generator<[path: string, inner: unknown, isRule: boolean]> {
  const { properties, items, not, additionalProperties } = schema;
  for (const [name, inner] of Object.entries(isObject(properties) ? properties : {})) {
    yield [`properties.${name}`, inner, false];
  }
  if (isObject(items)) yield ['items', items, false];
  if (isObject(not)) yield ['not', not, true];
  if (isObject(additionalProperties)) yield ['additionalProperties', additionalProperties, false];
  for (const word of ['anyOf', 'oneOf', 'allOf']) {
    const list = schema[word];
    for (const [index, inner] of Array.isArray(list) ? list.entries() : [])
      yield [`${word}.${index}`, inner, true];
  }
}

const BYTES_MAX = 16_384;
const DEPTH_MAX = 8;
const VIOLATIONS_MAX = 20;

/** What models accept as the name of an argument. */
const ARGUMENT_NAME = /^(?!__proto__$)[A-Za-z0-9_.-]{1,64}$/;

/** What is wrong with the name of an argument; null when nothing is. */
export const violationOfArgumentName = (name: string): string | null =>
  ARGUMENT_NAME.test(name) ? null : 'names must be 1 to 64 letters, digits and the characters _ . -';

/**
 * Violations of one schema and of the schemas inside it, in the keywords that are checked.
 * @param stands whether the schema describes a value completely: only then are all fields in its `properties`
 */
function* violationsWithin(
  schema: unknown,
  path: string,
  budget: SchemaBudget,
  stands = true,
): Generator<FieldViolation> {
  if (!isObject(schema)) {
    yield { path, message: 'must be an object' };
    return;
  }
  for (const word of ['$ref', '$dynamicRef']) {
    if (Object.hasOwn(schema, word)) {
      yield { path: `${path}.${word}`, message: 'is not followed: write the schema out in its place' };
    }
  }
  for (const [word, { is, message }] of Object.entries(KEYWORDS)) {
    if (schema[word] !== undefined && !is(schema[word], budget)) yield { path: `${path}.${word}`, message };
  }
  const names = Object.keys(isObject(schema.properties) ? schema.properties : {});
  const { required } = schema;
  if (stands && Array.isArray(required) && !required.every((name) => names.includes(String(name)))) {
    yield { path: `${path}.required`, message: 'must be an array of names that stand in properties' };
  }
  const wrongNames = names.map(violationOfArgumentName).filter((message) => message !== null);
  for (const message of wrongNames) yield { path: `${path}.properties`, message };
  if (wrongNames.length > 0) return;
  for (const [place, inner, isRule] of schemasInside(schema)) {
    yield* violationsWithin(inner, `${path}.${place}`, budget, !isRule);
  }
}

/** Violations of the schema of a tool's arguments. */
export function violationsOfSchema(schema: JsonObject, path: string): FieldViolation[] {
  if (isDeeperThan(schema, DEPTH_MAX)) {
    return [{ path, message: `must not nest deeper than ${DEPTH_MAX} levels` }];
  }
  if (Buffer.byteLength(JSON.stringify(schema)) > BYTES_MAX) {
    return [{ path, message: `must take no more than ${BYTES_MAX} bytes as JSON` }];
  }
  if (schema.type !== 'object') return [{ path: `${path}.type`, message: "must be 'object'" }];
  return [...violationsWithin(schema, path, new SchemaBudget())].slice(0, VIOLATIONS_MAX);
}
