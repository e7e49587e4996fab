import type { Message } from '@app/contracts/message.words';
import type { HistoryEntryAnswer } from '@app/client/api-types';
import { MessageStore, type ListedMessage } from '@app/client/message.store';
import type { BoardEvent, Card } from '@app/contracts/board-events';
import { api } from '../../shared/api/page-api';
import { readCard } from '../../shared/leads/leads.query';
import { DialogHistory } from './timeline/history.store';
import { firstUnreadKey, type SaidRow } from './timeline/timeline-rows';

/** A dialog as far as it is known here. Made for `useSyncExternalStore`. */
export interface DialogState {
  status: 'loading' | 'ready' | 'failed';
  error: unknown;
  card: Card | null;
  /** By time. */
  messages: readonly SaidRow[];
  /** By time. */
  history: readonly HistoryEntryAnswer[];
  hasOlder: boolean;
  hasNewer: boolean;
  /** A page is being read at that end. */
  reading: 'older' | 'newer' | null;
}

const PAGE = 50;
/** As many as there can be in one. */
const LARGE_PAGE = 200;
/** Several events of one cause come together. */
const SOON_MS = 30;

/** What was said and what happened in one dialog: the newest page at first, older ones on demand, and then the events. */
export class DialogStore {
  readonly messages = new MessageStore();
  private readonly history: DialogHistory;
  private readonly listeners = new Set<() => void>();
  private turns = 0;
  private historyTimer: ReturnType<typeof setTimeout> | undefined;
  private state: DialogState = {
    ...{ status: 'loading', error: null, card: null, messages: [], history: [] },
    ...{ hasOlder: false, hasNewer: false, reading: null },
  };

  constructor(readonly threadId: string) {
    this.history = new DialogHistory(threadId);
    this.messages.subscribe(() => this.set({}));
  }

  getState = (): DialogState => this.state;

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** @param around the id of a message at which it opens; null: at the end */
  async open(around: string | null): Promise<void> {
    this.set({ status: 'loading', error: null });
    try {
      const [card] = await Promise.all([
        readCard(this.threadId),
        around === null ? this.readNewest() : this.readAround(around),
        this.history.readNewest(),
      ]);
      if (around === null) await this.readBackTo(card.unread_count);
      await this.fillHistory();
      this.takeCard(card);
      this.set({ status: 'ready' });
    } catch (error) {
      this.set({ status: 'failed', error });
    }
  }

  /** What was missed is not known: all is read anew, and what does not join on to the newest messages is forgotten. */
  async refresh(): Promise<void> {
    if (this.state.status !== 'ready') return;
    const known = new Set(this.state.messages.map(({ message }) => message.id));
    const isAtEnd = !this.state.hasNewer;
    const [card, page] = await Promise.all([
      readCard(this.threadId),
      this.page({}),
      this.history.readNewest(),
    ]);
    if (isAtEnd && !page.messages.some(({ id }) => known.has(id))) this.messages.forget();
    const { older } = this.messages.snapshot();
    if (isAtEnd) page.take({ older: older === undefined ? page.next_cursor : older, newer: null });
    await this.fillHistory();
    this.takeCard(card);
  }

  /** Somebody has signed in again: what failed for want of a session is read anew. */
  async retry(): Promise<void> {
    if (this.state.status === 'failed') await this.open(null);
    else await this.refresh().catch(() => undefined);
  }

  async readOlder(): Promise<void> {
    const cursor = this.messages.snapshot().older;
    if (!cursor || this.state.reading) return;
    await this.during('older', async () => {
      const page = await this.page({ cursor });
      // Meanwhile the messages before which it comes may be forgotten.
      if (this.messages.snapshot().older !== cursor) return;
      page.take({ older: page.next_cursor });
      await this.fillHistory();
    });
  }

  async readNewer(): Promise<void> {
    const cursor = this.messages.snapshot().newer;
    if (!cursor || this.state.reading) return;
    await this.during('newer', async () => {
      const page = await this.page({ cursor });
      if (this.messages.snapshot().newer === cursor) page.take({ newer: page.previous_cursor ?? null });
    });
  }

  /** From the middle to the end. */
  async toNewest(): Promise<void> {
    await this.goTo({});
  }

  /** To one that is not among those that were read. */
  async toMessage(id: string): Promise<void> {
    await this.goTo({ around: id });
  }

  /** @returns the newest messages, to look for one whose answer was lost */
  async readNewest(): Promise<readonly ListedMessage[]> {
    const page = await this.page({});
    const { older, newer } = this.messages.snapshot();
    // In the middle of the dialog, what is at its end does not join on.
    if (!newer) page.take({ older: older === undefined ? page.next_cursor : older, newer: null });
    return page.messages;
  }

  takeEvent(event: BoardEvent): void {
    const isErased = event.card.erased_at !== null && this.state.card?.erased_at === null;
    this.takeCard(event.card);
    if (isErased) return this.forget();
    // What is newer than the end of what is shown comes with its page.
    if ('message' in event && (!this.state.hasNewer || this.knows(event.message.id)))
      this.messages.take(event);
    // How far a message has come is no entry of the history.
    if (event.event !== 'message.updated' || isRevised(event.message)) this.readHistorySoon();
  }

  takeCard(card: Card): void {
    if (!this.state.card || this.state.card.version <= card.version) this.set({ card });
  }

  /** What a call has answered, unless the event is here already. @param version of the card before the call */
  patchCard(version: number, fields: Partial<Card>): void {
    const { card } = this.state;
    if (card?.version === version) this.set({ card: { ...card, ...fields } });
  }

  /** A message that a call has answered. */
  takeMessage(message: ListedMessage): void {
    this.messages.reading()({ messages: [message] });
  }

  knows(id: string): boolean {
    return this.state.messages.some(({ message }) => message.id === id);
  }

  stop(): void {
    clearTimeout(this.historyTimer);
  }

  /** The customer was erased: what was read of them goes from this page, too. */
  private forget(): void {
    this.messages.forget();
    this.history.forget();
    this.set({});
    this.refresh().catch((error: unknown) => this.set({ status: 'failed', error }));
  }

  private readHistorySoon(): void {
    this.historyTimer ??= setTimeout(() => {
      this.historyTimer = undefined;
      // What fails here is read with the next event, or when the connection is there again.
      this.history.readNewest().then(
        () => this.set({}),
        () => undefined,
      );
    }, SOON_MS);
  }

  /** Of several places that were asked for, the last one counts, whichever is answered last. */
  private async goTo({ around }: { around?: string }): Promise<void> {
    const turn = (this.turns += 1);
    await this.during('newer', async () => {
      const page = await this.page({ around });
      if (turn !== this.turns) return;
      this.messages.forget();
      const newer = around === undefined ? null : (page.previous_cursor ?? null);
      page.take({ older: page.next_cursor, newer });
      await this.fillHistory();
    });
  }

  private async readAround(id: string): Promise<void> {
    const page = await this.page({ around: id });
    page.take({ older: page.next_cursor, newer: page.previous_cursor ?? null });
  }

  /** To where the unread messages begin. Of very many the last ones have to do. */
  private async readBackTo(unread: number): Promise<void> {
    const cursor = this.messages.snapshot().older;
    if (!cursor || unread === 0 || firstUnreadKey(this.state.messages, unread, true) !== null) return;
    const page = await this.page({ cursor, limit: LARGE_PAGE });
    page.take({ older: page.next_cursor });
  }

  private async page(place: { cursor?: string; around?: string; limit?: number }) {
    const take = this.messages.reading();
    const page = await api.post('/api/v1/messages/get-messages', {
      body: { thread_id: this.threadId, limit: PAGE, ...place },
    });
    return {
      ...page,
      take: (ends: { older?: string | null; newer?: string | null }): void =>
        take({ messages: page.messages, ...ends }),
    };
  }

  private async during(end: 'older' | 'newer', read: () => Promise<void>): Promise<void> {
    this.set({ reading: end });
    try {
      await read();
    } finally {
      this.set({ reading: null });
    }
  }

  /** What happened is known as far back as what was said. */
  private async fillHistory(): Promise<void> {
    const { rows, older } = this.messages.snapshot();
    await this.history.readBackTo(older ? (rows[0]?.message?.created_at ?? null) : null);
    this.set({});
  }

  private set(fields: Partial<DialogState>): void {
    const { rows, older, newer } = this.messages.snapshot();
    const messages = rows.filter((row): row is SaidRow => row.message !== null);
    const isSame =
      messages.length === this.state.messages.length &&
      messages.every((row, index) => row === this.state.messages[index]);
    this.state = {
      ...this.state,
      messages: isSame ? this.state.messages : messages,
      history: this.history.list(),
      hasOlder: Boolean(older),
      hasNewer: Boolean(newer),
      ...fields,
    };
    for (const listener of this.listeners) listener();
  }
}

/** Its history has what it was. */
const isRevised = ({ edited_at, deleted_at }: Message): boolean => edited_at !== null || deleted_at !== null;
