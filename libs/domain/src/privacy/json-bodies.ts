/** Bodies of webhooks as JSON. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** What is read part by part. Deeper ones come from no provider, and would exhaust the stack. */
const DEPTH_MAX = 200;

/** Longer ones are no numbers. */
const NUMBER_LENGTH_MAX = 64;

/** An item of another account's number: the number stands in it, or in its `metadata`. */
export function isForeign(value: Json, foreign: ReadonlySet<string>): boolean {
  if (foreign.size === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const near = [...Object.values(value), ...partsOf(value['metadata'] ?? null)];
  return near.some((part) => typeof part === 'string' && foreign.has(part));
}

export const partsOf = (value: Json): Json[] =>
  typeof value === 'object' && value !== null ? Object.values(value) : [];

export const holdsList = (value: Json): boolean => Array.isArray(value) || partsOf(value).some(holdsList);

/** Nothing is left in any of its lists. */
export function isEmpty(value: Json): boolean {
  const lists: Json[][] = [];
  const visit = (part: Json): void => {
    if (Array.isArray(part)) lists.push(part);
    for (const inner of partsOf(part)) visit(inner);
  };
  visit(value);
  const innermost = lists.filter((list) => !list.some(holdsList));
  return innermost.length > 0 && innermost.every((list) => list.every((item) => item === null));
}

/** Undefined: it cannot be read. */
export function parse(body: Buffer): Json | undefined {
  try {
    const value = JSON.parse(body.toString('utf8')) as Json;
    return isTooDeep(value) ? undefined : value;
  } catch {
    return undefined;
  }
}

function isTooDeep(value: Json): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEPTH_MAX) return true;
    level = level.flatMap(partsOf);
  }
  return false;
}

/** Words of a body that may be numbers of ours. */
export function wordsOf(body: Buffer): string[] {
  const words = new Set<string>();
  const visit = (value: Json): void => {
    if (typeof value === 'string') {
      if (value.length <= NUMBER_LENGTH_MAX) words.add(value);
    } else for (const part of partsOf(value)) visit(part);
  };
  const parsed = parse(body);
  if (parsed !== undefined) visit(parsed);
  return [...words];
}
