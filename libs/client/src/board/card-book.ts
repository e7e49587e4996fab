import type { Card, BoardEvent } from '@app/contracts/board-events';
import type { ThreadSort } from '@app/contracts/lead.words';

/** Where a card stands in a column: the lower number first, then the higher or the lower id. */
export interface Place {
  rank: number;
  id: string;
  /** Of equal ranks the lower id is first. */
  ascends: boolean;
}

/** Where a card stands in a column that is sorted so. */
export function placeOf(card: Card, sort: ThreadSort): Place {
  const id = card.thread_id;
  if (sort === 'activity') return { rank: -Date.parse(card.updated_at), id, ascends: false };
  if (sort === 'opened') return { rank: 0, id, ascends: false };
  return card.waiting_since === null
    ? { rank: Infinity, id, ascends: false }
    : { rank: Date.parse(card.waiting_since), id, ascends: true };
}

/** The place of a card that was just moved by hand and has no time from the service yet: the last active is first. */
export const placeOfMoved = (card: Card, sort: ThreadSort, count: number): Place =>
  sort === 'activity'
    ? { rank: -Number.MAX_SAFE_INTEGER - count, id: card.thread_id, ascends: false }
    : placeOf(card, sort);

/** For `sort`: below zero, `a` stands above `b`. */
export function comparePlaces(a: Place, b: Place): number {
  if (a.rank !== b.rank) return a.rank < b.rank ? -1 : 1;
  if (a.id === b.id) return 0;
  return a.id < b.id === a.ascends ? -1 : 1;
}

/** A card in the state that was told last. */
export interface KnownCard {
  card: Card;
  version: number;
  /** Cards that do not pass are kept too: a page that was read earlier may not bring them back. */
  inFilter: boolean;
}

/** The cards as the service has told of them. Of two states of a card the one with the higher version is right. */
export class CardBook {
  private readonly cards = new Map<string, KnownCard>();
  /** Kept from before all was read anew, because somebody has them in hand. */
  private readonly stale = new Set<string>();

  get(threadId: string): KnownCard | undefined {
    return this.cards.get(threadId);
  }

  ids(): IterableIterator<string> {
    return this.cards.keys();
  }

  clear(): void {
    this.cards.clear();
    this.stale.clear();
  }

  /** All was read anew. Of what was not read those that are in hand stay, until they are let go. */
  restart(read: Iterable<Card>, inHand: Iterable<string>): void {
    const kept = [...inHand].map((id) => [id, this.cards.get(id)] as const);
    this.clear();
    for (const card of read) this.takeRead(card);
    for (const [id, known] of kept) {
      if (!known || this.cards.has(id)) continue;
      this.cards.set(id, known);
      this.stale.add(id);
    }
  }

  /** A card is let go: if nothing was told of it since, it is not known whether it is still so. */
  letGo(threadId: string): void {
    if (this.stale.delete(threadId)) this.cards.delete(threadId);
  }

  /** What no card shows may take it into a filter or out of it: then an event comes once more with the same version. */
  takeEvent({ thread_id: threadId, version, card, in_filter: inFilter = true }: BoardEvent): boolean {
    const known = this.cards.get(threadId);
    if (known && known.version <= version) this.stale.delete(threadId);
    if (known && (known.version > version || (known.version === version && known.inFilter === inFilter)))
      return false;
    this.cards.set(threadId, { card, version, inFilter });
    return true;
  }

  /** A card of a page, which may have been read before what is known. */
  takeRead(card: Card): boolean {
    const known = this.cards.get(card.thread_id);
    if (known && known.version <= card.version) this.stale.delete(card.thread_id);
    if (known && known.version >= card.version) return false;
    this.cards.set(card.thread_id, { card, version: card.version, inFilter: true });
    return true;
  }
}
