import type { ColumnView, StatusId } from './board-views';
import { comparePlaces, type Place } from './card-book';
import type { ColumnTotals } from './column-totals';

/** The order of a column while somebody works in it: it stands still until it is asked for, or let go. */
class HeldOrder {
  private readonly reasons = new Set<string>();
  private ids: string[] = [];
  private readonly touched = new Set<string>();

  get isHeld(): boolean {
    return this.reasons.size > 0;
  }

  /** How many cards would come, or stand elsewhere. */
  get changed(): number {
    return this.touched.size;
  }

  hold(reason: string, order: readonly string[]): void {
    if (!this.isHeld) this.freeze(order);
    this.reasons.add(reason);
  }

  release(reason: string): void {
    this.reasons.delete(reason);
    if (!this.isHeld) this.freeze([]);
  }

  freeze(order: readonly string[]): void {
    this.ids = [...order];
    this.touched.clear();
  }

  /** Somebody else changed the place of a card, or brought it. */
  touch(threadId: string): void {
    this.touched.add(threadId);
  }

  leave(threadId: string): void {
    this.touched.delete(threadId);
    const at = this.ids.indexOf(threadId);
    if (at >= 0) this.ids.splice(at, 1);
  }

  /** One's own card comes at once, before the first one that follows it. */
  insert(threadId: string, order: readonly string[]): void {
    if (this.ids.includes(threadId)) return;
    this.touched.delete(threadId);
    const following = new Set(order.slice(order.indexOf(threadId) + 1));
    const at = this.ids.findIndex((id) => following.has(id));
    this.ids.splice(at < 0 ? this.ids.length : at, 0, threadId);
  }

  /** Further cards of a column stand behind the others. */
  append(threadIds: readonly string[]): void {
    const known = new Set(this.ids);
    this.ids.push(...threadIds.filter((id) => !known.has(id)));
    for (const id of threadIds) this.touched.delete(id);
  }

  /** Of the cards that belong to the column those that are shown, in their order. */
  shown(order: readonly string[]): string[] {
    const members = new Set(order);
    return this.ids.filter((id) => members.has(id));
  }
}

/** Where a card is shown. */
interface Spot {
  column: string;
  place: Place;
  /** Also beyond the part of the column that is loaded. */
  always: boolean;
}

/** Who changes a place: the person at this page, another, or a page of cards that was read. */
export type Cause = 'own' | 'foreign' | 'read';

interface Column {
  statusId: StatusId;
  nextCursor: string | null;
  /** The last place that is loaded; what lies behind comes with a page. Null: nothing is loaded. */
  edge: Place | null;
}

/** The key of a column, as the page's `data-status-id` has it. */
export const columnKey = (statusId: StatusId): string => statusId ?? 'none';

/** Which cards stand in which column, in which order, and how many there are. */
export class BoardColumns {
  private columns = new Map<string, Column>();
  private readonly spots = new Map<string, Spot>();
  private readonly members = new Map<string, Set<string>>();
  private readonly orders = new Map<string, string[]>();
  private readonly held = new Map<string, HeldOrder>();
  private readonly countedIn = new Map<string, string>();
  private readonly counts = new Map<string, number>();
  private readonly views = new Map<string, ColumnView>();
  /** The columns whose views may be other than before. */
  readonly dirty = new Set<string>();

  constructor(private readonly totals: ColumnTotals) {}

  has(column: string): boolean {
    return this.columns.has(column);
  }

  spotOf(threadId: string): Spot | undefined {
    return this.spots.get(threadId);
  }

  /** The cards that stand somewhere. */
  ids(): string[] {
    return [...this.spots.keys()];
  }

  cursorOf(column: string): string | null {
    return this.columns.get(column)?.nextCursor ?? null;
  }

  /** The columns of a snapshot. Their cards are put afterwards, and then {@link opened}. */
  open(columns: readonly (Column & { total: number })[]): void {
    for (const key of [...this.columns.keys(), ...this.held.keys()]) this.dirty.add(key);
    this.columns = new Map(columns.map(({ total: _, ...column }) => [columnKey(column.statusId), column]));
    this.orders.clear();
    for (const key of this.columns.keys()) this.dirty.add(key);
  }

  /** @param anew whether it is another board, or another view of it: then no order stands still */
  opened(anew: boolean): void {
    for (const [key, held] of this.held) {
      const order = this.orderOf(key);
      if (anew) held.freeze(order);
      const shown = new Set(held.shown(order));
      for (const id of order) if (!shown.has(id)) held.touch(id);
    }
  }

  /** A page of a column: its cards are put by `put`. */
  extend(column: string, { nextCursor, edge }: Omit<Column, 'statusId'>, put: () => void): void {
    const before = new Set(this.orderOf(column));
    put();
    const known = this.columns.get(column);
    if (!known) return;
    known.nextCursor = nextCursor;
    if (edge && (known.edge === null || comparePlaces(edge, known.edge) > 0)) known.edge = edge;
    this.change(column);
    this.held.get(column)?.append(this.orderOf(column).filter((id) => !before.has(id)));
  }

  put(threadId: string, spot: Spot | null, cause: Cause): void {
    const old = this.spots.get(threadId);
    if (old && spot && isSame(old, spot)) return;
    if (old) this.change(old.column);
    if (old && old.column !== spot?.column) {
      this.members.get(old.column)?.delete(threadId);
      this.held.get(old.column)?.leave(threadId);
    }
    if (!spot) return void this.spots.delete(threadId);
    this.spots.set(threadId, spot);
    this.membersOf(spot.column).add(threadId);
    this.change(spot.column);
    const held = this.held.get(spot.column);
    if (!held?.isHeld || cause === 'read') return;
    if (cause === 'own') held.insert(threadId, this.orderOf(spot.column));
    else if (this.isInReach(spot) && !isSamePlace(old, spot)) held.touch(threadId);
  }

  /** In which column a lead is counted; null: in none. */
  count(threadId: string, column: string | null): void {
    const old = this.countedIn.get(threadId) ?? null;
    if (old === column) return;
    if (old !== null) this.add(old, -1);
    if (column === null) return void this.countedIn.delete(threadId);
    this.countedIn.set(threadId, column);
    this.add(column, 1);
  }

  hold(column: string, reason: string): void {
    const held = this.held.get(column) ?? new HeldOrder();
    this.held.set(column, held);
    held.hold(reason, this.orderOf(column));
  }

  release(column: string, reason: string): void {
    const held = this.held.get(column);
    if (!held) return;
    held.release(reason);
    if (!held.isHeld) this.held.delete(column);
    this.dirty.add(column);
  }

  resort(column: string): void {
    const held = this.held.get(column);
    if (held?.isHeld) held.freeze(this.orderOf(column));
    this.dirty.add(column);
  }

  view(column: string): ColumnView | undefined {
    if (this.dirty.has(column)) this.refresh(column);
    return this.views.get(column);
  }

  /** @returns whether the column is other than before */
  refresh(column: string): boolean {
    this.dirty.delete(column);
    const known = this.columns.get(column);
    const old = this.views.get(column);
    if (!known) return this.views.delete(column);
    const order = this.orderOf(column);
    const held = this.held.get(column);
    const view: ColumnView = {
      statusId: known.statusId,
      ids: held?.isHeld ? held.shown(order) : order,
      // What is here as a whole is counted here: totals come up to half a second later.
      total: known.nextCursor === null ? (this.counts.get(column) ?? 0) : this.totals.of(column),
      nextCursor: known.nextCursor,
      changed: held?.isHeld ? held.changed : 0,
    };
    if (old && isSameView(old, view)) return false;
    this.views.set(column, view);
    return true;
  }

  /** Forgets everything but who holds what. */
  clear(): void {
    for (const key of this.columns.keys()) this.dirty.add(key);
    for (const map of [this.columns, this.spots, this.members, this.orders, this.countedIn, this.counts])
      map.clear();
  }

  private add(column: string, by: number): void {
    this.counts.set(column, (this.counts.get(column) ?? 0) + by);
    this.dirty.add(column);
  }

  private change(column: string): void {
    this.orders.delete(column);
    this.dirty.add(column);
  }

  private membersOf(column: string): Set<string> {
    const known = this.members.get(column) ?? new Set();
    this.members.set(column, known);
    return known;
  }

  private orderOf(column: string): string[] {
    const known = this.orders.get(column);
    if (known) return known;
    const spots: Spot[] = [];
    for (const id of this.members.get(column) ?? []) {
      const spot = this.spots.get(id);
      if (spot && this.isInReach(spot)) spots.push(spot);
    }
    const order = spots.sort((a, b) => comparePlaces(a.place, b.place)).map(({ place }) => place.id);
    this.orders.set(column, order);
    return order;
  }

  private isInReach({ column, place, always }: Spot): boolean {
    const known = this.columns.get(column);
    if (always || !known || known.nextCursor === null) return true;
    return known.edge !== null && comparePlaces(place, known.edge) <= 0;
  }
}

const isSamePlace = (a: Spot | undefined, b: Spot): boolean =>
  a?.column === b.column && comparePlaces(a.place, b.place) === 0;

const isSame = (a: Spot, b: Spot): boolean => isSamePlace(a, b) && a.always === b.always;

const isSameView = (a: ColumnView, b: ColumnView): boolean =>
  a.total === b.total &&
  a.nextCursor === b.nextCursor &&
  a.changed === b.changed &&
  a.ids.length === b.ids.length &&
  a.ids.every((id, index) => id === b.ids[index]);
