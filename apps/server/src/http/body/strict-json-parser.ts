import { isUtf8 } from 'node:buffer';
import { character, JsonError, LONE_SURROGATE, pathOf, shown } from './json.errors';

/**
 * How deep arrays and objects may nest; the document is level 1. Each is a level of recursion here, so keep it under
 * a thousand.
 */
const MAX_DEPTH = 32;

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const ONE = 0x31;
const NINE = 0x39;
const COLON = 0x3a;
const UPPER_E = 0x45;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const LOWER_E = 0x65;
const LOWER_F = 0x66;
const LOWER_N = 0x6e;
const LOWER_T = 0x74;
const LOWER_U = 0x75;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** The two-character escapes of RFC 8259, section 7, by the character after the backslash. */
const ESCAPES: ReadonlyMap<number, string> = new Map(
  Object.entries({ '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }).map(
    ([letter, meaning]) => [letter.charCodeAt(0), meaning],
  ),
);

/**
 * Reads a request body as JSON (RFC 8259). It refuses what `JSON.parse` accepts but a database or another reader
 * would see differently:
 * - a key that occurs twice in one object, compared after unescaping;
 * - a NUL character or a lone surrogate in a string or a key;
 * - a number beyond the range of a double;
 * - more than 32 levels of nesting;
 * - bytes that are not UTF-8, or a byte order mark.
 *
 * An accepted body gives what `JSON.parse` gives: plain objects with own data properties in the same order.
 * `__proto__` is such a property, and no prototype is touched. An integer beyond 2^53 is rounded. Time and memory are
 * linear in the body. A string of the result may keep the text of the whole body alive: copy what outlives the
 * request.
 * @throws JsonError the only error, whatever the bytes.
 */
export function parseStrictJson(bytes: Buffer): unknown {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    throw new JsonError('The body starts with a byte order mark: send UTF-8 without one.', '');
  }
  if (!isUtf8(bytes)) {
    throw new JsonError(`The body is not valid UTF-8 (near byte ${firstBrokenByte(bytes)}).`, '');
  }
  return new Reader(bytes.toString('utf8')).document();
}

// Written by hand for two reasons. One pass that builds and checks is faster than JSON.parse followed by a check:
// 0.67 µs against 0.71 to 0.92 for a body of 109 bytes (JSON.parse without a check: 0.45, measured). And JSON.parse
// in Node 24 may take one escaped key for another: https://github.com/nodejs/node/issues/63785.
class Reader {
  private position = 0;
  private depth = 0;
  /** At [n] the key or index that is being read in the n-th open container; [0] is not used. */
  private readonly trail: (string | number)[] = [''];

  constructor(private readonly text: string) {}

  document(): unknown {
    this.skipSpace();
    if (this.position >= this.text.length) {
      throw new JsonError('The body is empty: send a JSON document.', '');
    }
    const value = this.value();
    this.skipSpace();
    if (this.position < this.text.length) this.malformed('the end of the body');
    return value;
  }

  /** Skips white space and returns the next code, NaN at the end. */
  private skipSpace(): number {
    const { text } = this;
    let code = text.charCodeAt(this.position);
    while (code === SPACE || code === LINE_FEED || code === CARRIAGE_RETURN || code === TAB) {
      this.position += 1;
      code = text.charCodeAt(this.position);
    }
    return code;
  }

  private value(): unknown {
    const code = this.skipSpace();
    switch (code) {
      case QUOTE:
        return this.string(this.depth);
      case OPEN_BRACE:
        return this.object();
      case OPEN_BRACKET:
        return this.array();
      case LOWER_T:
        return this.word('true', true);
      case LOWER_F:
        return this.word('false', false);
      case LOWER_N:
        return this.word('null', null);
      default:
        return this.number(code);
    }
  }

  private word<T>(word: string, value: T): T {
    if (!this.text.startsWith(word, this.position)) this.malformed('a value');
    this.position += word.length;
    return value;
  }

  private object(): Record<string, unknown> {
    this.open();
    const object: Record<string, unknown> = {};
    if (this.skipSpace() === CLOSE_BRACE) return this.close(object);
    for (;;) {
      if (this.skipSpace() !== QUOTE) this.malformed('a key in double quotes');
      const start = this.position;
      const key = this.string(this.depth - 1);
      this.trail[this.depth] = key;
      // Not `key in object`, which would cost a third of the whole parse.
      if (Object.hasOwn(object, key)) {
        this.refuse(`The key ${shown(key)} occurs twice in one object`, this.depth, start);
      }
      if (this.skipSpace() !== COLON) this.malformed('":" after a key');
      this.position += 1;
      const value = this.value();
      // The one inherited name that an assignment would not shadow, because it has a setter.
      if (key === '__proto__') define(object, key, value);
      else object[key] = value;
      const code = this.skipSpace();
      if (code === CLOSE_BRACE) return this.close(object);
      if (code !== COMMA) this.malformed('"," or "}"');
      this.position += 1;
    }
  }

  private array(): unknown[] {
    this.open();
    const array: unknown[] = [];
    if (this.skipSpace() === CLOSE_BRACKET) return this.close(array);
    for (;;) {
      this.trail[this.depth] = array.length;
      array.push(this.value());
      const code = this.skipSpace();
      if (code === CLOSE_BRACKET) return this.close(array);
      if (code !== COMMA) this.malformed('"," or "]"');
      this.position += 1;
    }
  }

  private open(): void {
    if (this.depth >= MAX_DEPTH) {
      this.refuse(`Arrays and objects nested deeper than level ${MAX_DEPTH} are refused`, this.depth);
    }
    this.depth += 1;
    this.position += 1;
  }

  private close<T>(container: T): T {
    this.depth -= 1;
    this.position += 1;
    return container;
  }

  /**
   * @param level how much of the trail leads to this string; a key has the path of its object
   */
  private string(level: number): string {
    const { text } = this;
    const start = this.position + 1;
    let end = start;
    for (;;) {
      const code = text.charCodeAt(end);
      if (code === QUOTE) break;
      if (code === BACKSLASH) return this.escapedString(level, start, end);
      // Negated, so that the NaN of the end fails too.
      if (!(code >= SPACE)) this.badCharacter(level, end);
      end += 1;
    }
    this.position = end + 1;
    return text.slice(start, end);
  }

  /** Continues `string` from its first backslash, at `at`. The text from `start` on is copied unchanged. */
  private escapedString(level: number, start: number, at: number): string {
    const { text } = this;
    const opening = start - 1;
    let value = '';
    let copied = start;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) break;
      if (!(code >= SPACE)) this.badCharacter(level, at);
      if (code !== BACKSLASH) {
        at += 1;
        continue;
      }
      value += text.slice(copied, at) + this.escape(at);
      at += text.charCodeAt(at + 1) === LOWER_U ? 6 : 2;
      copied = at;
    }
    value += text.slice(copied, at);
    this.position = at + 1;
    if (value.includes('\0')) this.refuse('A string contains the NUL character (U+0000)', level, opening);
    if (LONE_SURROGATE.test(value)) {
      this.refuse('A string contains half of a surrogate pair (\\ud800 to \\udfff)', level, opening);
    }
    return value;
  }

  /** The UTF-16 code unit of the escape whose backslash is at `at`. */
  private escape(at: number): string {
    const letter = this.text.charCodeAt(at + 1);
    if (letter !== LOWER_U) {
      return ESCAPES.get(letter) ?? this.malformed('one of " \\ / b f n r t u after a backslash', at + 1);
    }
    let unit = 0;
    for (let digit = at + 2; digit < at + 6; digit += 1) {
      const value = hexadecimal(this.text.charCodeAt(digit));
      if (value < 0) this.malformed('four hexadecimal digits after \\u', digit);
      unit = unit * 16 + value;
    }
    return String.fromCharCode(unit);
  }

  private number(first: number): number {
    const { text } = this;
    const start = this.position;
    let code = first;
    let at = start;
    if (code === MINUS) code = text.charCodeAt((at += 1));
    else if (!isDigit(code)) this.malformed('a value');
    let whole = 0;
    if (code === ZERO) {
      code = text.charCodeAt((at += 1));
    } else {
      if (!(code >= ONE && code <= NINE)) this.malformed('a digit', at);
      do {
        whole = whole * 10 + (code - ZERO);
        code = text.charCodeAt((at += 1));
      } while (isDigit(code));
    }
    const integer = code !== DOT && code !== LOWER_E && code !== UPPER_E;
    if (code === DOT) {
      at = this.digits(at + 1);
      code = text.charCodeAt(at);
    }
    if (code === LOWER_E || code === UPPER_E) {
      const sign = text.charCodeAt(at + 1);
      at = this.digits(sign === PLUS || sign === MINUS ? at + 2 : at + 1);
    }
    this.position = at;
    // Fifteen digits add up without rounding.
    if (integer && at - start <= 15) return first === MINUS ? -whole : whole;
    const value = Number(text.slice(start, at));
    if (value === Infinity || value === -Infinity) {
      this.refuse('The number is too large: its magnitude must be below 1.8e308', this.depth, start);
    }
    return value;
  }

  /** Skips the digits, at least one, that start at `at`, and returns where they end. */
  private digits(at: number): number {
    const { text } = this;
    if (!isDigit(text.charCodeAt(at))) this.malformed('a digit', at);
    do at += 1;
    while (isDigit(text.charCodeAt(at)));
    return at;
  }

  private badCharacter(level: number, at: number): never {
    const code = this.text.charCodeAt(at);
    if (code === 0) this.refuse('A string contains the NUL character (U+0000)', level, at);
    if (Number.isNaN(code)) this.malformed('a closing double quote', at);
    return this.malformed('an escape like \\n in place of a control character', at);
  }

  private malformed(expected: string, at = this.position): never {
    const code = this.text.codePointAt(at);
    const found = code === undefined ? 'the end of the body' : character(code);
    throw new JsonError(`Malformed JSON at ${this.placeText(at)}: expected ${expected}, found ${found}.`, '');
  }

  private refuse(problem: string, level: number, at = this.position): never {
    throw new JsonError(`${problem} (${this.placeText(at)}).`, pathOf(this.trail.slice(1, level + 1)));
  }

  private placeText(at: number): string {
    let line = 1;
    let start = 0;
    for (
      let next = this.text.indexOf('\n');
      next !== -1 && next < at;
      next = this.text.indexOf('\n', start)
    ) {
      line += 1;
      start = next + 1;
    }
    return `line ${line}, column ${at - start + 1}`;
  }
}

function define(object: object, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

/** The value of a hexadecimal digit, -1 for any other code. */
function hexadecimal(code: number): number {
  if (isDigit(code)) return code - ZERO;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= LOWER_F ? lower - 0x61 + 10 : -1;
}

/** The offset, from 0, of the first byte that is lost when the text is decoded and encoded again. */
function firstBrokenByte(bytes: Buffer): number {
  const again = Buffer.from(bytes.toString('utf8'), 'utf8');
  const broken = bytes.findIndex((byte, index) => byte !== again[index]);
  return broken === -1 ? bytes.length : broken;
}
