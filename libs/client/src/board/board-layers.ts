import type { BoardEvent, BoardPage, BoardSnapshot, Card } from '@app/contracts/board-events';
import type { ThreadSort } from '@app/contracts/lead.words';
import { BoardColumns, columnKey, type Cause } from './board-columns';
import type { CardView, Happened, StatusId, ForeignMove } from './board-views';
import { CardBook, type KnownCard, comparePlaces, placeOf, placeOfMoved, type Place } from './card-book';
import type { CardParts } from './card-faces';
import { ColumnTotals } from './column-totals';
import { CardPins, PendingMoves } from './pending-moves';

const KEPT_MAX = 100;

/** Moves of others: the last of each card, and those that nobody was told of yet. */
class ForeignMoves {
  private readonly lasts = new Map<string, ForeignMove>();
  private untold: ForeignMove[] = [];

  add(move: ForeignMove): void {
    this.lasts.set(move.threadId, move);
    this.untold = [...this.untold, move].slice(-KEPT_MAX);
  }

  last(threadId: string): ForeignMove | null {
    return this.lasts.get(threadId) ?? null;
  }

  get areUntold(): boolean {
    return this.untold.length > 0;
  }

  /** The oldest first, the last hundred at most. */
  take(): ForeignMove[] {
    return this.untold.splice(0);
  }

  /** The card was moved by the person at this page. */
  forget(threadId: string): void {
    this.lasts.delete(threadId);
  }

  clear(): void {
    this.lasts.clear();
    this.untold = [];
  }
}

/** What an event was to a board. */
export interface Heard {
  /** It says more than what was known. */
  isNews: boolean;
  /** The move by hand that it confirms. */
  confirmed: string | null;
}

/**
 * Where each card of a board stands, by three layers: what the service has told, over it the moves by hand that are not
 * confirmed, and over them the cards that somebody has in hand.
 */
export class BoardLayers {
  readonly totals = new ColumnTotals();
  readonly columns = new BoardColumns(this.totals);
  readonly foreign = new ForeignMoves();
  private readonly book = new CardBook();
  private readonly moves = new PendingMoves();
  private readonly pins = new CardPins();
  /** Where one's own move brought a card: there it is shown, though its place be beyond what is loaded. */
  private readonly brought = new Map<string, string>();
  private sort: ThreadSort = 'activity';
  /** Grows whenever all is read anew. */
  private epoch = 0;

  /** @param touched is told of each card that may be drawn otherwise */
  constructor(private readonly touched: (threadId: string) => void) {}

  /** Another board is shown. */
  clear(): void {
    this.epoch += 1;
    for (const part of [this.book, this.pins, this.foreign, this.brought, this.columns]) part.clear();
    this.totals.tellAll([]);
  }

  /** What a card is drawn from. */
  partsOf(threadId: string): CardParts | CardView | undefined {
    const stays = this.pins.get(threadId)?.stays;
    if (stays) return stays.view;
    const known = this.book.get(threadId);
    const to = this.moveOf(threadId)?.to;
    return known && { card: known.card, to, movedBy: this.foreign.last(threadId) };
  }

  /** @param anew whether it is another board or view than what was shown */
  snapshot({ columns }: BoardSnapshot, sort: ThreadSort, anew: boolean): void {
    this.epoch += 1;
    this.sort = sort;
    const before = [...this.book.ids(), ...this.columns.ids()];
    for (const { requestId } of this.moves.passSnapshot()) this.moves.end(requestId);
    const read = columns.flatMap(({ cards }) => cards);
    this.book.restart(read, new Set([...this.pins.ids(), ...this.moves.ids()]));
    this.totals.tellAll(columns.map(({ status_id, total }) => [columnKey(status_id), total]));
    this.columns.open(
      columns.map(({ status_id: statusId, total, cards, next_cursor: nextCursor }) => ({
        ...{ statusId, total, nextCursor, edge: this.lastPlace(cards) },
      })),
    );
    for (const id of new Set([...before, ...this.book.ids()])) this.place(id, 'read');
    this.columns.opened(anew);
  }

  event(event: BoardEvent): Heard {
    const { thread_id: threadId, request_id: requestId, card, in_filter: inFilter = true } = event;
    const before = this.book.get(threadId);
    const from = this.serverColumn(threadId);
    const isNews = this.book.takeEvent(event);
    const isOwn = this.moves.isOwn(requestId);
    if (isNews && event.event === 'card.moved') {
      const move = { threadId, from: event.from_status_id, to: event.to_status_id };
      if (isOwn) this.brought.set(threadId, columnKey(move.to));
      else this.movedByOther({ ...move, by: event.actor, at: event.at, card });
    }
    if (isNews && before && !isOwn) this.keepForPin(threadId, before, card, inFilter);
    const isConfirmed =
      event.event === 'card.moved' && requestId !== null && this.confirm(threadId, requestId, from);
    if (isNews || isOwn) this.place(threadId, isOwn ? 'own' : 'foreign');
    return { isNews, confirmed: isConfirmed ? requestId : null };
  }

  /** How to read on in a column; see the store. */
  further(statusId: StatusId): { cursor: string; take: (page: BoardPage) => void } | null {
    const column = columnKey(statusId);
    const cursor = this.columns.cursorOf(column);
    const { epoch } = this;
    if (cursor === null) return null;
    return {
      cursor,
      take: ({ cards, next_cursor: nextCursor }) => {
        if (this.epoch !== epoch || this.columns.cursorOf(column) !== cursor) return;
        this.columns.extend(column, { nextCursor, edge: this.lastPlace(cards) }, () => {
          for (const card of cards) if (this.book.takeRead(card)) this.place(card.thread_id, 'read');
        });
      },
    };
  }

  pin(threadId: string, view: CardView): void {
    const spot = this.columns.spotOf(threadId);
    if (!spot) return;
    this.pins.pin(threadId, { column: spot.column, place: spot.place, view });
    this.place(threadId, 'read');
  }

  unpin(threadId: string): Happened[] {
    const pin = this.pins.unpin(threadId);
    if (!pin) return [];
    this.letGo(threadId);
    return pin.happened;
  }

  begin(move: { threadId: string; to: StatusId; requestId: string }): void {
    this.moves.begin(move);
    this.foreign.forget(move.threadId);
    const pin = this.pins.get(move.threadId);
    if (pin) pin.stays = null;
    this.place(move.threadId, 'own');
  }

  answered(requestId: string, changed: boolean): void {
    const move = this.moves.find(requestId);
    if (!move) return;
    move.answered = true;
    if (!changed || move.passed) this.refuse(requestId);
  }

  refuse(requestId: string): void {
    const move = this.moves.end(requestId);
    if (move) this.letGo(move.threadId);
  }

  /** Shows a card where it belongs: where somebody has it in hand, where it was moved, where the service has it. */
  private place(threadId: string, cause: Cause): void {
    const known = this.book.get(threadId);
    const server = this.serverColumn(threadId);
    const move = this.moveOf(threadId);
    const column = server === null ? null : move ? columnKey(move.to) : server;
    this.touched(threadId);
    this.columns.count(threadId, column);
    this.totals.show(threadId, server, column);
    for (const changed of [server, column]) if (changed !== null) this.columns.dirty.add(changed);
    if (column !== this.brought.get(threadId)) this.brought.delete(threadId);
    const stays = this.pins.get(threadId)?.stays;
    if (stays) return this.columns.put(threadId, { ...stays, always: true }, cause);
    if (!known || column === null) return this.columns.put(threadId, null, cause);
    const place = move ? placeOfMoved(known.card, this.sort, move.count) : placeOf(known.card, this.sort);
    const always = move !== undefined || this.brought.has(threadId);
    this.columns.put(threadId, { column, place, always }, cause);
  }

  private letGo(threadId: string): void {
    if (!this.pins.get(threadId) && !this.moves.last(threadId)) this.book.letGo(threadId);
    this.place(threadId, 'own');
  }

  /** Where the service has a card; null: it is not shown. */
  private serverColumn(threadId: string): string | null {
    const known = this.book.get(threadId);
    return known?.inFilter ? columnKey(known.card.lead_status?.id ?? null) : null;
  }

  /** The move that counts; none where its stage is not in the funnel any more. */
  private moveOf(threadId: string) {
    const move = this.moves.last(threadId);
    return move && this.columns.has(columnKey(move.to)) ? move : undefined;
  }

  /** A move by hand has its event: it is over, and so are those of the card before it. */
  private confirm(threadId: string, requestId: string, from: string | null): boolean {
    const moves = this.moves.of(threadId);
    const at = moves.findIndex((move) => move.requestId === requestId);
    if (at < 0) return false;
    this.totals.confirm(threadId, requestId, from, this.serverColumn(threadId));
    for (const { requestId: over } of moves.slice(0, at + 1)) this.moves.end(over);
    return true;
  }

  private movedByOther(move: Parameters<ForeignMoves['add']>[0]): void {
    this.foreign.add(move);
    this.pins.get(move.threadId)?.happened.push({ kind: 'moved', ...move });
  }

  private keepForPin(threadId: string, before: KnownCard, card: Card, inFilter: boolean): void {
    const happened = this.pins.get(threadId)?.happened;
    if (before.inFilter && !inFilter) happened?.push({ kind: 'left' });
    if (card.erased_at !== null && before.card.erased_at === null) happened?.push({ kind: 'erased' });
  }

  private lastPlace(cards: readonly Card[]): Place | null {
    const places = cards.map((card) => placeOf(card, this.sort));
    return places.sort(comparePlaces).at(-1) ?? null;
  }
}
