import type { Card, PresentUser } from '@app/contracts/board-events';

type Present = ReadonlyMap<string, readonly PresentUser[]>;

/** What is to be told, and what need not be any more. */
export interface AlertChange {
  begun: readonly Card[];
  ended: readonly string[];
}

/** A person is asked for, or a customer waits; while the AI is about to answer, nobody need come. */
const needsPerson = ({ attention, waiting, waiting_reason: reason }: Card): boolean =>
  (attention !== null || waiting) && reason !== 'agent_due';

/**
 * The dialogs that need a person, from a list that is read at times and from events in between. The list has the last active
 * ones alone, and how many there are; so where there are more, what happens in one that it has not makes the number unsure,
 * until it is read again.
 */
export class AskedDialogs {
  private cards = new Map<string, Card>();
  private present: Present = new Map();
  /** Those that a person was told of, or has come to, and whether a person was asked for in them then. */
  private readonly known = new Map<string, boolean>();
  /** Of events since a list was asked for, which may be newer than it; null: none is under way. */
  private meanwhile: Map<string, Card> | null = null;
  private hasList = false;
  /** How many there are besides the cards. */
  private beyond = 0;
  private unsure = false;

  /** How many nobody has open. */
  get number(): number {
    return [...this.cards.keys()].filter((id) => !this.present.has(id)).length + this.beyond;
  }

  /** Whether the list has to be read again for the number to be right. */
  get isUnsure(): boolean {
    return this.unsure;
  }

  /** A list is asked for. */
  expectList(): void {
    this.meanwhile = new Map();
  }

  /**
   * The first list tells of nothing new: it was so before the page was opened.
   * @param total how many there are, the cards of the list included
   */
  takeList(cards: readonly Card[], total = cards.length): AlertChange {
    const newer = this.meanwhile ?? new Map<string, Card>();
    this.meanwhile = null;
    this.cards = new Map();
    this.beyond = Math.max(0, total - cards.length);
    this.unsure = this.beyond > 0 && newer.size > 0;
    for (const card of [...cards, ...newer.values()]) this.put(card);
    const change = this.change();
    const isFirst = !this.hasList;
    this.hasList = true;
    return isFirst ? { begun: [], ended: [] } : change;
  }

  take(card: Card): AlertChange {
    const known = this.meanwhile?.get(card.thread_id);
    if (!known || known.version <= card.version) this.meanwhile?.set(card.thread_id, card);
    this.unsure ||= this.beyond > 0 && !this.cards.has(card.thread_id);
    this.put(card);
    return this.hasList ? this.change() : { begun: [], ended: [] };
  }

  takePresent(present: Present): AlertChange {
    this.unsure ||= this.beyond > 0 && [...present.keys()].some((id) => !this.cards.has(id));
    this.present = present;
    return this.hasList ? this.change() : { begun: [], ended: [] };
  }

  private put(card: Card): void {
    const { thread_id: id, version } = card;
    if ((this.cards.get(id)?.version ?? 0) > version) return;
    if (needsPerson(card)) this.cards.set(id, card);
    else this.cards.delete(id);
  }

  private change(): AlertChange {
    const gone = [...this.known.keys()].filter((id) => !this.cards.has(id));
    for (const id of gone) this.known.delete(id);
    // That a person is asked for is news of a dialog whose customer waits already.
    const calling = [...this.cards.values()].filter(
      ({ thread_id: id, attention }) =>
        !this.known.has(id) || (attention !== null && this.known.get(id) === false),
    );
    for (const { thread_id: id, attention } of this.cards.values()) this.known.set(id, attention !== null);
    return {
      begun: calling.filter(({ thread_id: id }) => !this.present.has(id)),
      ended: [...gone, ...[...this.known.keys()].filter((id) => this.present.has(id))],
    };
  }
}
