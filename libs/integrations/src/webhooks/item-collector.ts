import type { NumberOfOurs, ProviderEvent, WebhookItem } from '@app/domain/webhooks/provider-events';
import { Fields, UnreadableError } from './item-fields';

/** How much is kept of an item that is nested too deeply to be written at once. */
const DEEP_LENGTH_MAX = 65_536;

/** An item as JSON text, to be stored among the rejects. Never throws. */
function rawTextOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'nothing';
  } catch {
    // JSON.parse accepts deep nesting, such as 200,000 arrays inside each other, that JSON.stringify cannot write.
    return beginningOf(value);
  }
}

/** The beginning of a value as JSON, written without recursion. */
function beginningOf(value: unknown): string {
  let text = '';
  /** Values still to be written, and the punctuation between them. The last entry is next. */
  const left: ({ value: unknown } | string)[] = [{ value }];
  while (left.length > 0 && text.length < DEEP_LENGTH_MAX) {
    const next = left.pop();
    if (typeof next !== 'object') {
      text += next ?? '';
      continue;
    }
    const part = next.value;
    if (typeof part !== 'object' || part === null) {
      text += JSON.stringify(part);
      continue;
    }
    const isList = Array.isArray(part);
    text += isList ? '[' : '{';
    left.push(isList ? ']' : '}');
    const entries = Object.entries(part).slice(0, DEEP_LENGTH_MAX).reverse();
    for (const [index, [name, inner]] of entries.entries()) {
      left.push({ value: inner });
      if (!isList) left.push(`${JSON.stringify(name)}:`);
      if (index < entries.length - 1) left.push(',');
    }
  }
  return text;
}

/** What one item of a webhook was read as. */
export type Reading = { event: ProviderEvent } | { ignored: string };

/**
 * Most errors of one body that are kept. Further ones are only counted, so that a body with a million errors does not
 * write a million rows.
 */
const VIOLATIONS_MAX = 1_000;

/** What the items of one change came by, and from which business account, where that vouches for them. */
export interface ItemOrigin {
  number: NumberOfOurs;
  businessId: string | null;
}

/** Goes through a body item by item. An item whose reading throws is rejected, and the others are still read. */
export class ItemCollector {
  private readonly items: WebhookItem[] = [];
  private unreadable = 0;
  private origin: ItemOrigin = { number: null, businessId: null };

  /**
   * @param body the whole body as text, for errors that concern all of it
   */
  constructor(private readonly body: string) {}

  /** Takes one item. A reader that returns null has taken the item's parts itself. */
  take(value: unknown, path: string, read: (item: Fields) => Reading | null): void {
    try {
      const reading = read(Fields.of(value));
      if (reading) this.items.push({ path, ...reading, ...this.business() });
    } catch (error) {
      // Any other error is a bug in the reader. The item is kept either way.
      const reason = error instanceof UnreadableError ? error.message : 'the reader failed on the item';
      this.keepAside(value, path, reason);
    }
  }

  /**
   * Takes each item of a list. Anything in it that is not an item is an error.
   * @throws UnreadableError when there is no list: then its parent is unreadable.
   */
  takeEach(list: unknown, path: string, read: (item: Fields, path: string) => Reading | null): void {
    if (list === undefined) throw new UnreadableError(`${path} is missing`);
    if (!Array.isArray(list)) return this.keepAside(list, path, 'not a list');
    for (const [index, value] of list.entries()) {
      const position = `${path}[${index}]`;
      this.take(value, position, (item) => read(item, position));
    }
  }

  /** Whatever is taken meanwhile came from there. */
  from(origin: ItemOrigin, take: () => void): void {
    const before = this.origin;
    this.origin = origin;
    try {
      take();
    } finally {
      this.origin = before;
    }
  }

  add(path: string, event: ProviderEvent): void {
    this.items.push({ path, event, ...this.business() });
  }

  ignore(path: string, ignored: string): void {
    this.items.push({ path, ignored });
  }

  /** All items, in the order of the body. */
  collected(): WebhookItem[] {
    if (this.unreadable <= VIOLATIONS_MAX) return this.items;
    const reason = `${this.unreadable - VIOLATIONS_MAX} further items cannot be understood`;
    return [...this.items, { path: '', reason, raw: this.body }];
  }

  private keepAside(value: unknown, path: string, reason: string): void {
    this.unreadable += 1;
    if (this.unreadable > VIOLATIONS_MAX) return;
    const { number } = this.origin;
    const of = number === null ? {} : { number };
    this.items.push({ path, reason, raw: rawTextOf(value), ...of, ...this.business() });
  }

  private business(): { businessId?: string } {
    const { businessId } = this.origin;
    return businessId === null ? {} : { businessId };
  }
}
