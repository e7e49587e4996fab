import { isDeeperThan } from '@app/contracts/json.depth';
import type { FieldFault } from '@app/contracts/coded.error';

const BYTES_MAX = 16_384;
const DEPTH_MAX = 8;
const FAULTS_MAX = 20;

/** What models take as the name of an argument. */
const ARGUMENT_NAME = /^(?!__proto__$)[A-Za-z0-9_.-]{1,64}$/;

/** What is wrong with the name of an argument, to be told where it stands; null when nothing is. */
export const faultOfArgumentName = (name: string): string | null =>
  ARGUMENT_NAME.test(name) ? null : 'names must be 1 to 64 letters, digits and the characters _ . -';

export const SCHEMA_TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'] as const;

export type SchemaType = (typeof SCHEMA_TYPES)[number];

export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isCount = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0;

/** Bounds that are held to, with what they must be. */
const BOUNDS: Readonly<Record<string, [is: (value: unknown) => boolean, message: string]>> = {
  minimum: [Number.isFinite, 'must be a number'],
  maximum: [Number.isFinite, 'must be a number'],
  minLength: [isCount, 'must be a whole number, 0 or more'],
  maxLength: [isCount, 'must be a whole number, 0 or more'],
  minItems: [isCount, 'must be a whole number, 0 or more'],
  maxItems: [isCount, 'must be a whole number, 0 or more'],
};

const isType = (value: unknown): boolean => SCHEMA_TYPES.some((type) => type === value);

/** Objects and arrays are not compared. */
const isListOfValues = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((item) => typeof item !== 'object' || item === null);

/** Faults of one schema and of those inside it, in what arguments are held to; further keywords are for the model. */
function* faultsWithin(schema: unknown, path: string): Generator<FieldFault> {
  if (!isObject(schema)) {
    yield { path, message: 'must be an object' };
    return;
  }
  const { type, properties, required, items } = schema;
  for (const word of ['$ref', '$dynamicRef']) {
    if (Object.hasOwn(schema, word)) {
      yield { path: `${path}.${word}`, message: 'is not followed: write the schema out in its place' };
    }
  }
  if (type !== undefined && !(Array.isArray(type) && type.length > 0 ? type : [type]).every(isType)) {
    yield { path: `${path}.type`, message: `must be one or several of ${SCHEMA_TYPES.join(', ')}` };
  }
  for (const [word, [is, message]] of Object.entries(BOUNDS)) {
    if (Object.hasOwn(schema, word) && !is(schema[word])) yield { path: `${path}.${word}`, message };
  }
  if (schema.enum !== undefined && !isListOfValues(schema.enum)) {
    yield {
      path: `${path}.enum`,
      message: 'must be an array of one or more texts, numbers, booleans or null',
    };
  }
  if (properties !== undefined && !isObject(properties)) {
    yield { path: `${path}.properties`, message: 'must be an object' };
  }
  const fields = isObject(properties) ? properties : {};
  if (required !== undefined) {
    const isNamed = (name: unknown): boolean => typeof name === 'string' && Object.hasOwn(fields, name);
    if (!Array.isArray(required) || !required.every(isNamed)) {
      yield { path: `${path}.required`, message: 'must be an array of names that stand in properties' };
    }
  }
  for (const [name, inner] of Object.entries(fields)) {
    const message = faultOfArgumentName(name);
    if (message === null) yield* faultsWithin(inner, `${path}.properties.${name}`);
    else yield { path: `${path}.properties`, message };
  }
  if (items !== undefined) yield* faultsWithin(items, `${path}.items`);
}

/** What is wrong with the schema of a tool's arguments. */
export function faultsOfSchema(schema: JsonObject, path: string): FieldFault[] {
  if (isDeeperThan(schema, DEPTH_MAX)) {
    return [{ path, message: `must not nest deeper than ${DEPTH_MAX} levels` }];
  }
  if (Buffer.byteLength(JSON.stringify(schema)) > BYTES_MAX) {
    return [{ path, message: `must take no more than ${BYTES_MAX} bytes as JSON` }];
  }
  if (schema.type !== 'object') return [{ path: `${path}.type`, message: "must be 'object'" }];
  return [...faultsWithin(schema, path)].slice(0, FAULTS_MAX);
}
