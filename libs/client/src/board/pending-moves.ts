import type { CardView, Happened, StatusId } from './board-views';
import type { Place } from './card-book';

/** A card that somebody has in hand. */
interface Pin {
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

/** A move by hand, from the moment it is made until its event comes. */
interface PendingMove {
  threadId: string;
  to: StatusId;
  requestId: string;
  /** Grows with each move. */
  count: number;
  /** The service has confirmed it; its event is still to come. */
  answered: boolean;
  /** A snapshot came since: the event may never come, because the snapshot contains it. */
  passed: boolean;
}

const OWN_MAX = 1_000;

/** Moves by hand that the service has not confirmed: a layer over what it has told, so that they can be taken back. */
export class PendingMoves {
  private readonly byThread = new Map<string, PendingMove[]>();
  /** Also of moves that are over: their events may come later. The oldest first. */
  private readonly own = new Set<string>();
  private count = 0;

  begin(move: Pick<PendingMove, 'threadId' | 'to' | 'requestId'>): PendingMove {
    const begun = { ...move, count: (this.count += 1), answered: false, passed: false };
    this.byThread.set(move.threadId, [...(this.byThread.get(move.threadId) ?? []), begun]);
    this.own.add(move.requestId);
    const [oldest] = this.own;
    if (this.own.size > OWN_MAX && oldest !== undefined) this.own.delete(oldest);
    return begun;
  }

  /** Where a card is shown: the last of its moves counts. */
  last(threadId: string): PendingMove | undefined {
    return this.byThread.get(threadId)?.at(-1);
  }

  of(threadId: string): readonly PendingMove[] {
    return this.byThread.get(threadId) ?? [];
  }

  /** The cards that have moves. */
  ids(): IterableIterator<string> {
    return this.byThread.keys();
  }

  find(requestId: string): PendingMove | undefined {
    for (const moves of this.byThread.values())
      for (const move of moves) if (move.requestId === requestId) return move;
    return undefined;
  }

  isOwn(requestId: string | null): boolean {
    return requestId !== null && this.own.has(requestId);
  }

  end(requestId: string): PendingMove | undefined {
    const move = this.find(requestId);
    if (!move) return undefined;
    const others = this.of(move.threadId).filter((each) => each !== move);
    if (others.length > 0) this.byThread.set(move.threadId, others);
    else this.byThread.delete(move.threadId);
    return move;
  }

  /** Everything was read anew. @returns the moves that are contained in it */
  passSnapshot(): PendingMove[] {
    const all = [...this.byThread.values()].flat();
    for (const move of all) move.passed = true;
    return all.filter(({ answered }) => answered);
  }
}
