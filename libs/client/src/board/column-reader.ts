import type { BoardPage } from '@app/contracts/board-events';
import { passes, type BoardRequests } from './board-requests';
import type { PauseTimers } from './board-socket';
import type { BoardChoice, StatusId } from './board-views';
import type { BoardStore } from './board.store';

interface ReadBoard {
  store: BoardStore;
  requests: BoardRequests;
  pauses: PauseTimers;
  choice: () => BoardChoice | null;
  /** Another one, when the board was asked for again or the connection was lost. */
  turn: () => number;
}

/** Reads the columns of a board page by page. */
export class ColumnReader {
  /** Cursors whose pages are on their way, each of the board as it was asked for then. */
  private readonly reading = new Set<string>();

  constructor(private readonly board: ReadBoard) {}

  /** Nothing is on its way any more. */
  forget(): void {
    this.reading.clear();
  }

  /** Further cards of a column; once at a time. */
  more(statusId: StatusId): void {
    const { store, requests, pauses } = this.board;
    const [choice, turn] = [this.board.choice(), this.board.turn()];
    const further = store.further(statusId);
    if (!choice || !further || store.board().loading) return;
    const { cursor, take } = further;
    const read = `${turn} ${cursor}`;
    if (this.reading.has(read)) return;
    const { assistantId: assistant_id, filter, sort } = choice;
    this.reading.add(read);
    const over = (): void => void this.reading.delete(read);
    requests.send<BoardPage>(
      'board:more',
      { assistant_id, status_id: statusId, cursor, filter, sort },
      (page) => {
        over();
        take(page);
      },
      ({ code }) => {
        over();
        if (passes(code) && choice === this.board.choice()) pauses.soon(() => this.more(statusId));
      },
    );
  }

  /**
   * For when the board begins anew: what is loaded of each column now is read again, so that nothing goes away under
   * somebody who has scrolled.
   * @returns what to call when the board is there
   */
  readAgain(): () => void {
    const { store } = this.board;
    const sizes = store.board().columnIds.map((id) => [id, store.column(id)?.ids.length ?? 0] as const);
    return () => {
      for (const [statusId, size] of sizes) this.readUpTo(statusId, size);
    };
  }

  private readUpTo(statusId: StatusId, size: number): void {
    const { store } = this.board;
    const column = store.column(statusId);
    if (!column?.nextCursor || column.ids.length >= size) return;
    const stop = store.subscribeColumn(statusId, () => {
      stop();
      this.readUpTo(statusId, size);
    });
    this.more(statusId);
  }
}
