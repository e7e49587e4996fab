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
export interface PastMessage {
  event: 'message.created';
  seq: null;
  thread_id: string;
  at: string;
  message: MessageAnswer;
}

/** A dialog that was opened while nobody listened. */
export interface PastOpening {
  event: 'card.created';
  seq: null;
  thread_id: string;
  at: string;
  thread: ThreadAnswer;
}

export type MissedEvent = PastEvent | PastMessage | PastOpening;

/** From where on something is missed. */
export interface Gap {
  assistantId: string;
  /** The newest time of the log that is known for certain. */
  since: string;
  told: KnownEvents;
}

/** By what it is seen that a dialog has changed: every message and every entry of its history raises the version. */
export type ThreadState = Pick<ThreadAnswer, 'thread_id' | 'version' | 'updated_at'>;

/** What is known already. */
export interface KnownEvents {
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
