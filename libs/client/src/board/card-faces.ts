import type { Card, PresentUser } from '@app/contracts/board-events';
import type { FunnelStage } from '@app/contracts/lead.words';
import type { CardView, ForeignMove, StatusId } from './board-views';

const NOBODY: readonly PresentUser[] = [];

/** What a card is drawn from. */
export interface CardParts {
  card: Card;
  /** Where a pending move puts it; undefined: none is pending. */
  to: StatusId | undefined;
  movedBy: ForeignMove | null;
}

/** Cards as they are drawn: the same object until something of it changes. */
export class CardFaces {
  private readonly views = new Map<string, CardView>();
  /** Who has which dialog open; another map when that changes. */
  present: ReadonlyMap<string, readonly PresentUser[]> = new Map();
  /** The cards whose views may be other than before. */
  readonly dirty = new Set<string>();

  get(threadId: string): CardView | undefined {
    return this.views.get(threadId);
  }

  ids(): string[] {
    return [...this.views.keys()];
  }

  setPresent(threadId: string, users: readonly PresentUser[]): void {
    const present = new Map(this.present);
    if (users.length > 0) present.set(threadId, users);
    else present.delete(threadId);
    this.present = present;
    this.dirty.add(threadId);
  }

  forgetPresent(): void {
    for (const id of this.present.keys()) this.dirty.add(id);
    this.present = new Map();
  }

  /**
   * @param shown what it is drawn from, or the view that stays; undefined: nothing is known of it
   * @returns whether the card is to be drawn anew
   */
  refresh(
    threadId: string,
    shown: CardParts | CardView | undefined,
    statuses: readonly FunnelStage[],
  ): boolean {
    this.dirty.delete(threadId);
    const old = this.views.get(threadId);
    const view = shown && ('present' in shown ? shown : this.draw(threadId, shown, statuses));
    if (view === old) return false;
    if (view) this.views.set(threadId, view);
    else this.views.delete(threadId);
    return true;
  }

  private draw(threadId: string, { card: known, to, movedBy }: CardParts, statuses: readonly FunnelStage[]) {
    const old = this.views.get(threadId);
    const card = to === undefined ? known : withStage(known, to, statuses, old?.card);
    const present = this.present.get(threadId) ?? NOBODY;
    const pending = to !== undefined;
    const isSame =
      old?.card === card && old.pending === pending && old.movedBy === movedBy && old.present === present;
    return isSame ? old : { card, pending, movedBy, present };
  }
}

function withStage(card: Card, to: StatusId, statuses: readonly FunnelStage[], old: Card | undefined): Card {
  if ((card.lead_status?.id ?? null) === to) return card;
  if (old?.version === card.version && (old.lead_status?.id ?? null) === to) return old;
  const stage = statuses.find(({ id }) => id === to);
  const ref = stage && { id: stage.id, name: stage.name, kind: stage.kind, order: stage.order };
  return { ...card, lead_status: ref ?? null };
}
