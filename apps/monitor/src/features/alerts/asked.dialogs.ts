import type { Card, PresentUser } from '@app/contracts/board.events';

type Present = ReadonlyMap<string, readonly PresentUser[]>;

/** What is to be told, and what need not be any more. */
export interface AlertChange {
  begun: readonly Card[];
  ended: readonly string[];
}

/** While the AI is about to answer, nobody need come. */
const isCalling = ({ attention, waiting_reason: reason }: Card): boolean =>
  attention !== null && reason !== 'agent_due';

/** The dialogs in which a person is asked for, from a list that is read at times and from events in between. */
export class AskedDialogs {
  private cards = new Map<string, Card>();
  private present: Present = new Map();
  /** In which a person was told of, or has come. */
  private readonly known = new Set<string>();
  /** Of events since a list was asked for, which may be newer than it; null: none is under way. */
  private meanwhile: Map<string, Card> | null = null;
  private hasList = false;

  /** How many nobody has open. */
  get number(): number {
    return [...this.cards.keys()].filter((id) => !this.present.has(id)).length;
  }

  /** A list is asked for. */
  expectList(): void {
    this.meanwhile = new Map();
  }

  /** The first list tells of nothing new: it was so before the page was opened. */
  takeList(cards: readonly Card[]): AlertChange {
    const newer = this.meanwhile ?? new Map<string, Card>();
    this.meanwhile = null;
    this.cards = new Map();
    for (const card of [...cards, ...newer.values()]) this.put(card);
    const change = this.change();
    const isFirst = !this.hasList;
    this.hasList = true;
    return isFirst ? { begun: [], ended: [] } : change;
  }

  take(card: Card): AlertChange {
    const known = this.meanwhile?.get(card.thread_id);
    if (!known || known.version <= card.version) this.meanwhile?.set(card.thread_id, card);
    this.put(card);
    return this.hasList ? this.change() : { begun: [], ended: [] };
  }

  takePresent(present: Present): AlertChange {
    this.present = present;
    return this.hasList ? this.change() : { begun: [], ended: [] };
  }

  private put(card: Card): void {
    const { thread_id: id, version, attention } = card;
    if ((this.cards.get(id)?.version ?? 0) > version) return;
    if (attention === null) this.cards.delete(id);
    else this.cards.set(id, card);
  }

  private change(): AlertChange {
    const gone = [...this.known].filter((id) => !this.cards.has(id));
    for (const id of gone) this.known.delete(id);
    const calling = [...this.cards.values()].filter(
      (card) => isCalling(card) && !this.known.has(card.thread_id),
    );
    for (const { thread_id: id } of calling) this.known.add(id);
    return {
      begun: calling.filter(({ thread_id: id }) => !this.present.has(id)),
      ended: [...gone, ...[...this.known].filter((id) => this.present.has(id))],
    };
  }
}
