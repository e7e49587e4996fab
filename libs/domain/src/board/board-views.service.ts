import type { BoardEvent, BoardNews } from '@app/contracts/board-events';
import { FeedRepository, type FeedEvent } from '@app/persistence/board/feed.repository';
import { Injectable, Logger } from '@nestjs/common';
import { ReplyAbility } from '../leads/reply-ability';
import { BoardFeed } from './board-feed.service';
import { boardKey, viewKey, type BoardAddress, type BoardView } from './board-address';
import { holdsRuns, isOfFunnel, movesTotals, presentBoardEvent } from './board-event.presenter';
import {
  asksForHeldRuns,
  hiddenPartOf,
  FilteredCards,
  isFiltered,
  type FilteredView,
} from './filtered-cards.service';
import { ColumnTotalsCache, columnKey, type LeadCounts, ColumnTotalsPublisher } from './column-totals';
import { FilteredEvents } from './filtered-events';
import { PresenceService } from './presence.service';

/** What a client that shows a board gets. */
export interface BoardWatcher {
  happened: (news: BoardNews) => void;
  /** The funnel was changed, or the database was replaced by an older state: open the board again. */
  outdated: () => void;
}

/** One view of a board. */
interface Part {
  watcher: BoardWatcher;
  publisher: ColumnTotalsPublisher;
  /** @param event as boards get it; null: no board shows it */
  happened: (row: FeedEvent, event: BoardEvent | null) => void;
  outdated: () => void;
  /** Runs are held, or go on. */
  runsHeld: () => void;
  stop: () => void;
}

/** An agent's board. Its views share one subscription of the feed, and each event is presented once. */
interface WatchedBoard {
  parts: Map<string, Part>;
  stop: () => void;
}

/** The views that are open in this process. A board without a filter costs the same whether there are others or not. */
@Injectable()
export class BoardViews {
  private readonly logger = new Logger(BoardViews.name);
  private readonly boards = new Map<string, WatchedBoard>();

  constructor(
    private readonly feed: BoardFeed,
    private readonly events: FeedRepository,
    private readonly presence: PresenceService,
    private readonly totals: ColumnTotalsCache,
    private readonly cards: FilteredCards,
    private readonly ability: ReplyAbility,
  ) {}

  /** Every event of a view from now on, in the form that boards get. A view is watched once. */
  watch(view: BoardView, watcher: BoardWatcher): () => void {
    const board = this.boardOf(view);
    const part = isFiltered(view) ? this.filtered(view, watcher) : this.whole(view, watcher);
    const key = viewKey(view);
    board.parts.set(key, part);
    return () => {
      part.stop();
      part.publisher.stop();
      if (board.parts.get(key) !== part) return;
      board.parts.delete(key);
      if (board.parts.size > 0) return;
      board.stop();
      this.boards.delete(boardKey(view));
    };
  }

  /** Sends the present totals of columns to a view, because its clients may have older ones. */
  refreshTotals(view: BoardView, columns: Iterable<string>): void {
    const publisher = this.publisherFor(view);
    publisher?.forgetTold();
    publisher?.columnsChanged(columns);
  }

  /** A client has its answer, whose totals may differ from what the view's other clients were told. */
  answered(view: BoardView): void {
    this.publisherFor(view)?.forgetTold();
  }

  private publisherFor(view: BoardView): ColumnTotalsPublisher | undefined {
    return this.boards.get(boardKey(view))?.parts.get(viewKey(view))?.publisher;
  }

  private boardOf(address: BoardAddress): WatchedBoard {
    const known = this.boards.get(boardKey(address));
    if (known) return known;
    const parts = new Map<string, Part>();
    const toEach = (tell: (part: Part) => void): void => {
      for (const part of parts.values()) this.tell(part, tell);
    };
    const unsubscribe = this.feed.subscribe(address, {
      happened: (row) => {
        if (isOfFunnel(row)) return toEach((part) => part.outdated());
        if (holdsRuns(row)) return toEach((part) => part.runsHeld());
        const event = presentBoardEvent(row, this.ability);
        toEach((part) => part.happened(row, event));
      },
      wentBack: () => toEach((part) => part.outdated()),
    });
    const unwatch = this.presence.watch(address, (news) => toEach(({ watcher }) => watcher.happened(news)));
    const board = {
      parts,
      stop: () => {
        unsubscribe();
        unwatch();
      },
    };
    this.boards.set(boardKey(address), board);
    return board;
  }

  /** Never throws: the other views get it too. */
  private tell(part: Part, tell: (part: Part) => void): void {
    try {
      tell(part);
    } catch (error) {
      this.logger.error({ err: error }, 'A board could not take an event.');
    }
  }

  /** All leads. Their totals are kept, and follow the events. */
  private whole(address: BoardAddress, watcher: BoardWatcher): Part {
    const publisher = publisherOf(address, watcher, () => this.totals.current(address, this.feed.mark));
    this.totals.watch(address);
    return {
      watcher,
      publisher,
      happened: (row, event) => {
        if (movesTotals(row)) {
          this.totals.follow(row);
          publisher.columnsChanged([columnKey(row.from_value), columnKey(row.to_value)]);
        }
        if (event) watcher.happened(event);
      },
      outdated: () => {
        this.totals.drop(address);
        watcher.outdated();
      },
      runsHeld: () => undefined,
      stop: () => this.totals.forget(address),
    };
  }

  /** Those that pass a filter. Any event may take a lead in or out, so they are counted anew. */
  private filtered(view: FilteredView, watcher: BoardWatcher): Part {
    const publisher = publisherOf(view, watcher, () => this.cards.countsInTurn(view));
    const filtered = new FilteredEvents(
      {
        decide: (card) => this.cards.decide(view, card),
        passing: (cards) => this.cards.passing(view, cards),
        former: async (ageMs, limit) => {
          const rows = hiddenPartOf(view.filter.threads)
            ? await this.events.recent(view.accountId, view.assistantId, ageMs, limit)
            : [];
          return rows.map((row) => presentBoardEvent(row, this.ability)).filter((event) => event !== null);
        },
      },
      {
        happened: (event) => {
          publisher.columnsChanged(columnsOf(event));
          watcher.happened(event);
        },
        outdated: () => watcher.outdated(),
      },
    );
    const outdated = (): void => {
      filtered.clear();
      watcher.outdated();
    };
    return {
      watcher,
      publisher,
      happened: (_row, event) => event && filtered.take(event),
      outdated,
      // Any number of cards may have come into the filter or left it, so they are read anew.
      runsHeld: () => asksForHeldRuns(view.filter.threads) && outdated(),
      stop: () => filtered.stop(),
    };
  }
}

const publisherOf = (
  { assistantId }: BoardAddress,
  { happened }: BoardWatcher,
  counts: () => Promise<LeadCounts>,
): ColumnTotalsPublisher =>
  new ColumnTotalsPublisher(counts, (column, total) =>
    happened({ event: 'column.total', assistant_id: assistantId, status_id: column || null, total }),
  );

/** The columns in which an event may have changed the totals of a filter. */
function columnsOf(event: BoardEvent): string[] {
  const own = columnKey(event.card.lead_status?.id ?? null);
  return event.event === 'card.moved'
    ? [own, columnKey(event.from_status_id), columnKey(event.to_status_id)]
    : [own];
}
