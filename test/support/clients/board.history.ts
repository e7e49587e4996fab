import type { BoardEvent } from '@app/contracts/board-events';
import { THREAD_SORTS, type ThreadSort } from '@app/contracts/lead.words';
import { BoardStore } from '@app/client/board/board.store';
import type { StatusId } from '@app/client/board/board-views';
import { ASSISTANT, COLUMNS, ModelledBoard } from './modelled.board';

/** One thing that happens, and two numbers that say to whom and how. */
export type Step = readonly [what: number, which: number, how: number];

interface OwnMove {
  threadId: string;
  to: StatusId;
  from: StatusId;
  requestId: string;
}

/** A random history of a board: its leads, what a lossy network makes of the news, and a person who works on it. */
export class BoardHistory {
  readonly store = new BoardStore();
  readonly model: ModelledBoard;
  /** By dialog, in order; between dialogs there is no order. */
  private readonly queues = new Map<string, BoardEvent[]>();
  private sentUpTo = 0;
  private readonly pages: (() => void)[] = [];
  private readonly asked: OwnMove[] = [];
  private readonly answers: (() => void)[] = [];
  private readonly pinned: string[] = [];
  private readonly requestIds: string[] = [];
  private readonly ownMoved = new Set<string>();
  private readonly versions = new Map<string, number>();
  private online = true;

  constructor(sort: ThreadSort, filtered: boolean, leads = 7) {
    this.model = new ModelledBoard(sort, filtered);
    for (let count = 0; count < leads; count += 1) this.model.create(1);
    this.openAnew();
  }

  private readonly steps: ((which: number, how: number) => void)[] = [
    (which) => this.cardsMax() && this.model.create(which % 2),
    (which, how) => this.model.move(this.thread(which), COLUMNS[how % 3] ?? null),
    (which, how) => this.model.update(this.thread(which), { customer_name: `name ${how % 5}` }),
    (which, how) => this.model.update(this.thread(which), { unread_count: how % 2 }, false),
    (which, how) => this.model.say(this.thread(which), how % 2 === 0),
    (which) => this.model.update(this.thread(which), { erased_at: '2026-02-01T00:00:00.000Z', phone: null }),
    (which, how) => this.deliver(which, 1 + (how % 4)),
    (which, how) => this.deliver(which, 1 + (how % 4)),
    (which) => this.deliverTotal(which),
    (which) => this.askPage(which),
    () => this.pages.shift()?.(),
    (which, how) => this.reconnect(which, how),
    (which, how) => this.dragTo(which, how),
    (which, how) => this.dragTo(which, how),
    (_, how) => this.serve(how),
    () => this.answers.shift()?.(),
    (which) => this.store.hold(COLUMNS[which % 3] ?? null),
    (which) => this.store.release(COLUMNS[which % 3] ?? null),
    (which) => this.store.resort(COLUMNS[which % 3] ?? null),
    (which) => this.pin(which),
    (which) => this.unpin(which),
    (which, how) => how % 4 === 0 && this.changeView(which),
    () => (this.online = false),
  ];

  static readonly KINDS = 23;

  take([what, which, how]: Step): void {
    this.steps[what % this.steps.length]?.(which, how);
    this.send();
    this.requireNoneWentBack();
  }

  /** All is delivered, answered and let go. */
  settle(): void {
    while (this.asked.length > 0) this.serve(1);
    this.send();
    if (!this.online) this.reconnect(0, 1);
    while (this.queues.size > 0) this.deliver(0, 100);
    for (const answer of this.answers.splice(0)) answer();
    for (const deliver of this.pages.splice(0)) deliver();
    for (const id of this.pinned.splice(0)) this.store.unpin(id);
    for (const id of COLUMNS) this.store.release(id);
    for (const id of this.requestIds) this.store.forgetMove(id);
    for (const id of COLUMNS) this.store.total(this.model.total(id));
  }

  /** Every page is read. */
  loadAll(): void {
    for (const id of COLUMNS)
      for (let further = this.store.further(id); further; further = this.store.further(id))
        further.take(this.model.page(id, further.cursor));
  }

  /** Of each column the first cards, as many as it shows; one's own moves are shown beyond that too. */
  firstParts(): { shown: string[]; kept: string[] }[] {
    const isOthers = (id: string): boolean => !this.ownMoved.has(id);
    return COLUMNS.map((id) => {
      const shown = (this.store.column(id)?.ids ?? []).filter(isOthers);
      const kept = this.model.column(id).map(({ thread_id }) => thread_id);
      return { shown, kept: kept.filter(isOthers).slice(0, shown.length) };
    });
  }

  shown(): object {
    return COLUMNS.map((id) => {
      const { ids = [], total } = this.store.column(id) ?? {};
      const cards = ids.map((each) => this.store.card(each));
      return {
        id,
        total,
        cards: cards.map((view) => view?.card),
        pending: cards.some((view) => view?.pending),
      };
    });
  }

  kept(): object {
    return COLUMNS.map((id) => {
      const cards = this.model.column(id);
      return { id, total: cards.length, cards, pending: false };
    });
  }

  /** What was known once is never known less well. */
  private requireNoneWentBack(): void {
    for (const id of this.model.cards.keys()) {
      const version = this.store.card(id)?.card.version;
      if (version === undefined) continue;
      if (version < (this.versions.get(id) ?? 0)) throw new Error(`${id} went back to version ${version}`);
      this.versions.set(id, version);
    }
  }

  private cardsMax = (): boolean => this.model.cards.size < 12;

  private thread = (which: number): string =>
    [...this.model.cards.keys()][which % this.model.cards.size] ?? '';

  private openAnew(): void {
    this.store.expect({ assistantId: ASSISTANT, sort: this.model.sort });
    this.queues.clear();
    this.versions.clear();
    this.sentUpTo = this.model.log.length;
    this.store.snapshot(this.model.snapshot());
  }

  /** What was committed is on its way. */
  private send(): void {
    for (const event of this.model.log.slice(this.sentUpTo)) {
      const queue = this.queues.get(event.thread_id) ?? [];
      queue.push(this.model.judged(event));
      this.queues.set(event.thread_id, queue);
    }
    this.sentUpTo = this.model.log.length;
  }

  private deliver(which: number, count: number): void {
    if (!this.online) return;
    const queues = [...this.queues];
    const [threadId, queue = []] = queues[which % Math.max(1, queues.length)] ?? [];
    for (const event of queue.splice(0, count)) {
      this.store.event(event);
      // Some come twice, and some again when later ones have come.
      if (event.seq % 3 === 0) this.store.event(event);
      const first = this.model.log.find(({ thread_id }) => thread_id === event.thread_id);
      if (event.seq % 5 === 0 && first) this.store.event(this.model.judged(first));
    }
    if (threadId !== undefined && queue.length === 0) this.queues.delete(threadId);
  }

  private deliverTotal(which: number): void {
    if (this.online) this.store.total(this.model.total(COLUMNS[which % 3] ?? null));
  }

  /** The page is read now and comes later. */
  private askPage(which: number): void {
    const id = COLUMNS[which % 3] ?? null;
    const further = this.online && this.store.further(id);
    if (!further) return;
    const page = this.model.page(id, further.cursor);
    this.pages.push(() => {
      const before = this.store.column(id)?.nextCursor;
      further.take(page);
      const isTaken = this.store.column(id)?.nextCursor !== before;
      const ids = this.store.column(id)?.ids;
      for (const card of isTaken ? page.cards : []) {
        const isAsRead = this.store.card(card.thread_id)?.card === card;
        if (isAsRead && !ids?.includes(card.thread_id)) throw new Error(`${card.thread_id} was read in vain`);
      }
    });
  }

  /** What was on its way is lost; it comes with the replay, or all is read anew. */
  private reconnect(which: number, how: number): void {
    const lost = Math.min(...[...this.queues.values()].flat().map(({ seq }) => seq), this.store.since ?? 0);
    this.queues.clear();
    this.online = true;
    this.sentUpTo = this.model.log.length;
    this.versions.clear();
    if (how % 3 === 0) this.store.snapshot(this.model.snapshot());
    else this.store.replay(this.model.replay(Math.max(0, lost - 1 - (which % 5))));
  }

  /** A drag, which asks for what it was picked up from. */
  private dragTo(which: number, how: number): void {
    const threadId = this.thread(which);
    const card = this.store.card(threadId)?.card;
    if (!card) return;
    const to = COLUMNS[how % 3] ?? null;
    const move = {
      threadId,
      to,
      from: card.lead_status?.id ?? null,
      requestId: `own-${this.requestIds.length}`,
    };
    this.requestIds.push(move.requestId);
    this.ownMoved.add(threadId);
    this.store.begin(move);
    this.asked.push(move);
  }

  /** The service takes the next move by hand, or refuses it. Its answer may come before its event, or never. */
  private serve(how: number): void {
    const move = this.asked.shift();
    if (!move) return;
    const { threadId, to, from, requestId } = move;
    const isThere = (this.model.cards.get(threadId)?.lead_status?.id ?? null) === from;
    const changed = isThere && how % 7 !== 0 ? this.model.move(threadId, to, requestId) : null;
    if (changed === null || how % 5 === 0) this.answers.push(() => this.store.refuse(requestId));
    else this.answers.push(() => this.store.answered(requestId, { changed }));
  }

  private pin(which: number): void {
    const threadId = this.thread(which);
    const isShown = COLUMNS.some((id) => this.store.column(id)?.ids.includes(threadId));
    if (!isShown) return;
    this.store.pin(threadId);
    this.pinned.push(threadId);
  }

  private unpin(which: number): void {
    const [threadId] = this.pinned.splice(which % Math.max(1, this.pinned.length), 1);
    if (threadId !== undefined) this.store.unpin(threadId);
  }

  private changeView(which: number): void {
    this.model.sort = THREAD_SORTS[which % 3] ?? 'activity';
    this.model.filtered = which % 2 === 0;
    this.openAnew();
  }
}
