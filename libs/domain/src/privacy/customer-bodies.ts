import type { BodyReader, Redaction } from '@app/persistence/privacy/customer-webhook.repository';
import { holdsList, isEmpty, isForeign, parse, partsOf, wordsOf, type Json } from './json-bodies';

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
