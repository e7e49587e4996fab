import type { Place } from './card-order';
import type { CardView, Happened } from './board-views';

/** A card that somebody has in hand. */
export interface Pin {
  /** Where the card stays; null: its own user has moved it meanwhile. */
  stays: { column: string; place: Place; view: CardView } | null;
  happened: Happened[];
  /** A card may be dragged while its menu is open. */
  times: number;
}

/** Cards that somebody has in hand: they are not taken away, and what happens to them is kept. */
export class CardPins {
  private readonly pins = new Map<string, Pin>();

  get(threadId: string): Pin | undefined {
    return this.pins.get(threadId);
  }

  ids(): IterableIterator<string> {
    return this.pins.keys();
  }

  pin(threadId: string, stays: NonNullable<Pin['stays']>): void {
    const known = this.pins.get(threadId);
    if (known) known.times += 1;
    else this.pins.set(threadId, { stays, happened: [], times: 1 });
  }

  /** @returns the pin, if that was the last hand on it */
  unpin(threadId: string): Pin | null {
    const pin = this.pins.get(threadId);
    if (!pin || (pin.times -= 1) > 0) return null;
    this.pins.delete(threadId);
    return pin;
  }

  clear(): void {
    this.pins.clear();
  }
}
