import type { ThreadFilter } from '@app/persistence/threads/thread-filter';

/** One agent's board, as a principal may watch it. */
export interface BoardAddress {
  accountId: string;
  assistantId: string;
}

/** Which leads a board shows. */
export interface BoardFilter {
  /** Equal filters have equal keys. */
  key: string;
  threads: ThreadFilter;
}

/** What a client sees of an agent's board: all leads, or those that pass a filter. */
export interface BoardView extends BoardAddress {
  filter: BoardFilter | null;
}

/**
 * The key by which this process tells boards apart. It includes the account, so that a key whose row names another
 * account's agent shares nothing with that agent's boards.
 */
export const boardKey = ({ accountId, assistantId }: BoardAddress): string => `${accountId}/${assistantId}`;

/** The key of a view: that of the board, with that of the filter. */
export const viewKey = (view: BoardView): string =>
  view.filter ? `${boardKey(view)}/${view.filter.key}` : boardKey(view);
