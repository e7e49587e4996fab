import type { NameReader } from '@app/persistence/privacy/named-reject.repository';
import { holdsList, isEmpty, isForeign, parse, partsOf, wordsOf, type Json } from './json-bodies';

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
