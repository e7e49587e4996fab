import type { BoardFilter, Card, PresentUser } from '@app/contracts/board-events';
import type { Actor, ThreadSort } from '@app/contracts/lead.words';

/** The id of a stage; null is the column of leads without a stage. */
export type StatusId = string | null;

/** Offline: the last try failed, or the connection was closed. */
export type ConnectionState = 'online' | 'connecting' | 'offline';

/** Who else moved a lead, and where. */
export interface ForeignMove {
  threadId: string;
  from: StatusId;
  to: StatusId;
  /** Null: the service did it by itself. */
  by: Actor | null;
  at: string;
  card: Card;
}

/** A card as it is to be drawn. The same object until something of it changes. */
export interface CardView {
  /** With the stage that a pending move gives it. */
  card: Card;
  /** A move of one's own is not confirmed yet. */
  pending: boolean;
  /** The last move, if another one made it. */
  movedBy: ForeignMove | null;
  /** Who has the dialog open. */
  present: readonly PresentUser[];
}

/** A column as it is to be drawn. The same object until something of it changes; of its cards it has the ids only. */
export interface ColumnView {
  statusId: StatusId;
  ids: readonly string[];
  total: number;
  /** For board:more; null: all its cards are here. */
  nextCursor: string | null;
  /** How many cards would come, or stand elsewhere, if a held column were sorted again. */
  changed: number;
}

/** What happened to a card while it was pinned. */
export type Happened =
  | ({ kind: 'moved' } & ForeignMove)
  /** It does not pass the filter any more. */
  | { kind: 'left' }
  | { kind: 'erased' };

/** Which board is shown, and how. */
export interface BoardChoice {
  assistantId: string;
  filter?: BoardFilter;
  sort?: ThreadSort;
  /** Cards of each column at first. */
  limit?: number;
}
