import type { Pricing } from '@app/contracts/message.words';
import { cutToBytes } from './clean-text';
import type { Fields } from './item-fields';

const CONTENT_BYTES_MAX = 32 * 1024;

/** Quotation marks, a comma and a colon around a value. */
const FRAME_BYTES = 4;

/**
 * A message's content without absent fields, at most 32 KiB as JSON. Texts are cut and lists end where no room is
 * left; earlier fields take precedence.
 * @param content made by our readers: few levels, allow-listed names
 */
export function smallContent(content: Record<string, unknown>): Record<string, unknown> {
  return new Room(CONTENT_BYTES_MAX).copyOf(content) as Record<string, unknown>;
}

class Room {
  constructor(private left: number) {}

  /** Undefined when the value is absent or does not fit. */
  copyOf(value: unknown): unknown {
    if (typeof value === 'string') return this.textOf(value);
    if (typeof value === 'number' || typeof value === 'boolean') return this.take(24) ? value : undefined;
    if (typeof value !== 'object' || value === null || !this.take(FRAME_BYTES)) return undefined;
    if (Array.isArray(value))
      return value.map((item) => this.copyOf(item)).filter((item) => item !== undefined);
    const copy: Record<string, unknown> = {};
    for (const [name, part] of Object.entries(value)) {
      if (part === null || part === undefined || !this.take(name.length + FRAME_BYTES)) continue;
      const copied = this.copyOf(part);
      if (copied !== undefined) copy[name] = copied;
    }
    return copy;
  }

  private textOf(text: string): string | undefined {
    const bytes = Buffer.byteLength(JSON.stringify(text));
    if (this.take(bytes)) return text;
    if (this.left <= 0) return undefined;
    // An escape takes up to six bytes for one.
    const cut = cutToBytes(text, Math.floor(this.left / 6));
    this.left = 0;
    return cut;
  }

  private take(bytes: number): boolean {
    if (bytes > this.left) return false;
    this.left -= bytes;
    return true;
  }
}

/** What a report names of the price, or nothing. Providers call the model differently. */
export function pricingIn(
  fields: Fields | null,
  model: 'pricing_model' | 'policy' | 'model',
): { pricing?: Partial<Pricing> } {
  const billable = fields?.value('billable');
  const named = {
    // Text in some of Gupshup's samples.
    billable: { true: true, false: false }[String(billable)] ?? null,
    category: fields?.word('category') ?? null,
    type: fields?.word('type') ?? null,
    model: fields?.word(model) ?? null,
  };
  const pricing = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== null));
  return Object.keys(pricing).length === 0 ? {} : { pricing };
}
