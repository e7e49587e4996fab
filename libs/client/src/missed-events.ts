import type { BoardEvent } from '@app/contracts/board-events';
import type { Api } from './api-client';
import type { HistoryEntryAnswer, MessageAnswer, ThreadAnswer } from './api-types';
import { retry } from './call-retry';

/** What happened while nobody listened, told by the dialog's history: the board's name of it, and the entry. */
export interface PastEvent {
  event: 'card.moved' | 'ai.switched' | 'card.updated';
  seq: number;
  thread_id: string;
  at: string;
  history: HistoryEntryAnswer;
}

/** A message that came while nobody listened. Its own number in the log is not known any more. */
interface PastMessage {
  event: 'message.created';
  seq: null;
  thread_id: string;
  at: string;
  message: MessageAnswer;
}

/** A dialog that was opened while nobody listened. */
interface PastOpening {
  event: 'card.created';
  seq: null;
  thread_id: string;
  at: string;
  thread: ThreadAnswer;
}

export type MissedEvent = PastEvent | PastMessage | PastOpening;

/** From where on something is missed. */
interface Gap {
  assistantId: string;
  /** The newest time of the log that is known for certain. */
  since: string;
  told: KnownEvents;
}

/** By what it is seen that a dialog has changed: every message and every entry of its history raises the version. */
type ThreadState = Pick<ThreadAnswer, 'thread_id' | 'version' | 'updated_at'>;

/** What is known already. */
interface KnownEvents {
  /** Whether all that made it what it is was told. */
  isAsTold: (thread: ThreadState) => boolean;
  /** All that made it what it is was read. */
  knowState: (thread: ThreadState) => void;
  isNewsOf: (threadId: string, entry: { seq: number; at: string }) => boolean;
  isNewsThread: (thread: { thread_id: string; created_at: string }) => boolean;
  isNewsMessage: (message: { id: string; created_at: string }) => boolean;
}

const PAGE = 200;
/** What was committed late may be that much older than what was heard before it. */
const LATE_MS = 60_000;

const NAMES: Partial<Record<string, PastEvent['event']>> = {
  status: 'card.moved',
  ai: 'ai.switched',
  handler: 'ai.switched',
};

/**
 * Reads what no replay of the board can tell, from histories and messages: dialog by dialog, in order in each. It takes
 * its time where the key's calls are used up, and over outages. Of states of messages it tells none.
 */
export class MissedEvents {
  constructor(
    private readonly api: Api,
    private readonly signal: AbortSignal,
  ) {}

  /** @throws ApiError that does not pass, or as the signal says */
  async *since(gap: Gap): AsyncGenerator<MissedEvent> {
    const from = new Date(Date.parse(gap.since) - LATE_MS).toISOString();
    let cursor: string | null | undefined;
    do {
      const body = {
        ...{ assistant_id: gap.assistantId, active_after: from, sort: 'opened' as const, limit: PAGE },
        ...(cursor && { cursor }),
      };
      const page = await this.call(() => this.api.post('/api/v1/messages/get-threads', { body }));
      for (const thread of page.threads) {
        if (gap.told.isAsTold(thread)) continue;
        const past = [
          ...(gap.told.isNewsThread(thread) ? [openingOf(thread)] : []),
          ...(await this.history(thread, gap)),
          ...(await this.messages(thread, gap, from)),
        ];
        yield* past.sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
        gap.told.knowState(thread);
      }
      cursor = page.has_more ? page.next_cursor : null;
    } while (cursor);
  }

  private async history({ thread_id }: ThreadAnswer, { told }: Gap): Promise<PastEvent[]> {
    const found: PastEvent[] = [];
    let cursor: string | null | undefined;
    do {
      const body = { thread_id, limit: PAGE, ...(cursor && { cursor }) };
      const page = await this.call(() => this.api.post('/api/v1/leads/get-history', { body }));
      const news = page.entries.filter((entry) => told.isNewsOf(thread_id, entry));
      for (const history of news) {
        const { seq, at } = history;
        found.unshift({ event: NAMES[history.type] ?? 'card.updated', seq, thread_id, at, history });
      }
      cursor = news.length < page.entries.length ? null : page.next_cursor;
    } while (cursor);
    return found;
  }

  private async messages({ thread_id }: ThreadAnswer, { told }: Gap, from: string): Promise<PastMessage[]> {
    const found: PastMessage[] = [];
    let cursor: string | null | undefined;
    do {
      const body = { thread_id, limit: PAGE, ...(cursor && { cursor }) };
      const page = await this.call(() => this.api.post('/api/v1/messages/get-messages', { body }));
      const recent = page.messages.filter(({ created_at }) => created_at >= from);
      for (const message of recent)
        if (told.isNewsMessage(message))
          found.unshift({
            ...{ event: 'message.created', seq: null, thread_id, at: message.created_at },
            message: { ...message, thread_id },
          });
      cursor = recent.length < page.messages.length ? null : page.next_cursor;
    } while (cursor);
    return found;
  }

  private call<T>(ask: () => Promise<T>): Promise<T> {
    this.signal.throwIfAborted();
    return retry(ask, { attempts: Infinity, signal: this.signal });
  }
}

const openingOf = (thread: ThreadAnswer): PastOpening => ({
  ...{ event: 'card.created', seq: null, thread_id: thread.thread_id, at: thread.created_at, thread },
});

/** Of the newest messages, by which one that was heard is known in what is read afterwards. */
const MESSAGES_KEPT = 20_000;
/** Of so many dialogs, those that changed last, it is known in which state they were told. */
const STATES_KEPT = 20_000;
/** So far back a replay reaches. */
const REPLAYED_MS = 30_000;

/** What a follower has told, or knows to be of before its beginning. */
export class ToldEvents implements KnownEvents {
  /** The newest event of each dialog: in a dialog they are numbered in their order. */
  private readonly last = new Map<string, number>();
  /** In which state a dialog was told or read. */
  private readonly states = new Map<string, string>();
  private readonly messages = new Set<string>();
  /** Dialogs of which was read that they had been opened. */
  private readonly opened = new Set<string>();
  /** All up to this number is known. */
  seq: number;

  /**
   * @param beginning what is numbered above is news
   * @param at the newest time of the log that is known, by the service's clock
   * @param from what is of this time or before was there at the beginning
   */
  private constructor(
    private readonly beginning: number,
    public at: string,
    private from = at,
  ) {
    this.seq = beginning;
  }

  /** Nothing is known but the time of the newest activity. */
  static from(seq: number, newest: string): ToldEvents {
    return new ToldEvents(seq, newest);
  }

  /** All up to an event was told, but for what was committed late: that of half a minute before it comes again. */
  static behind(seq: number, at: string): ToldEvents {
    return new ToldEvents(seq, at, halfAMinuteBefore(at));
  }

  /**
   * The first replay tells what was before the beginning, as far as it reaches: what comes of that time later is news.
   * @param areTold false: what was before is known from now on, and is not told
   */
  begin(events: readonly BoardEvent[], { areTold }: { areTold: boolean }): void {
    const before = events.filter(({ seq }) => seq <= this.beginning);
    if (!areTold) for (const event of before) this.know(event);
    const newest = before.map(({ at }) => at).reduce(later, '');
    if (newest !== '') this.from = halfAMinuteBefore(newest);
  }

  /** Whether an event is to be told, which is then known. */
  take(event: BoardEvent): boolean {
    if (event.seq <= this.lastOf(event.thread_id)) return false;
    // It may have been read before it came.
    const isTold =
      (event.event === 'message.created' && this.messages.has(event.message.id)) ||
      (event.event === 'card.created' && this.opened.has(event.thread_id));
    this.know(event);
    return !isTold;
  }

  /** Whether an entry of a dialog's history, a message or an opening is to be told, which is then known. */
  takeMissed(event: MissedEvent): boolean {
    if (event.event === 'message.created') this.knowMessage(event.message.id);
    else if (event.event === 'card.created') this.opened.add(event.thread_id);
    else if (!this.isNewsOf(event.thread_id, event)) return false;
    else this.last.set(event.thread_id, event.seq);
    return true;
  }

  /** All up to this number and this time is known. */
  reach(seq: number, at: string): void {
    this.seq = Math.max(this.seq, seq);
    this.at = later(this.at, at);
  }

  /** Whether an entry of a dialog's history was not told yet. */
  isNewsOf(threadId: string, { seq, at }: { seq: number; at: string }): boolean {
    const last = this.last.get(threadId);
    if (last !== undefined) return seq > last;
    // Whatever its number: it may have been committed after others that have a higher one.
    return seq > this.beginning || isLater(at, this.from);
  }

  /** Whether it was not told yet that a dialog was opened. */
  isNewsThread({ thread_id: id, created_at: at }: { thread_id: string; created_at: string }): boolean {
    return isLater(at, this.from) && !this.last.has(id) && !this.opened.has(id);
  }

  isNewsMessage({ id, created_at: at }: { id: string; created_at: string }): boolean {
    return isLater(at, this.from) && !this.messages.has(id);
  }

  /** Whether everything was told that made a dialog what it is. */
  isAsTold(thread: ThreadState): boolean {
    return this.states.get(thread.thread_id) === stateOf(thread);
  }

  /** All that made a dialog what it is was told, or is about to be. */
  knowState(thread: ThreadState): void {
    // The last that changed is the last to be forgotten.
    this.states.delete(thread.thread_id);
    this.states.set(thread.thread_id, stateOf(thread));
    forgetOldest(this.states, STATES_KEPT);
  }

  private knowMessage(id: string): void {
    this.messages.add(id);
    forgetOldest(this.messages, MESSAGES_KEPT);
  }

  private know(event: BoardEvent): void {
    this.last.set(event.thread_id, Math.max(event.seq, this.lastOf(event.thread_id)));
    this.knowState({ ...event.card, version: event.version });
    this.reach(event.seq, event.at);
    if ('message' in event) this.knowMessage(event.message.id);
  }

  private lastOf(threadId: string): number {
    return this.last.get(threadId) ?? 0;
  }
}

/** The time as well: after a restore a version may be another state. */
const stateOf = ({ version, updated_at }: ThreadState): string => `${version} ${updated_at}`;

function forgetOldest(kept: Map<string, string> | Set<string>, max: number): void {
  const [oldest] = kept.keys();
  if (kept.size > max && oldest !== undefined) kept.delete(oldest);
}

const halfAMinuteBefore = (at: string): string => new Date(Date.parse(at) - REPLAYED_MS).toISOString();

/** An empty text is before all times. */
const later = (one: string, other: string): string => (one === '' || isLater(other, one) ? other : one);

const isLater = (one: string, other: string): boolean => Date.parse(one) > Date.parse(other);
