import { isDeeperThan } from '@app/contracts/json.depth';
import { isObject, type JsonObject, type SchemaType } from '../assistants/tool-schema.rules';

const BYTES_MAX = 16_384;
const DEPTH_MAX = 16;
/** The model is told of so many faults at once. */
const FAULTS_MAX = 5;

/** What a model gave, as far as the schema knows it, or why it cannot be used. */
export type ReadArguments = { kind: 'fit'; given: JsonObject } | { kind: 'unfit'; reason: string };

const IS_OF_TYPE: Readonly<Record<SchemaType, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: Number.isFinite,
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  object: isObject,
  array: Array.isArray,
  null: (value) => value === null,
};

/** The types that a schema names. */
const typesOf = ({ type }: JsonObject): readonly SchemaType[] =>
  (Array.isArray(type) ? type : [type]) as SchemaType[];

/** A bound of the schema that a value does not keep, in words; null when it keeps all. */
function brokenBound(value: unknown, schema: JsonObject): string | null {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema as Record<string, number>;
  const held = (size: number, least = -Infinity, most = Infinity): boolean => size >= least && size <= most;
  if (typeof value === 'number' && !held(value, minimum, maximum)) return 'is out of bounds';
  if (typeof value === 'string' && !held([...value].length, minLength, maxLength))
    return 'has the wrong length';
  if (Array.isArray(value) && !held(value.length, minItems, maxItems)) {
    return 'has the wrong number of items';
  }
  return null;
}

/** Reads values by a schema that was looked at when it was stored; collects what does not fit. */
class ArgumentReader {
  readonly faults: string[] = [];

  read(value: unknown, schema: JsonObject, path: string): unknown {
    const fault = this.faultOf(value, schema);
    if (fault !== null) {
      this.faults.push(`${path || 'the arguments'}: ${fault}`);
      return null;
    }
    const { items, properties } = schema;
    if (Array.isArray(value) && isObject(items)) {
      return value.map((item, index) => this.read(item, items, `${path}[${index}]`));
    }
    return isObject(value) && isObject(properties) ? this.readFields(value, schema, properties, path) : value;
  }

  /** The fields that the schema names; others are left out. */
  private readFields(
    value: JsonObject,
    schema: JsonObject,
    properties: JsonObject,
    path: string,
  ): JsonObject {
    const required = Array.isArray(schema.required) ? schema.required : [];
    const fields = Object.entries(properties).flatMap(([name, inner]) => {
      const place = path === '' ? name : `${path}.${name}`;
      if (Object.hasOwn(value, name)) return [[name, this.read(value[name], inner as JsonObject, place)]];
      if (required.includes(name)) this.faults.push(`${place}: is required`);
      return [];
    });
    return Object.fromEntries(fields) as JsonObject;
  }

  private faultOf(value: unknown, schema: JsonObject): string | null {
    const { type, enum: values } = schema;
    if (type !== undefined && !typesOf(schema).some((each) => IS_OF_TYPE[each](value))) {
      return `must be of the type ${typesOf(schema).join(' or ')}`;
    }
    if (Array.isArray(values) && !values.includes(value)) return 'must be one of the values that are listed';
    return brokenBound(value, schema);
  }
}

/**
 * Holds what a model gave against the schema of a tool: types, required fields, listed values and bounds. What the
 * schema's top does not name is left out; so it is inside of an object whose fields the schema names.
 */
export function readArguments(given: unknown, schema: JsonObject): ReadArguments {
  if (!isObject(given)) return { kind: 'unfit', reason: 'they must be a JSON object' };
  if (isDeeperThan(given, DEPTH_MAX)) return { kind: 'unfit', reason: 'they nest too deeply' };
  const reader = new ArgumentReader();
  const read = reader.read(given, { properties: {}, ...schema }, '') as JsonObject;
  if (reader.faults.length > 0) {
    return { kind: 'unfit', reason: reader.faults.slice(0, FAULTS_MAX).join('; ') };
  }
  if (Buffer.byteLength(JSON.stringify(read)) > BYTES_MAX) {
    return { kind: 'unfit', reason: `they take more than ${BYTES_MAX} bytes` };
  }
  return { kind: 'fit', given: read };
}
