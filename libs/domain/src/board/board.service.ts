import type {
  BoardColumn,
  BoardEvent,
  BoardNews,
  BoardPage,
  BoardReplay,
  BoardSnapshot,
  PresenceNews,
} from '@app/contracts/board.events';
import type { TimedPosition } from '@app/contracts/timed-position.format';
import { ValidationError } from '@app/contracts/validation.error';
import { BoardRepository, type BoardCardRow } from '@app/persistence/board/board.repository';
import { FeedRepository, type FeedEvent } from '@app/persistence/board/feed.repository';
import { StatusRepository } from '@app/persistence/leads/status.repository';
import { Injectable } from '@nestjs/common';
import { requireMay, visibilityOf, type Principal } from '../accounts/principal.rules';
import { AssistantNotFoundError, StatusNotFoundError } from '../leads/lead.errors';
import { presentCard } from '../leads/lead.presenter';
import { BoardFeed } from './board-feed.service';
import { boardKey, type BoardAddress } from './board.address';
import { presentBoardEvent } from './board-event.presenter';
import { ColumnTotalsCache, columnKey } from './column-totals.cache';
import { ColumnTotalsPublisher } from './column-totals.publisher';
import { PresenceService } from './presence.service';
import { SharedReads } from './shared.reads';
import { decodePosition, encodePosition } from './column-position.cursor';

/** What a client that shows a board gets. */
export interface BoardWatcher {
  happened: (news: BoardNews) => void;
  /** The funnel was changed, or the database was replaced by an older state: open the board again. */
  outdated: () => void;
}

type ColumnPage = Pick<BoardColumn, 'cards' | 'next_cursor'>;

const CARDS_PER_COLUMN = 50;
const REPLAYED_EVENTS_MAX = 1_000;
/** Includes the events of the last 30 s below the mark. */
const REPLAYED_ROWS_MAX = 5_000;
const RETENTION = '7 days';

/** What a board shows when it is opened, and what it missed while it was disconnected. */
@Injectable()
export class BoardService {
  /** Two hundred boards that reconnect at once after an outage share two snapshots. */
  private readonly snapshots = new SharedReads<BoardSnapshot>();
  /** Of open boards, by their keys. */
  private readonly publishers = new Map<string, ColumnTotalsPublisher>();

  constructor(
    private readonly board: BoardRepository,
    private readonly events: FeedRepository,
    private readonly statuses: StatusRepository,
    private readonly totals: ColumnTotalsCache,
    private readonly feed: BoardFeed,
    private readonly presence: PresenceService,
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

  /** Every event of a board from now on, in the form that boards get. */
  watch(address: BoardAddress, watcher: BoardWatcher): () => void {
    const outdated = (): void => {
      this.totals.drop(address);
      watcher.outdated();
    };
    const publisher = this.publisherOf(address, watcher);
    const unsubscribe = this.feed.subscribe(address, {
      happened: (row) => {
        if (isOfFunnel(row)) return outdated();
        if (movesTotals(row)) {
          this.totals.follow(row);
          publisher.columnsChanged([columnKey(row.from_value), columnKey(row.to_value)]);
        }
        const event = presentBoardEvent(row);
        if (event) watcher.happened(event);
      },
      wentBack: outdated,
    });
    const unwatch = this.presence.watch(address, (news) => watcher.happened(news));
    this.totals.watch(address);
    return () => {
      unsubscribe();
      unwatch();
      publisher.stop();
      if (this.publishers.get(boardKey(address)) === publisher) this.publishers.delete(boardKey(address));
      this.totals.forget(address);
    };
  }

  /** Who is in which dialog of a board now. */
  presences(address: BoardAddress): PresenceNews[] {
    return this.presence.in(address);
  }

  /**
   * What a board must show: what it missed since its mark if that is still known, else a snapshot. The caller already
   * listens, so nothing is lost between this answer and the first live event.
   */
  async open(address: BoardAddress, since?: number): Promise<BoardSnapshot | BoardReplay> {
    await this.feed.lookUnderWay();
    const seq = this.feed.mark;
    const replay = since === undefined ? null : await this.replay(address, since);
    if (replay) {
      await this.publishAllTotals(address);
      return { seq, events: replay };
    }
    return this.snapshots.read(boardKey(address), () => this.snapshot(address));
  }

  /**
   * The cards of a column after a cursor.
   * @throws ValidationError for a cursor of another board, StatusNotFoundError for a stage that is not in its funnel.
   */
  async more(address: BoardAddress, statusId: string | null, cursor: string): Promise<BoardPage> {
    const after = decodePosition(cursor);
    if (!after) throw new ValidationError([{ path: 'cursor', message: 'is not a cursor of this board' }]);
    if (statusId === null) return this.pageAfter(address, null, after);
    const wanted = statusId.toLowerCase();
    const funnel = await this.statuses.listFunnel(address.accountId, address.assistantId);
    if (!funnel.some(({ id }) => id === wanted)) throw new StatusNotFoundError();
    return this.pageAfter(address, wanted, after);
  }

  private publisherOf(address: BoardAddress, { happened }: BoardWatcher): ColumnTotalsPublisher {
    const { assistantId } = address;
    const publisher = new ColumnTotalsPublisher(
      () => this.totals.current(address, this.feed.mark),
      (column, total) =>
        happened({ event: 'column.total', assistant_id: assistantId, status_id: column || null, total }),
    );
    this.publishers.set(boardKey(address), publisher);
    return publisher;
  }

  /** A client that returns with a mark has old totals. New ones follow the replay. */
  private async publishAllTotals(address: BoardAddress): Promise<void> {
    const statuses = await this.statuses.listFunnel(address.accountId, address.assistantId);
    this.publishers.get(boardKey(address))?.columnsChanged(['', ...statuses.map(({ id }) => id)]);
  }

  private async pageAfter(
    { accountId, assistantId }: BoardAddress,
    statusId: string | null,
    after: TimedPosition,
  ): Promise<BoardPage> {
    const seq = this.feed.mark;
    const rows = await this.board.cardsAfter(accountId, assistantId, statusId, after, CARDS_PER_COLUMN + 1);
    return { seq, status_id: statusId, ...pageOf(rows) };
  }

  private async snapshot(address: BoardAddress): Promise<BoardSnapshot> {
    const { accountId, assistantId } = address;
    const seq = this.feed.mark;
    const [statuses, rows, totals] = await Promise.all([
      this.statuses.listFunnel(accountId, assistantId),
      this.board.newestCards(accountId, assistantId, CARDS_PER_COLUMN + 1),
      this.totals.get(address, seq),
    ]);
    const byColumn = Map.groupBy(rows, (row) => columnKey(row.status_id));
    const column = (statusId: string | null): BoardColumn => ({
      status_id: statusId,
      total: totals.get(columnKey(statusId)) ?? 0,
      ...pageOf(byColumn.get(columnKey(statusId)) ?? []),
    });
    const columns = [column(null), ...statuses.map((status) => column(status.id))];
    return { seq, statuses, columns };
  }

  private async replay(
    { accountId, assistantId }: BoardAddress,
    since: number,
  ): Promise<BoardEvent[] | null> {
    if (since <= this.feed.ambiguousUpTo) return null;
    const behindMax = REPLAYED_EVENTS_MAX + 1;
    const point = await this.events.sincePoint(accountId, assistantId, since, RETENTION, behindMax);
    if (!point || point.too_old || point.behind > REPLAYED_EVENTS_MAX) return null;
    const rows = await this.events.replay(accountId, assistantId, point.floor, REPLAYED_ROWS_MAX + 1);
    // An event below the mark may have been committed after the mark was given, so a returning client may not know
    // that funnel.
    if (rows.length > REPLAYED_ROWS_MAX || rows.some(isOfFunnel)) return null;
    return rows.map(presentBoardEvent).filter((event) => event !== null);
  }
}

/** Whether leads entered or left a column. */
const movesTotals = ({ type }: FeedEvent): boolean => type === 'status' || type === 'opened';

/** Whether the board's columns have changed since. No event of a dialog shows that. */
const isOfFunnel = ({ type }: FeedEvent): boolean => type === 'funnel';

function pageOf(rows: BoardCardRow[]): ColumnPage {
  const page = rows.slice(0, CARDS_PER_COLUMN);
  const last = page.at(-1);
  const position: TimedPosition | null = last ? { at: last.position_at, id: last.id } : null;
  return {
    cards: page.map(presentCard),
    next_cursor: rows.length > page.length && position ? encodePosition(position) : null,
  };
}
