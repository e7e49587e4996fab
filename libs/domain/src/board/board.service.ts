import type {
  BoardEvent,
  BoardPage,
  BoardReplay,
  BoardSnapshot,
  PresenceNews,
} from '@app/contracts/board-events';
import type { ThreadSort } from '@app/contracts/lead.words';
import { FeedRepository } from '@app/persistence/board/feed.repository';
import { Injectable } from '@nestjs/common';
import { requireMay, visibilityOf, type Principal } from '../accounts/principal.rules';
import { AssistantNotFoundError } from '../leads/lead.errors';
import { ReplyAbility } from '../leads/reply-ability';
import { BotAccess } from '../messages/sending/bot-access';
import { NamedThings } from '../threads/named-things.service';
import type { AskedFilter } from '../threads/thread-filter.rules';
import { viewKey, type BoardAddress, type BoardView } from './board-address';
import { BoardColumns } from './board-columns.service';
import { holdsRuns, isOfFunnel, presentBoardEvent } from './board-event.presenter';
import { BoardFeed } from './board-feed.service';
import { BoardViews, type BoardWatcher } from './board-views.service';
import { columnKey } from './column-totals';
import { asksForHeldRuns, boardFilterOf, FilteredCards, isFiltered } from './filtered-cards.service';
import { PresenceService } from './presence.service';

interface Reading<T> {
  running: Promise<T>;
  next: Promise<T> | null;
}

/**
 * Lets callers that ask for the same thing at the same time share a read. No caller gets a read that began before its
 * call: while one runs, all later callers share the next.
 */
export class SharedReads<T> {
  private readonly readings = new Map<string, Reading<T>>();

  read(key: string, act: () => Promise<T>): Promise<T> {
    const reading = this.readings.get(key);
    if (!reading) return this.begin(key, act);
    const ended = reading.running.then(
      () => undefined,
      () => undefined,
    );
    return (reading.next ??= ended.then(() => this.begin(key, act)));
  }

  private begin(key: string, act: () => Promise<T>): Promise<T> {
    const running = act();
    const reading: Reading<T> = { running, next: null };
    this.readings.set(key, reading);
    const done = (): void => {
      if (reading.next === null && this.readings.get(key) === reading) this.readings.delete(key);
    };
    running.then(done, done);
    return running;
  }
}

/** How a client opens a board. */
export interface BoardOpening {
  /** The mark of what it has seen. */
  since?: number;
  sort?: ThreadSort;
  /** How many cards of each column it gets. */
  limit?: number;
}

const CARDS_PER_COLUMN = 50;
/** What operators look at first, and what is read fastest. */
const SORT: ThreadSort = 'activity';
const REPLAYED_EVENTS_MAX = 1_000;
/** Includes the events of the last 30 s below the mark. */
const REPLAYED_ROWS_MAX = 5_000;
const RETENTION = '7 days';

/** What a board shows when it is opened, and what it missed while it was disconnected. */
@Injectable()
export class BoardService {
  /** Two hundred boards that reconnect at once after an outage share two snapshots. */
  private readonly snapshots = new SharedReads<BoardSnapshot>();

  constructor(
    private readonly columns: BoardColumns,
    private readonly events: FeedRepository,
    private readonly feed: BoardFeed,
    private readonly views: BoardViews,
    private readonly filtered: FilteredCards,
    private readonly presence: PresenceService,
    private readonly bots: BotAccess,
    private readonly named: NamedThings,
    private readonly ability: ReplyAbility,
  ) {}

  /**
   * The board of an agent that the principal sees.
   * @throws ForbiddenError, AssistantNotFoundError
   */
  address(by: Principal, assistantId: string): BoardAddress {
    requireMay(by, 'board.open');
    const { accountId, assistantIds } = visibilityOf(by);
    const wanted = assistantId.toLowerCase();
    if (!assistantIds.includes(wanted)) throw new AssistantNotFoundError();
    return { accountId, assistantId: wanted };
  }

  /**
   * The leads of a board that pass a filter.
   * @throws BotNotFoundError, BotForbiddenError, StatusNotFoundError, ScenarioNotFoundError, UserNotFoundError for what the
   * principal does not see
   */
  async filteredView(by: Principal, address: BoardAddress, asked: AskedFilter): Promise<BoardView> {
    const { accountId, assistantId } = address;
    if (asked.botId !== undefined) await this.bots.requireBot(by, asked.botId);
    const filter = boardFilterOf(accountId, asked);
    await this.named.requireAll({ accountId, assistantIds: [assistantId] }, filter.threads);
    return { ...address, filter };
  }

  /** Every event of a view from now on, in the form that boards get. */
  watch(view: BoardView, watcher: BoardWatcher): () => void {
    return this.views.watch(view, watcher);
  }

  /** A client of a view has what {@link open} returned. */
  answered(view: BoardView): void {
    this.views.answered(view);
  }

  /** Who is in which dialog of a board now. */
  presences(address: BoardAddress): PresenceNews[] {
    return this.presence.in(address);
  }

  /**
   * What a board must show: what it missed since its mark if that is still known, else a snapshot. The caller already
   * listens, so nothing is lost between this answer and the first live event.
   */
  async open(
    view: BoardView,
    { since, sort = SORT, limit = CARDS_PER_COLUMN }: BoardOpening,
  ): Promise<BoardSnapshot | BoardReplay> {
    await this.feed.lookUnderWay();
    const seq = this.feed.mark;
    const replay = since === undefined ? null : await this.replay(view, since);
    if (replay) {
      await this.publishAllTotals(view);
      return { seq, events: replay };
    }
    return this.snapshots.read(`${viewKey(view)} ${sort} ${limit}`, () =>
      this.columns.snapshot(view, sort, limit, this.feed.mark),
    );
  }

  /**
   * The cards of a column after a cursor.
   * @throws ValidationError for a cursor of another order, StatusNotFoundError for a stage that is not in its funnel.
   */
  async more(
    view: BoardView,
    statusId: string | null,
    cursor: string,
    sort: ThreadSort = SORT,
  ): Promise<BoardPage> {
    const seq = this.feed.mark;
    return { seq, ...(await this.columns.more(view, statusId, sort, cursor, CARDS_PER_COLUMN)) };
  }

  /** A client that returns with a mark has old totals. New ones follow the replay. */
  private async publishAllTotals(view: BoardView): Promise<void> {
    const statuses = await this.columns.funnel(view);
    this.views.refreshTotals(view, ['', ...statuses.map(({ id }) => columnKey(id))]);
  }

  private async replay(view: BoardView, since: number): Promise<BoardEvent[] | null> {
    if (since <= this.feed.ambiguousUpTo) return null;
    const { accountId, assistantId } = view;
    const behindMax = REPLAYED_EVENTS_MAX + 1;
    const point = await this.events.sincePoint(accountId, assistantId, since, RETENTION, behindMax);
    if (!point || point.too_old || point.behind > REPLAYED_EVENTS_MAX) return null;
    const rows = await this.events.replay(accountId, assistantId, point.floor, REPLAYED_ROWS_MAX + 1);
    // An event below the mark may have been committed after the mark was given, so a returning client may not know
    // that funnel.
    if (rows.length > REPLAYED_ROWS_MAX || rows.some(isOfFunnel)) return null;
    if (isFiltered(view) && asksForHeldRuns(view.filter.threads) && rows.some(holdsRuns)) return null;
    const events = rows.map((row) => presentBoardEvent(row, this.ability)).filter((event) => event !== null);
    if (!isFiltered(view)) return events;
    const passing = await this.filtered.passing(
      view,
      events.map(({ card }) => card),
    );
    return events.map((event, index) => ({ ...event, in_filter: passing[index] ?? false }));
  }
}
