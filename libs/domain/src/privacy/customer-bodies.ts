import type { BodyReader, Redaction } from '@app/persistence/privacy/customer-webhook.repository';
import type { NameReader } from '@app/persistence/privacy/named-reject.repository';

/** Bodies of webhooks as JSON. */
type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** What is read part by part. Deeper ones come from no provider, and would exhaust the stack. */
const DEPTH_MAX = 200;

/** Longer ones are no numbers. */
const NUMBER_LENGTH_MAX = 64;

/** An item of another account's number: the number stands in it, or in its `metadata`. */
function isForeign(value: Json, foreign: ReadonlySet<string>): boolean {
  if (foreign.size === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const near = [...Object.values(value), ...partsOf(value['metadata'] ?? null)];
  return near.some((part) => typeof part === 'string' && foreign.has(part));
}

const partsOf = (value: Json): Json[] =>
  typeof value === 'object' && value !== null ? Object.values(value) : [];

const holdsList = (value: Json): boolean => Array.isArray(value) || partsOf(value).some(holdsList);

/** Nothing is left in any of its lists. */
function isEmpty(value: Json): boolean {
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
function parse(body: Buffer): Json | undefined {
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
function wordsOf(body: Buffer): string[] {
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

/** Fields in which providers write a customer's phone or id. */
const ADDRESS_FIELDS: ReadonlySet<string> = new Set([
  ...['from', 'to', 'source', 'destination', 'phone', 'phone_number', 'wa_id', 'new_wa_id', 'recipient_id'],
  ...['user_id', 'userId', 'from_user_id', 'to_user_id', 'recipient_user_id'],
]);

/** An item within a body, and what it is in, from the outermost. */
interface Place {
  value: Json;
  around: readonly Json[];
}

/**
 * Reads webhooks for a customer's name where no address says whose it is. A name is theirs as a text of its own: in the
 * midst of others it may be any word. An item that has an address is somebody else's: theirs are found by it.
 */
export class CustomerNames implements NameReader {
  private readonly names: ReadonlySet<string>;

  constructor(names: readonly string[]) {
    this.names = new Set(names.map((name) => name.trim().toLowerCase()));
  }

  wordsOf(body: Buffer): string[] {
    return wordsOf(body);
  }

  redactItems(
    items: readonly Buffer[],
    body: Buffer | null,
    foreign: ReadonlySet<string>,
  ): ReturnType<NameReader['redactItems']> {
    const root = body ? parse(body) : undefined;
    if (root === undefined) {
      const theirs = items.map((item) => this.isNamedBytes(item));
      return { theirs, redaction: body && theirs.some(Boolean) ? 'drop' : 'keep' };
    }
    const places = placesOf(root, items);
    const gone = places.map((its) => its.filter((place) => this.isTheirs(place, foreign)));
    const theirs = places.map((its, index) =>
      its.length > 0 ? gone[index]!.length > 0 : this.isNamedBytes(items[index]),
    );
    if (gone.flat().length === 0) return { theirs, redaction: 'keep' };
    for (const place of gone.flat()) if (!this.takeOut(place)) return { theirs, redaction: 'drop' };
    return { theirs, redaction: isEmpty(root) ? 'drop' : Buffer.from(JSON.stringify(root)) };
  }

  /** The item has the name, or something beside it has, as Meta's contacts beside a message. */
  private isTheirs({ value, around }: Place, foreign: ReadonlySet<string>): boolean {
    if (around.some((part) => isForeign(part, foreign)) || hasAddress(value)) return false;
    return this.isNamed(value) || besides(around).some((beside) => this.isNamedOnly(beside));
  }

  /** @returns false where it is in no list: then all of the body is about it */
  private takeOut({ value, around }: Place): boolean {
    const list = around.findLast(isList);
    if (!list) return false;
    const whole = around[around.indexOf(list) + 1] ?? value;
    empty(list, (item) => item === whole);
    for (const near of listsAround(around)) empty(near, (item) => this.isNamedOnly(item));
    return true;
  }

  private isNamedOnly = (value: Json): boolean => this.isNamed(value) && !hasAddress(value);

  private isNamed(value: Json): boolean {
    if (typeof value === 'string') return this.names.has(value.trim().toLowerCase());
    return partsOf(value).some((part) => this.isNamed(part));
  }

  /** Of what is not read as a part of its body. */
  private isNamedBytes(item: Buffer | undefined): boolean {
    const parsed = item && parse(item);
    return parsed !== undefined && this.isNamedOnly(parsed);
  }
}

/** Where each of some items is in a body. They were written by JSON.stringify. */
function placesOf(root: Json, items: readonly Buffer[]): Place[][] {
  const found = new Map<string, Place[]>();
  const wanted = new Set(items.map(textOf));
  const visit = (value: Json, around: readonly Json[]): void => {
    if (typeof value !== 'object' || value === null) return;
    const text = JSON.stringify(value);
    if (wanted.has(text)) found.set(text, [...(found.get(text) ?? []), { value, around }]);
    for (const part of partsOf(value)) visit(part, [...around, value]);
  };
  visit(root, []);
  return items.map((item) => found.get(textOf(item)) ?? []);
}

const textOf = (item: Buffer): string => {
  const parsed = parse(item);
  return parsed === undefined ? '' : JSON.stringify(parsed);
};

const isList = (value: Json): value is Json[] => Array.isArray(value);

/** The lists of the innermost object around an item that has some. */
function listsAround(around: readonly Json[]): Json[][] {
  const holder = around[around.findLastIndex(isList) - 1];
  return holder === undefined ? [] : partsOf(holder).filter(isList);
}

const besides = (around: readonly Json[]): Json[] =>
  listsAround(around)
    .flat()
    .filter((item) => !holdsList(item));

/** The others keep their places. */
function empty(list: Json[], isGone: (item: Json) => boolean): void {
  for (const [index, item] of list.entries()) if (isGone(item)) list[index] = null;
}

const hasAddress = (value: Json): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (Array.isArray(value)
    ? value.some(hasAddress)
    : Object.entries(value).some(([field, part]) => isAddress(field, part) || hasAddress(part)));

const isAddress = (field: string, value: Json): boolean =>
  ADDRESS_FIELDS.has(field) && (typeof value === 'number' || (typeof value === 'string' && value !== ''));

/** Reads bodies of webhooks for what is about one customer. */
export class CustomerBodies implements BodyReader {
  private readonly needles: ReadonlySet<string>;

  /** @param needles the customer's addresses, without a plus */
  constructor(needles: readonly string[]) {
    this.needles = new Set(needles);
  }

  wordsOf(body: Buffer): string[] {
    return wordsOf(body);
  }

  /**
   * A webhook may tell of several customers. The innermost items of lists that name this one become null, so paths of other
   * items stay right. What is in no list is dropped as a whole, and so is what cannot be read.
   */
  redact(body: Buffer, foreign: ReadonlySet<string>): Redaction {
    const parsed = parse(body);
    if (parsed === undefined) return 'drop';
    if (isForeign(parsed, foreign) || !this.names(parsed, foreign)) return 'keep';
    const left = this.without(parsed, foreign);
    return left === null || isEmpty(left) ? 'drop' : Buffer.from(JSON.stringify(left));
  }

  private names(value: Json, foreign: ReadonlySet<string>): boolean {
    if (typeof value === 'string') return this.needles.has(value.replace(/^\+/, ''));
    if (typeof value === 'number') return this.needles.has(String(value));
    return !isForeign(value, foreign) && partsOf(value).some((part) => this.names(part, foreign));
  }

  /** The value without the customer; null where the value itself is about the customer. */
  private without(value: Json, foreign: ReadonlySet<string>): Json {
    if (!this.names(value, foreign)) return value;
    if (Array.isArray(value)) return value.map((item) => this.without(item, foreign));
    if (typeof value !== 'object' || value === null) return null;
    const parts = Object.entries(value).map(([name, part]): [string, Json] => [
      name,
      holdsList(part) ? this.without(part, foreign) : part,
    ]);
    const left = Object.fromEntries(parts);
    // Named outside of any list of it: then all of it is about the customer.
    return this.names(left, foreign) ? null : left;
  }
}
