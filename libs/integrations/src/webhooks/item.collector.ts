import type { ProviderEvent, WebhookItem } from '@app/domain/webhooks/provider.events';
import { Fields, UnreadableError } from './item.fields';
import { rawTextOf } from './raw.text';

/** What one item of a webhook came to. */
export type Reading = { event: ProviderEvent } | { ignored: string };

/** Of one body; what lies beyond is told as a number, so that a body of a million faults takes no million rows. */
const FAULTS_MAX = 1_000;

/** Goes through a body item by item: what one of them throws is that one's fault, and the others are read on. */
export class ItemCollector {
  private readonly items: WebhookItem[] = [];
  private faults = 0;

  /** @param body the whole, as text, for what is wrong with all of it. */
  constructor(private readonly body: string) {}

  /** Takes one item. A reader that gives null has taken the item's parts by themselves. */
  take(value: unknown, path: string, read: (item: Fields) => Reading | null): void {
    try {
      const reading = read(Fields.of(value));
      if (reading) this.items.push({ path, ...reading });
    } catch (error) {
      // Any other error is a fault of our reading; the item is kept either way.
      const fault = error instanceof UnreadableError ? error.message : 'the reader failed on the item';
      this.keepAside(value, path, fault);
    }
  }

  /**
   * Takes each item of a list; what stands in the place of one is a fault.
   * @throws UnreadableError when there is none, for what should hold it is at fault.
   */
  takeEach(list: unknown, path: string, read: (item: Fields, path: string) => Reading | null): void {
    if (list === undefined) throw new UnreadableError(`${path} is missing`);
    if (!Array.isArray(list)) return this.keepAside(list, path, 'not a list');
    for (const [index, value] of list.entries()) {
      const place = `${path}[${index}]`;
      this.take(value, place, (item) => read(item, place));
    }
  }

  add(path: string, event: ProviderEvent): void {
    this.items.push({ path, event });
  }

  ignore(path: string, ignored: string): void {
    this.items.push({ path, ignored });
  }

  /** All items, in the order of the body. */
  collected(): WebhookItem[] {
    if (this.faults <= FAULTS_MAX) return this.items;
    const fault = `${this.faults - FAULTS_MAX} further items cannot be understood`;
    return [...this.items, { path: '', fault, raw: this.body }];
  }

  private keepAside(value: unknown, path: string, fault: string): void {
    this.faults += 1;
    if (this.faults <= FAULTS_MAX) this.items.push({ path, fault, raw: rawTextOf(value) });
  }
}
