import type { Card } from '@app/contracts/board-events';
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
