import { isDeeperThan, isObject, type JsonObject } from '@app/contracts/json-object';
import { Validator, type Schema, type ValidationError } from 'jsonschema';
import { KEYWORDS, SchemaBudget } from '../assistants/tool-schema.rules';

const BYTES_MAX = 16_384;
const DEPTH_MAX = 16;
/** Every value may be checked against every schema. */
const VALUES_MAX = 1_000;
/** How many violations the model gets at once. */
const VIOLATIONS_MAX = 5;

/** A model's arguments, as far as the schema knows them, or why they cannot be used. */
export type ReadArguments = { kind: 'fit'; given: JsonObject } | { kind: 'unfit'; reason: string };

/** What the model reads about a keyword that a value violates. */
const WORDS: Readonly<Record<string, string>> = {
  required: 'is required',
  enum: 'must be one of the values that are listed',
  const: 'must be the value that the schema gives',
  minimum: 'is out of bounds',
  maximum: 'is out of bounds',
  exclusiveMinimum: 'is out of bounds',
  exclusiveMaximum: 'is out of bounds',
  minLength: 'has the wrong length',
  maxLength: 'has the wrong length',
  minItems: 'has the wrong number of items',
  maxItems: 'has the wrong number of items',
  uniqueItems: 'must have no item twice',
  additionalProperties: 'has a field that the schema does not name',
  anyOf: 'must fit one of the schemas under anyOf',
  oneOf: 'must fit exactly one of the schemas under oneOf',
  not: 'must not fit the schema under not',
};

function wordsOf({ name, argument, schema, message }: ValidationError): string {
  const { type } = schema as Schema;
  if (name === 'type') return `must be of the type ${[type].flat().join(' or ')}`;
  if (name === 'multipleOf') return `must be a multiple of ${String(argument)}`;
  return WORDS[name] ?? message;
}

function placeOf({ name, argument, path }: ValidationError): string {
  const names = name === 'required' ? [...path, argument as string] : path;
  const place = names.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
  return place.replace(/^\./, '') || 'the arguments';
}

/**
 * The keywords of a schema that are checked; the library would follow others too. A schema stored before a keyword
 * was checked may have it in an invalid form. Then the keyword is only shown to the model.
 */
function heldPart(schema: JsonObject, budget: SchemaBudget): Schema {
  const part: Record<string, unknown> = {};
  const held = (inner: unknown): unknown => (isObject(inner) ? heldPart(inner, budget) : inner);
  for (const [word, { is }] of Object.entries(KEYWORDS)) {
    const value = schema[word];
    if (value === undefined || !is(value, budget)) continue;
    if (word === 'properties') {
      // Without a prototype, whose names would count as fields of the schema.
      const fields = Object.create(null) as Record<string, unknown>;
      for (const [name, inner] of Object.entries(value as JsonObject)) fields[name] = held(inner);
      part[word] = fields;
    } else if (word === 'anyOf' || word === 'oneOf' || word === 'allOf') {
      part[word] = (value as unknown[]).filter(isObject).map(held);
    } else if (word === 'items' || word === 'not' || word === 'additionalProperties')
      part[word] = held(value);
    else part[word] = value;
  }
  return part;
}

/** Violations of the arguments, in the order of the schema: the first of each value. */
function violationsOf(given: JsonObject, schema: JsonObject): string[] {
  const budget = new SchemaBudget();
  const part = heldPart(schema, budget);
  const validator = new Validator();
  validator.attributes.pattern = (text: unknown, { pattern }) =>
    typeof text === 'string' && !budget.patterns.test(String(pattern), text)
      ? `must match the pattern ${String(pattern)}`
      : '';
  const places = new Map<string, string>();
  // A copy, because the library changes the value that it reads.
  for (const error of validator.validate(structuredClone(given), part).errors) {
    const place = placeOf(error);
    // The parts of allOf report their own violations.
    if (error.name !== 'allOf' && !places.has(place)) places.set(place, wordsOf(error));
  }
  return [...places].map(([place, words]) => `${place}: ${words}`);
}

/** Only what the schema names, at its top and inside objects whose fields it names. */
function namedPart(value: unknown, { properties, items }: JsonObject): unknown {
  if (Array.isArray(value)) return isObject(items) ? value.map((item) => namedPart(item, items)) : value;
  if (!isObject(value) || !isObject(properties)) return value;
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, inner]) =>
      Object.hasOwn(value, name) ? [[name, namedPart(value[name], inner as JsonObject)]] : [],
    ),
  );
}

const valuesOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce<number>((sum, inner) => sum + valuesOf(inner), 1)
    : 1;

/**
 * Checks a model's arguments against the schema of a tool. Fields that the schema does not name are left out, also
 * inside objects whose fields it names.
 */
export function readArguments(given: unknown, schema: JsonObject): ReadArguments {
  if (!isObject(given)) return { kind: 'unfit', reason: 'they must be a JSON object' };
  if (isDeeperThan(given, DEPTH_MAX)) return { kind: 'unfit', reason: 'they nest too deeply' };
  if (Buffer.byteLength(JSON.stringify(given)) > BYTES_MAX) {
    return { kind: 'unfit', reason: `they take more than ${BYTES_MAX} bytes` };
  }
  if (valuesOf(given) > VALUES_MAX) {
    return { kind: 'unfit', reason: `they hold more than ${VALUES_MAX} values` };
  }
  const violations = violationsOf(given, schema);
  if (violations.length > 0) {
    return { kind: 'unfit', reason: violations.slice(0, VIOLATIONS_MAX).join('; ') };
  }
  return { kind: 'fit', given: namedPart(given, { properties: {}, ...schema }) as JsonObject };
}
