import { RE2JS } from 're2js';

const PATTERN_LONGEST = 256;
/**
 * Most instructions of all patterns of a schema. The worst ones take about half a second over 16 KiB of arguments.
 */
const INSTRUCTIONS_MAX = 1_000;

/** What a pattern must be. */
export const PATTERN_MESSAGE =
  `must be a regular expression of at most ${PATTERN_LONGEST} characters, without lookaround and ` +
  'back-references; the patterns of a schema together must not be too large';

/**
 * The patterns of one schema, compiled by an engine whose time grows linearly with the text. JavaScript's own engine
 * would hang on a pattern such as `(a+)+$`.
 */
export class SchemaPatterns {
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
