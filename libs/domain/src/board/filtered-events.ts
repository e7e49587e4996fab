import type { BoardEvent, Card } from '@app/contracts/board-events';
import { Logger } from '@nestjs/common';

/** How a view's filter is asked. */
export interface CardJudge {
  /** Null: the database knows. */
  decide: (card: Card) => boolean | null;
  passing: (cards: readonly Card[]) => Promise<boolean[]>;
  /** The events of shortly before the view was opened; none where cards show all that the filter asks for. */
  former: (ageMs: number, limit: number) => Promise<readonly BoardEvent[]>;
}

export interface FilteredListener {
  happened: (event: BoardEvent) => void;
  /** More waits for the database than is kept: the board must be opened anew. */
  outdated: () => void;
}

/** An event as it was told. */
interface Told {
  event: BoardEvent;
  /** Null: it is of before the view was opened, and clients have either verdict. */
  passes: boolean | null;
  /** By `performance.now()`. */
  until: number;
}

/** Events of this time share a question. A single one is asked about at once. */
const ASK_EVERY_MS = 100;
const ASK_AGAIN_AFTER_FAULT_MS = 1_000;
const ASKED_AT_ONCE = 500;
const WAITING_MAX = 1_000;
const LOOK_AGAIN_EVERY_MS = 1_000;
/** Words are found and runs go on a moment after the event that says so, and no event tells of that. */
const LOOK_AGAIN_FOR_MS = 10_000;
const LOOKED_AT_MAX = 500;

/**
 * Tells of each event whether its card passes a view's filter. Where the card shows all that the filter asks for, it tells
 * at once. Elsewhere it asks the database, for many events together, and again for some seconds: when the answer has
 * changed, the last event of the dialog comes once more as `card.updated`. So does that of a dialog which changed shortly
 * before the view was opened. Events stay in order.
 */
export class FilteredEvents {
  private readonly logger = new Logger(FilteredEvents.name);
  private waiting: BoardEvent[] = [];
  /** The last event of each dialog that is looked at again, the oldest first. */
  private readonly told = new Map<string, Told>();
  private asking = false;
  private askedAt = -Infinity;
  private askTimer: NodeJS.Timeout | null = null;
  private lookTimer: NodeJS.Timeout | null = null;
  private stopped = false;
  private knowsFormer = false;

  constructor(
    private readonly judge: CardJudge,
    private readonly listener: FilteredListener,
  ) {
    this.lookSoon();
  }

  take(event: BoardEvent): void {
    const passes = this.waiting.length === 0 ? this.judge.decide(event.card) : null;
    if (passes !== null) return this.tell(event, passes);
    if (this.waiting.length >= WAITING_MAX) return this.giveUp();
    this.waiting.push(event);
    this.askSoon(Math.max(0, this.askedAt + ASK_EVERY_MS - performance.now()));
  }

  /** Forgets what waits: boards are opened anew. */
  clear(): void {
    this.waiting = [];
    this.told.clear();
    this.knowsFormer = false;
    this.lookSoon();
  }

  stop(): void {
    this.stopped = true;
    this.clear();
    if (this.askTimer) clearTimeout(this.askTimer);
    if (this.lookTimer) clearTimeout(this.lookTimer);
  }

  private giveUp(): void {
    this.clear();
    this.listener.outdated();
  }

  private askSoon(wait: number): void {
    if (this.asking || this.askTimer || this.stopped) return;
    this.askTimer = setTimeout(() => {
      this.askTimer = null;
      void this.ask();
    }, wait);
  }

  /** Never throws: nobody awaits it. What could not be asked waits for the next try. */
  private async ask(): Promise<void> {
    const { waiting } = this;
    const batch = waiting.slice(0, ASKED_AT_ONCE);
    this.asking = true;
    this.askedAt = performance.now();
    const verdicts = await this.verdictsOf(batch);
    this.asking = false;
    if (verdicts && this.waiting === waiting) {
      for (const [index, event] of waiting.splice(0, batch.length).entries())
        this.tell(event, verdicts[index] ?? false);
    }
    if (this.waiting.length > 0) this.askSoon(verdicts ? ASK_EVERY_MS : ASK_AGAIN_AFTER_FAULT_MS);
  }

  private async verdictsOf(events: readonly BoardEvent[]): Promise<boolean[] | null> {
    try {
      return await this.judge.passing(events.map(({ card }) => card));
    } catch (error) {
      this.logger.warn({ err: error }, 'A filter of a board could not be asked; it is asked again.');
      return null;
    }
  }

  private tell(event: BoardEvent, passes: boolean): void {
    // Whatever the card shows decides for good; the rest may change without an event.
    this.told.delete(event.thread_id);
    if (this.judge.decide(event.card) === null) {
      this.told.set(event.thread_id, { event, passes, until: performance.now() + LOOK_AGAIN_FOR_MS });
      const [oldest] = this.told.keys();
      if (this.told.size > LOOKED_AT_MAX && oldest !== undefined) this.told.delete(oldest);
      this.lookSoon();
    }
    this.send(event, passes);
  }

  private lookSoon(): void {
    if (this.stopped || (this.knowsFormer && this.told.size === 0)) return;
    this.lookTimer ??= setTimeout(() => void this.lookAgain(), LOOK_AGAIN_EVERY_MS);
  }

  private async lookAgain(): Promise<void> {
    if (!this.knowsFormer) await this.readFormer();
    const looked = [...this.told.values()];
    const began = performance.now();
    const verdicts = await this.verdictsOf(looked.map(({ event }) => event));
    this.lookTimer = null;
    for (const [index, each] of looked.entries()) {
      const { event, passes, until } = each;
      // A later event of the dialog was told meanwhile.
      if (!verdicts || this.told.get(event.thread_id) !== each) continue;
      if (until < began) this.told.delete(event.thread_id);
      const now = verdicts[index] ?? false;
      if (now === passes) continue;
      each.passes = now;
      this.send(repeated(event), now);
    }
    this.lookSoon();
  }

  /** Never throws: what could not be read is read with the next look. */
  private async readFormer(): Promise<void> {
    try {
      const events = await this.judge.former(LOOK_AGAIN_FOR_MS, LOOKED_AT_MAX);
      this.knowsFormer = true;
      if (this.stopped) return;
      for (const event of events) {
        if (
          (this.told.get(event.thread_id)?.passes ?? null) !== null ||
          this.judge.decide(event.card) !== null
        )
          continue;
        const until = performance.now() + LOOK_AGAIN_FOR_MS;
        this.told.set(event.thread_id, { event, passes: null, until });
      }
    } catch (error) {
      this.logger.warn(
        { err: error },
        'What happened before a board was opened could not be read; it is read again.',
      );
    }
  }

  /** Never throws. */
  private send(event: BoardEvent, passes: boolean): void {
    try {
      this.listener.happened({ ...event, in_filter: passes });
    } catch (error) {
      this.logger.error({ err: error, seq: event.seq }, 'A board could not take an event.');
    }
  }
}

/** The same state of the card once more. */
function repeated({ seq, thread_id, version, at, request_id, actor, card }: BoardEvent): BoardEvent {
  return { event: 'card.updated', seq, thread_id, version, at, request_id, actor, card };
}
