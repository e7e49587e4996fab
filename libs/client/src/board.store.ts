import type {
  BoardEvent,
  BoardPage,
  BoardReplay,
  BoardSnapshot,
  Card,
  ColumnTotal,
  DialogPresence,
  PresentUser,
} from '@app/contracts/board.events';
import type { FunnelStage } from '@app/contracts/lead.words';
import type { ThreadSort } from '@app/contracts/list.words';
import { BoardColumns, columnKey, type Cause } from './board.columns';
import type { CardView, ColumnView, ForeignMove, Happened, StatusId } from './board.views';
import { CardBook } from './card.book';
import { comparePlaces, placeOf, placeOfMoved, type Place } from './card.order';
import { CardPins } from './card.pins';
import { ColumnTotals } from './column.totals';
import { KeyedListeners, type Listener, type Unsubscribe } from './keyed.listeners';
import { PendingMoves } from './pending.moves';

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

const NOBODY: readonly PresentUser[] = [];
const MOVES_MAX = 100;
const WHOLE = 'board';

/**
 * One board, as its page shows it: what the service has told, and over it the moves by hand that are not confirmed, the
 * orders that stand still and the cards that somebody has in hand. It is synchronous; what it gives is immutable and made
 * for `useSyncExternalStore`: a card's listeners are told when that card is to be drawn anew, and of nothing else.
 */
export class BoardStore {
  private readonly book = new CardBook();
  private readonly moves = new PendingMoves();
  private readonly totals = new ColumnTotals();
  private readonly columns = new BoardColumns(this.totals);
  private readonly pins = new CardPins();
  private readonly present = new Map<string, readonly PresentUser[]>();
  private readonly movedBy = new Map<string, ForeignMove>();
  /** Where one's own move brought a card: there it is shown, though its place be beyond what is loaded. */
  private readonly brought = new Map<string, string>();
  private foreign: ForeignMove[] = [];

  private readonly cardViews = new Map<string, CardView>();
  private readonly dirtyCards = new Set<string>();
  private readonly cardListeners = new KeyedListeners();
  private readonly columnListeners = new KeyedListeners();
  private readonly boardListeners = new KeyedListeners();
  private readonly moveListeners = new KeyedListeners();
  private readonly settledListeners = new KeyedListeners<[requestId: string]>();
  private state: BoardState = {
    ...{ assistantId: null, sort: 'activity', statuses: [], columnIds: [], loading: true },
  };
  /** The order of what is shown; that of the state is what was asked for. */
  private shownSort: ThreadSort = 'activity';
  private mark: number | null = null;
  /** Grows whenever all is read anew. */
  private epoch = 0;
  private depth = 0;
  private boardChanged = false;
  private movesChanged = false;

  // What is shown.

  board = (): BoardState => this.state;

  card = (threadId: string): CardView | undefined => this.cardViews.get(threadId);

  column = (statusId: StatusId): ColumnView | undefined => this.columns.view(columnKey(statusId));

  subscribe = (listener: Listener): Unsubscribe => this.boardListeners.add(WHOLE, listener);

  subscribeCard = (threadId: string, listener: Listener): Unsubscribe =>
    this.cardListeners.add(threadId, listener);

  subscribeColumn = (statusId: StatusId, listener: Listener): Unsubscribe =>
    this.columnListeners.add(columnKey(statusId), listener);

  /** Tells that others have moved leads: {@link takeForeignMoves}. */
  subscribeMoves = (listener: Listener): Unsubscribe => this.moveListeners.add(WHOLE, listener);

  /** The moves of others since it was asked last, the oldest first, the last hundred at most. */
  takeForeignMoves(): ForeignMove[] {
    return this.foreign.splice(0);
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
        this.forgetCards();
        this.columns.clear();
        this.state = { ...this.state, statuses: [], columnIds: [] };
      }
      this.setState({ assistantId, sort, loading: true });
    });
  }

  snapshot({ seq, statuses, columns }: BoardSnapshot): void {
    this.batch(() => {
      const { loading, sort } = this.state;
      this.mark = seq;
      this.epoch += 1;
      this.shownSort = sort;
      this.forgetPresence();
      for (const { requestId } of this.moves.passSnapshot()) this.moves.end(requestId);
      const inHand = new Set([...this.pins.ids(), ...this.moves.ids()]);
      this.book.restart(
        columns.flatMap(({ cards }) => cards),
        inHand,
      );
      this.totals.tellAll(columns.map(({ status_id, total }) => [columnKey(status_id), total]));
      this.columns.open(
        columns.map(({ status_id: statusId, total, cards, next_cursor: nextCursor }) => ({
          ...{ statusId, total, nextCursor, edge: this.lastPlace(cards) },
        })),
      );
      this.setState({ statuses, columnIds: columns.map(({ status_id }) => status_id), loading: false });
      for (const id of new Set([...this.columns.ids(), ...this.cardViews.keys(), ...this.book.ids()]))
        this.place(id, 'read');
      this.columns.opened(loading);
    });
  }

  replay({ seq, events }: BoardReplay): void {
    this.batch(() => {
      this.forgetPresence();
      for (const event of events) this.event(event);
      this.mark = seq;
    });
  }

  /** @returns whether it is news, and not what was known already */
  event(event: BoardEvent): boolean {
    const { thread_id: threadId, request_id: requestId, card } = event;
    if (card.assistant_id !== this.state.assistantId) return false;
    return this.batch(() => {
      this.mark = Math.max(this.mark ?? 0, event.seq);
      const before = this.book.get(threadId);
      const from = this.serverColumn(threadId);
      const isNews = this.book.takeEvent(event);
      const isOwn = this.moves.isOwn(requestId);
      if (isNews && event.event === 'card.moved') {
        const move = { threadId, from: event.from_status_id, to: event.to_status_id };
        if (isOwn) this.brought.set(threadId, columnKey(move.to));
        else this.movedByOther({ ...move, by: event.actor, at: event.at, card });
      }
      if (isNews && before && !isOwn) this.keepForPin(threadId, before, card, event.in_filter ?? true);
      if (event.event === 'card.moved' && isOwn && requestId !== null)
        this.confirm(threadId, requestId, from);
      if (isNews || isOwn) this.place(threadId, isOwn ? 'own' : 'foreign');
      return isNews;
    });
  }

  total({ assistant_id, status_id, total }: ColumnTotal): void {
    if (assistant_id !== this.state.assistantId) return;
    this.batch(() => {
      this.totals.tell(columnKey(status_id), total);
      this.columns.dirty.add(columnKey(status_id));
    });
  }

  /**
   * How to read on in a column: the cursor for board:more, and what takes the page. Null: all of it is here. A page is
   * dropped if all was read anew since: its cards may have changed before that, and nothing would tell of it.
   */
  further(statusId: StatusId): { cursor: string; take: (page: BoardPage) => void } | null {
    const column = columnKey(statusId);
    const cursor = this.columns.cursorOf(column);
    const { epoch } = this;
    if (cursor === null) return null;
    return {
      cursor,
      take: ({ cards, next_cursor: nextCursor }) => {
        if (this.epoch !== epoch || this.columns.cursorOf(column) !== cursor) return;
        this.batch(() =>
          this.columns.extend(column, { nextCursor, edge: this.lastPlace(cards) }, () => {
            for (const card of cards) if (this.book.takeRead(card)) this.place(card.thread_id, 'read');
          }),
        );
      },
    };
  }

  presence({ thread_id: threadId, users }: DialogPresence): void {
    this.batch(() => {
      if (users.length > 0) this.present.set(threadId, users);
      else this.present.delete(threadId);
      this.dirtyCards.add(threadId);
    });
  }

  // What the person does.

  /** Lets the order of a column stand still, as long as one reason for it holds. */
  hold(statusId: StatusId, reason = 'pointer'): void {
    this.batch(() => this.columns.hold(columnKey(statusId), reason));
  }

  release(statusId: StatusId, reason = 'pointer'): void {
    this.batch(() => this.columns.release(columnKey(statusId), reason));
  }

  /** Sorts a column that is held, and goes on holding it. */
  resort(statusId: StatusId): void {
    this.batch(() => this.columns.resort(columnKey(statusId)));
  }

  /** A card is taken in hand, by dragging it or by its menu: it stays as it is and where it is. */
  pin(threadId: string): void {
    const spot = this.columns.spotOf(threadId);
    const view = this.card(threadId);
    if (!spot || !view) return;
    this.batch(() => {
      this.pins.pin(threadId, { column: spot.column, place: spot.place, view });
      this.place(threadId, 'read');
    });
  }

  /** The card is let go. @returns what happened to it meanwhile, the oldest first */
  unpin(threadId: string): Happened[] {
    return this.batch(() => {
      const pin = this.pins.unpin(threadId);
      if (!pin) return [];
      this.letGo(threadId);
      this.place(threadId, 'own');
      return pin.happened;
    });
  }

  /** Shows a move by hand at once. @param requestId the X-Request-Id of its call */
  begin(move: { threadId: string; to: StatusId; requestId: string }): void {
    this.batch(() => {
      this.moves.begin(move);
      this.movedBy.delete(move.threadId);
      const pin = this.pins.get(move.threadId);
      if (pin) pin.stays = null;
      this.place(move.threadId, 'own');
    });
  }

  /** The service has answered a move; its event comes by itself. @param changed false: the lead was there already */
  answered(requestId: string, { changed }: { changed: boolean }): void {
    const move = this.moves.find(requestId);
    if (!move) return;
    move.answered = true;
    if (!changed || move.passed) this.refuse(requestId);
  }

  /** The move was refused, or nobody knows what became of it: what the service has told is shown again. */
  refuse(requestId: string): void {
    this.batch(() => {
      const move = this.moves.end(requestId);
      if (!move) return;
      this.letGo(move.threadId);
      this.place(move.threadId, 'own');
    });
  }

  /** Tells that the event of a move came. A second or two later {@link forgetMove} is due. */
  onConfirmed = (listener: (requestId: string) => void): Unsubscribe =>
    this.settledListeners.add(WHOLE, listener);

  /** A total that contains the move would have come by now. None comes where others moved as many the other way. */
  forgetMove(requestId: string): void {
    this.batch(() => {
      this.totals.forget(requestId);
      for (const id of this.state.columnIds) this.columns.dirty.add(columnKey(id));
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
    const cards = [...this.dirtyCards].filter((id) => this.refreshCard(id));
    const columns = [...this.columns.dirty].filter((key) => this.columns.refresh(key));
    this.dirtyCards.clear();
    const { boardChanged, movesChanged } = this;
    this.boardChanged = this.movesChanged = false;
    for (const id of cards) this.cardListeners.tell(id);
    for (const key of columns) this.columnListeners.tell(key);
    if (boardChanged) this.boardListeners.tell(WHOLE);
    if (movesChanged) this.moveListeners.tell(WHOLE);
  }

  private setState(fields: Partial<BoardState>): void {
    this.state = { ...this.state, ...fields };
    this.boardChanged = true;
  }

  private forgetCards(): void {
    this.epoch += 1;
    for (const id of this.cardViews.keys()) this.dirtyCards.add(id);
    this.book.clear();
    this.pins.clear();
    this.movedBy.clear();
    this.brought.clear();
    this.foreign = [];
    this.totals.tellAll([]);
    this.forgetPresence();
    this.mark = null;
  }

  private letGo(threadId: string): void {
    if (!this.pins.get(threadId) && !this.moves.last(threadId)) this.book.letGo(threadId);
  }

  private forgetPresence(): void {
    for (const id of this.present.keys()) this.dirtyCards.add(id);
    this.present.clear();
  }

  /** Where the service has a card; null: it is not shown. */
  private serverColumn(threadId: string): string | null {
    const known = this.book.get(threadId);
    return known?.inFilter ? columnKey(known.card.lead_status?.id ?? null) : null;
  }

  /** Shows a card where it belongs: where somebody has it in hand, where it was moved, where the service has it. */
  private place(threadId: string, cause: Cause): void {
    const known = this.book.get(threadId);
    const server = this.serverColumn(threadId);
    const move = this.moveOf(threadId);
    const column = server === null ? null : move ? columnKey(move.to) : server;
    this.dirtyCards.add(threadId);
    this.columns.count(threadId, column);
    this.totals.show(threadId, server, column);
    for (const changed of [server, column]) if (changed !== null) this.columns.dirty.add(changed);
    if (column !== this.brought.get(threadId)) this.brought.delete(threadId);
    const stays = this.pins.get(threadId)?.stays;
    if (stays) return this.columns.put(threadId, { ...stays, always: true }, cause);
    if (!known || column === null) return this.columns.put(threadId, null, cause);
    const place = move
      ? placeOfMoved(known.card, this.shownSort, move.count)
      : placeOf(known.card, this.shownSort);
    const always = move !== undefined || this.brought.has(threadId);
    this.columns.put(threadId, { column, place, always }, cause);
  }

  /** The move that counts; none where its stage is not in the funnel any more. */
  private moveOf(threadId: string) {
    const move = this.moves.last(threadId);
    return move && this.columns.has(columnKey(move.to)) ? move : undefined;
  }

  /** A move by hand has its event: it is over, and so are those of the card before it. */
  private confirm(threadId: string, requestId: string, from: string | null): void {
    const moves = this.moves.of(threadId);
    const at = moves.findIndex((move) => move.requestId === requestId);
    if (at < 0) return;
    this.totals.confirm(threadId, requestId, from, this.serverColumn(threadId));
    for (const { requestId: over } of moves.slice(0, at + 1)) this.moves.end(over);
    this.settledListeners.tell(WHOLE, requestId);
  }

  private movedByOther(move: ForeignMove): void {
    this.movedBy.set(move.threadId, move);
    this.foreign.push(move);
    this.foreign.splice(0, this.foreign.length - MOVES_MAX);
    this.movesChanged = true;
    this.pins.get(move.threadId)?.happened.push({ kind: 'moved', ...move });
  }

  private keepForPin(
    threadId: string,
    before: { card: Card; inFilter: boolean },
    card: Card,
    inFilter: boolean,
  ) {
    const pin = this.pins.get(threadId);
    if (before.inFilter && !inFilter) pin?.happened.push({ kind: 'left' });
    if (card.erased_at !== null && before.card.erased_at === null) pin?.happened.push({ kind: 'erased' });
  }

  /** @returns whether the card is to be drawn anew */
  private refreshCard(threadId: string): boolean {
    const old = this.cardViews.get(threadId);
    const view = this.pins.get(threadId)?.stays?.view ?? this.viewOf(threadId, old);
    if (view === old) return false;
    if (view) this.cardViews.set(threadId, view);
    else this.cardViews.delete(threadId);
    return true;
  }

  private viewOf(threadId: string, old: CardView | undefined): CardView | undefined {
    const known = this.book.get(threadId);
    if (!known) return undefined;
    const move = this.moveOf(threadId);
    const card = move ? this.withStage(known.card, move.to, old?.card) : known.card;
    const movedBy = this.movedBy.get(threadId) ?? null;
    const present = this.present.get(threadId) ?? NOBODY;
    const pending = move !== undefined;
    return old?.card === card && old.pending === pending && old.movedBy === movedBy && old.present === present
      ? old
      : { card, pending, movedBy, present };
  }

  private withStage(card: Card, to: StatusId, old: Card | undefined): Card {
    if ((card.lead_status?.id ?? null) === to) return card;
    if (old?.version === card.version && (old.lead_status?.id ?? null) === to) return old;
    const stage = this.state.statuses.find(({ id }) => id === to);
    const ref = stage && { id: stage.id, name: stage.name, kind: stage.kind, order: stage.order };
    return { ...card, lead_status: ref ?? null };
  }

  private lastPlace(cards: readonly Card[]): Place | null {
    const places = cards.map((card) => placeOf(card, this.shownSort));
    return places.reduce<Place | null>(
      (last, place) => (last === null || comparePlaces(place, last) > 0 ? place : last),
      null,
    );
  }
}
