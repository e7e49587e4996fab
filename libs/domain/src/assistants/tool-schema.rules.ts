import { isDeeperThan, isObject, type JsonObject } from '@app/contracts/json-object';
import type { FieldViolation } from '@app/contracts/coded.errors';
import { KEYWORDS, SchemaBudget, schemasInside } from './tool-schema-keywords';

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
