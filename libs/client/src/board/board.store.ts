import type {
  BoardEvent,
  BoardPage,
  BoardReplay,
  BoardSnapshot,
  ColumnTotal,
  DialogPresence,
  PresentUser,
} from '@app/contracts/board-events';
import type { FunnelStage, ThreadSort } from '@app/contracts/lead.words';
import { columnKey } from './board-columns';
import { BoardLayers } from './board-layers';
import type { CardView, ColumnView, ForeignMove, Happened, StatusId } from './board-views';
import { CardFaces } from './card-faces';
import { KeyedListeners, type Listener, type Unsubscribe } from './keyed-listeners';

/** The board as a whole, without its cards. */
export interface BoardState {
  assistantId: string | null;
  sort: ThreadSort;
  statuses: readonly FunnelStage[];
  /** In the order in which they stand: first that without a stage. */
  columnIds: readonly StatusId[];
  /** What is shown is of another filter or order, or nothing yet. */
  loading: boolean;
}

const WHOLE = 'board';

/**
 * One board, as its page shows it: what the service has told, and over it the moves by hand that are not confirmed, the
 * orders that stand still and the cards that somebody has in hand. It is synchronous; what it gives is immutable and made
 * for `useSyncExternalStore`: a card's listeners are told when that card is to be drawn anew, and of nothing else.
 */
export class BoardStore {
  private readonly faces = new CardFaces();
  private readonly layers = new BoardLayers((threadId) => void this.faces.dirty.add(threadId));
  private readonly cardListeners = new KeyedListeners();
  private readonly columnListeners = new KeyedListeners();
  private readonly boardListeners = new KeyedListeners();
  private readonly changeListeners = new KeyedListeners();
  private readonly presentListeners = new KeyedListeners();
  private readonly moveListeners = new KeyedListeners();
  private readonly confirmedListeners = new KeyedListeners<[requestId: string]>();
  private state: BoardState = {
    ...{ assistantId: null, sort: 'activity', statuses: [], columnIds: [], loading: true },
  };
  private mark: number | null = null;
  private depth = 0;
  private toldPresent = this.faces.present;
  private boardChanged = false;
  private movesChanged = false;

  board = (): BoardState => this.state;

  card = (threadId: string): CardView | undefined => this.faces.get(threadId);

  /** Who has which dialog open, those included that are not on the board. The same map until that changes. */
  present = (): ReadonlyMap<string, readonly PresentUser[]> => this.faces.present;

  column = (statusId: StatusId): ColumnView | undefined => this.layers.columns.view(columnKey(statusId));

  subscribe = (listener: Listener): Unsubscribe => this.boardListeners.add(WHOLE, listener);

  subscribeCard = (threadId: string, listener: Listener): Unsubscribe =>
    this.cardListeners.add(threadId, listener);

  subscribeColumn = (statusId: StatusId, listener: Listener): Unsubscribe =>
    this.columnListeners.add(columnKey(statusId), listener);

  /** Tells of any change of what is shown, once for all that changed together. */
  subscribeAll = (listener: Listener): Unsubscribe => this.changeListeners.add(WHOLE, listener);

  /** Tells of another {@link present}. */
  subscribePresent = (listener: Listener): Unsubscribe => this.presentListeners.add(WHOLE, listener);

  /** Tells that others have moved leads: {@link takeForeignMoves}. */
  subscribeMoves = (listener: Listener): Unsubscribe => this.moveListeners.add(WHOLE, listener);

  /** The moves of others since it was asked last, the oldest first, the last hundred at most. */
  takeForeignMoves(): ForeignMove[] {
    return this.layers.foreign.take();
  }

  /** What to give as `since`; undefined: what is known is of no use, and a snapshot is needed. */
  get since(): number | undefined {
    return this.state.loading || this.mark === null ? undefined : this.mark;
  }

  // What the service tells.

  /** Another board, filter or order is asked for. What is shown stays until its snapshot comes, but for another board. */
  expect({ assistantId, sort }: Pick<BoardState, 'assistantId' | 'sort'>): void {
    this.batch(() => {
      if (assistantId !== this.state.assistantId) {
        for (const id of this.faces.ids()) this.faces.dirty.add(id);
        this.layers.clear();
        this.faces.forgetPresent();
        this.mark = null;
        this.setState({ statuses: [], columnIds: [] });
      }
      this.setState({ assistantId, sort, loading: true });
    });
  }

  snapshot(snapshot: BoardSnapshot): void {
    const { seq, statuses, columns } = snapshot;
    const { loading, sort } = this.state;
    this.batch(() => {
      this.mark = seq;
      this.faces.forgetPresent();
      for (const id of this.faces.ids()) this.faces.dirty.add(id);
      this.layers.snapshot(snapshot, sort, loading);
      this.setState({ statuses, columnIds: columns.map(({ status_id }) => status_id), loading: false });
    });
  }

  replay({ seq, events }: BoardReplay): void {
    this.batch(() => {
      this.faces.forgetPresent();
      for (const event of events) this.event(event);
      this.mark = seq;
    });
  }

  /** @returns whether it is news, and not what was known already */
  event(event: BoardEvent): boolean {
    if (event.card.assistant_id !== this.state.assistantId) return false;
    return this.batch(() => {
      this.mark = Math.max(this.mark ?? 0, event.seq);
      const { isNews, confirmed } = this.layers.event(event);
      if (isNews && event.event === 'card.moved') this.movesChanged ||= this.layers.foreign.areUntold;
      if (confirmed !== null) this.confirmedListeners.tell(WHOLE, confirmed);
      return isNews;
    });
  }

  total({ assistant_id, status_id, total }: ColumnTotal): void {
    if (assistant_id !== this.state.assistantId) return;
    this.batch(() => {
      this.layers.totals.tell(columnKey(status_id), total);
      this.layers.columns.dirty.add(columnKey(status_id));
    });
  }

  /**
   * How to read on in a column: the cursor for board:more, and what takes the page. Null: all of it is here. A page is
   * dropped if all was read anew since: its cards may have changed before that, and nothing would tell of it.
   */
  further(statusId: StatusId): { cursor: string; take: (page: BoardPage) => void } | null {
    const further = this.layers.further(statusId);
    return further && { ...further, take: (page) => this.batch(() => further.take(page)) };
  }

  presence({ thread_id: threadId, users }: DialogPresence): void {
    this.batch(() => this.faces.setPresent(threadId, users));
  }

  // What the person does.

  /** Lets the order of a column stand still, as long as one reason for it holds. */
  hold(statusId: StatusId, reason = 'pointer'): void {
    this.batch(() => this.layers.columns.hold(columnKey(statusId), reason));
  }

  release(statusId: StatusId, reason = 'pointer'): void {
    this.batch(() => this.layers.columns.release(columnKey(statusId), reason));
  }

  /** Sorts a column that is held, and goes on holding it. */
  resort(statusId: StatusId): void {
    this.batch(() => this.layers.columns.resort(columnKey(statusId)));
  }

  /** A card is taken in hand, by dragging it or by its menu: it stays as it is and where it is. */
  pin(threadId: string): void {
    const view = this.card(threadId);
    if (view) this.batch(() => this.layers.pin(threadId, view));
  }

  /** The card is let go. @returns what happened to it meanwhile, the oldest first */
  unpin(threadId: string): Happened[] {
    return this.batch(() => this.layers.unpin(threadId));
  }

  /** Shows a move by hand at once. @param move with the X-Request-Id of its call */
  begin(move: { threadId: string; to: StatusId; requestId: string }): void {
    this.batch(() => this.layers.begin(move));
  }

  /** The service has answered a move; its event comes by itself. @param changed false: the lead was there already */
  answered(requestId: string, { changed }: { changed: boolean }): void {
    this.batch(() => this.layers.answered(requestId, changed));
  }

  /** The move was refused, or nobody knows what became of it: what the service has told is shown again. */
  refuse(requestId: string): void {
    this.batch(() => this.layers.refuse(requestId));
  }

  /** Tells that the event of a move came. A second or two later {@link forgetMove} is due. */
  onConfirmed = (listener: (requestId: string) => void): Unsubscribe =>
    this.confirmedListeners.add(WHOLE, listener);

  /** A total that contains the move would have come by now. None comes where others moved as many the other way. */
  forgetMove(requestId: string): void {
    this.batch(() => {
      this.layers.totals.forget(requestId);
      for (const id of this.state.columnIds) this.layers.columns.dirty.add(columnKey(id));
    });
  }

  /** Several changes, of which listeners are told together. */
  batch<Result>(change: () => Result): Result {
    this.depth += 1;
    try {
      return change();
    } finally {
      this.depth -= 1;
      if (this.depth === 0) this.tell();
    }
  }

  private tell(): void {
    const { faces, layers, boardChanged, movesChanged } = this;
    const { statuses } = this.state;
    const cards = [...faces.dirty].filter((id) => faces.refresh(id, layers.partsOf(id), statuses));
    const columns = [...layers.columns.dirty].filter((key) => layers.columns.refresh(key));
    this.boardChanged = this.movesChanged = false;
    for (const id of cards) this.cardListeners.tell(id);
    for (const key of columns) this.columnListeners.tell(key);
    if (boardChanged) this.boardListeners.tell(WHOLE);
    if (boardChanged || cards.length + columns.length > 0) this.changeListeners.tell(WHOLE);
    if (movesChanged) this.moveListeners.tell(WHOLE);
    if (this.toldPresent !== faces.present) {
      this.toldPresent = faces.present;
      this.presentListeners.tell(WHOLE);
    }
  }

  private setState(fields: Partial<BoardState>): void {
    this.state = { ...this.state, ...fields };
    this.boardChanged = true;
  }
}
