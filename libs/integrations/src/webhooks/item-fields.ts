import { cleanText, cutToBytes } from './clean-text';

const KEPT_TEXT_LENGTH_MAX = 2_048;
const KEPT_NAME_LENGTH_MAX = 64;
const LEVELS_MAX = 5;

/**
 * A value of a provider that we do not know, in a form that the database accepts: clean, and of a few levels.
 * @returns null where nothing is left of it
 */
function keptValue(value: unknown, levels = LEVELS_MAX): unknown {
  if (typeof value === 'string') return value === '' ? null : cleanText(value, KEPT_TEXT_LENGTH_MAX);
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value !== 'object' || value === null || levels === 0) return null;
  if (Array.isArray(value)) {
    const items = value.map((item) => keptValue(item, levels - 1)).filter((item) => item !== null);
    return items.length > 0 ? items : null;
  }
  const fields = Object.entries(value).flatMap(([name, inner]) => {
    const kept = name === '__proto__' ? null : keptValue(inner, levels - 1);
    return kept === null ? [] : [[cleanText(name, KEPT_NAME_LENGTH_MAX), kept] as const];
  });
  return fields.length > 0 ? Object.fromEntries(fields) : null;
}

/** Something cannot be understood. The message says what, without the content. */
export class UnreadableError extends Error {}

const ID_LENGTH_MAX = 255;
const NAME_LENGTH_MAX = 255;
const WORD_LENGTH_MAX = 64;
const URL_LENGTH_MAX = 2048;
const MESSAGE_BYTES_MAX = 64 * 1024;

/** Ids of providers are visible ASCII. Other values cannot be matched with anything. */
const ID = /^[\x21-\x7e]+$/;

/**
 * The fields of one object of a webhook, which may contain anything. Each is read by name, own properties only, in a
 * usable form, and is absent otherwise.
 */
export class Fields {
  private readonly asked = new Set<string>();
  private readonly inner = new Map<string, Fields | Fields[]>();

  private constructor(private readonly values: Readonly<Record<string, unknown>>) {}

  /**
   * @throws UnreadableError when the value is no object
   */
  static of(value: unknown, what = 'the item'): Fields {
    const fields = Fields.orNull(value);
    if (!fields) throw new UnreadableError(`${what} is not an object`);
    return fields;
  }

  static orNull(value: unknown): Fields | null {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? new Fields(value as Record<string, unknown>) : null;
  }

  value(name: string): unknown {
    this.asked.add(name);
    return Object.hasOwn(this.values, name) ? this.values[name] : undefined;
  }

  /** Whether it is given and not null. */
  has(name: string): boolean {
    return (this.value(name) ?? undefined) !== undefined;
  }

  object(name: string): Fields | null {
    const known = this.inner.get(name);
    if (known instanceof Fields) return known;
    const fields = Fields.orNull(this.value(name));
    if (fields) this.inner.set(name, fields);
    return fields;
  }

  /** @throws UnreadableError when there is no such object. */
  requireObject(name: string): Fields {
    const fields = this.object(name);
    if (!fields) throw new UnreadableError(`"${name}" is not an object`);
    return fields;
  }

  /** The objects of a list. Other values are left out. */
  objects(name: string): Fields[] {
    const known = this.inner.get(name);
    if (Array.isArray(known)) return known;
    const list = this.value(name);
    const objects = Array.isArray(list) ? list.flatMap((value) => Fields.orNull(value) ?? []) : [];
    this.inner.set(name, objects);
    return objects;
  }

  /**
   * The fields that nobody has asked for, here and within, as they came; null where there are none.
   * @param except names that are asked for elsewhere
   */
  rest(except: ReadonlySet<string> = new Set()): Record<string, unknown> | null {
    const left = Object.keys(this.values).flatMap((name) => {
      if (except.has(name)) return [];
      const within = this.inner.get(name);
      const value =
        within === undefined && !this.asked.has(name) ? keptValue(this.value(name)) : restOf(within);
      return value === null ? [] : [[name, value] as const];
    });
    return keptValue(Object.fromEntries(left)) as Record<string, unknown> | null;
  }

  /** A text, cleaned, or a number as text; null when there is none or it is empty. */
  text(name: string, maxUnits: number): string | null {
    const value = this.value(name);
    const text = typeof value === 'number' ? String(value) : value;
    return typeof text === 'string' && text !== '' ? cleanText(text, maxUnits) : null;
  }

  /** A text that people wrote, at most 64 KiB; empty when there is none. */
  message(name: string): string {
    return cutToBytes(this.text(name, MESSAGE_BYTES_MAX) ?? '', MESSAGE_BYTES_MAX);
  }

  /** A provider's keyword, such as a type. */
  word(name: string): string | null {
    return typeof this.value(name) === 'string' ? this.text(name, WORD_LENGTH_MAX) : null;
  }

  /** Keywords of a list, or one that stands by itself. */
  words(name: string): string[] {
    const value = this.value(name);
    const words = Array.isArray(value) ? value : [value];
    return words.flatMap((word) =>
      typeof word === 'string' && word !== '' ? cleanText(word, WORD_LENGTH_MAX) : [],
    );
  }

  name(name: string): string | null {
    return this.text(name, NAME_LENGTH_MAX)?.trim() || null;
  }

  id(name: string): string | null {
    const id = this.text(name, ID_LENGTH_MAX + 1);
    return id !== null && id.length <= ID_LENGTH_MAX && ID.test(id) ? id : null;
  }

  /**
   * @throws UnreadableError when there is no usable id
   */
  requireId(name: string): string {
    const id = this.id(name);
    if (id === null) throw new UnreadableError(`"${name}" is missing or is no id`);
    return id;
  }

  number(name: string): number | null {
    const value = this.value(name);
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    return typeof number === 'number' && Number.isFinite(number) ? number : null;
  }

  isTrue(name: string): boolean {
    return this.value(name) === true;
  }

  /** An address that people may be shown as a link; null for anything except http and https. */
  url(name: string): string | null {
    const text = this.text(name, URL_LENGTH_MAX);
    return text !== null && /^https?:\/\//i.test(text) && URL.canParse(text) ? text : null;
  }
}

const restOf = (within: Fields | Fields[] | undefined): unknown => {
  if (within === undefined) return null;
  return Array.isArray(within) ? within.map((one) => one.rest()) : within.rest();
};

const EARLIEST_S = Date.UTC(2001, 8, 9, 1, 46, 40) / 1000;
const LATEST_S = Date.UTC(2100, 0, 1) / 1000;

/**
 * A provider's time, in seconds or milliseconds since 1970, as text or number; both occur in the same field (facts,
 * gupshup 5.10). Null for a value that is in neither unit a time of this century.
 */
export function timeOf(fields: Fields | null, name: string): Date | null {
  const number = fields?.number(name) ?? null;
  if (number === null) return null;
  const seconds = number > LATEST_S ? number / 1000 : number;
  return seconds >= EARLIEST_S && seconds < LATEST_S ? new Date(Math.round(seconds * 1000)) : null;
}
