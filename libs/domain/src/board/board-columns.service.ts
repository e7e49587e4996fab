import type { BoardColumn, BoardSnapshot } from '@app/contracts/board-events';
import { ValidationError } from '@app/contracts/coded.errors';
import type { FunnelStage, ThreadSort } from '@app/contracts/lead.words';
import {
  readTimedPosition,
  writeTimedPosition,
  type TimedPosition,
  readThreadPosition,
  writeThreadPosition,
  type ThreadPosition,
} from '@app/contracts/values/list-position.format';
import { BoardRepository, type BoardCardRow } from '@app/persistence/board/board.repository';
import { LeadRepository } from '@app/persistence/leads/lead.repository';
import { ThreadListRepository } from '@app/persistence/threads/thread-list.repository';
import { Injectable } from '@nestjs/common';
import { StatusNotFoundError } from '../leads/lead.errors';
import { presentCard } from '../leads/lead.presenter';
import { ReplyAbility } from '../leads/reply-ability';
import type { BoardView } from './board-address';
import { ColumnTotalsCache, columnKey, type LeadCounts } from './column-totals';
import { letsIn, type ColumnStage, FilteredCards, isFiltered } from './filtered-cards.service';

interface ColumnCursor<Position> {
  /** Opaque to callers. */
  encode: (position: Position) => string;
  /** The position, or null for anything that `encode` did not produce. Each position has exactly one cursor. */
  decode: (cursor: string) => Position | null;
}

function cursorOf<Position>(
  write: (position: Position) => string,
  read: (text: string) => Position | null,
): ColumnCursor<Position> {
  const encode = (position: Position): string => Buffer.from(write(position)).toString('base64url');
  return {
    encode,
    decode: (cursor) => {
      const position = read(Buffer.from(cursor, 'base64url').toString('utf8'));
      return position && encode(position) === cursor ? position : null;
    },
  };
}

/** A position in a column of all leads, the last active first. */
export const ACTIVITY_CURSOR = cursorOf<TimedPosition>(writeTimedPosition, readTimedPosition);

/** A position in any other column. */
export const COLUMN_CURSOR = cursorOf<ThreadPosition>(writeThreadPosition, readThreadPosition);

type ColumnPage = Pick<BoardColumn, 'cards' | 'next_cursor'>;

const EMPTY: ColumnPage = { cards: [], next_cursor: null };
/** An account's share of the connections is small, and others of it want some too. */
const COLUMNS_AT_ONCE = 3;
const NO_STAGE: ColumnStage = { id: null, kind: null };

/** The columns of a board: each in the order of its view, by pages. */
@Injectable()
export class BoardColumns {
  constructor(
    private readonly board: BoardRepository,
    private readonly threads: ThreadListRepository,
    private readonly leads: LeadRepository,
    private readonly totals: ColumnTotalsCache,
    private readonly filtered: FilteredCards,
    private readonly ability: ReplyAbility,
  ) {}

  funnel({ accountId, assistantId }: BoardView): Promise<FunnelStage[]> {
    return this.leads.listFunnel(accountId, assistantId);
  }

  /** @param seq the feed's mark, read before */
  async snapshot(view: BoardView, sort: ThreadSort, limit: number, seq: number): Promise<BoardSnapshot> {
    const isRecent = isOfAllByActivity(view, sort);
    const [statuses, totals, recent] = await Promise.all([
      this.funnel(view),
      isFiltered(view) ? this.filtered.counts(view) : this.totals.get(view, seq),
      isRecent ? this.newest(view, limit) : null,
    ]);
    const stages = [NO_STAGE, ...statuses];
    const pages = recent ?? (await this.firstPages(view, sort, limit, stages, totals));
    const columns = stages.map(({ id }) => ({
      status_id: id,
      total: totals.get(columnKey(id)) ?? 0,
      ...(pages.get(columnKey(id)) ?? EMPTY),
    }));
    return { seq, statuses, columns };
  }

  /**
   * The cards of a column after a cursor.
   * @throws ValidationError for a cursor of another order, StatusNotFoundError for a stage that is not in the funnel.
   */
  async more(
    view: BoardView,
    statusId: string | null,
    sort: ThreadSort,
    cursor: string,
    limit: number,
  ): Promise<ColumnPage & { status_id: string | null }> {
    const readOn = this.readerAfter(view, sort, cursor, limit);
    const id = statusId && statusId.toLowerCase();
    const stage = id === null ? NO_STAGE : (await this.funnel(view)).find((known) => known.id === id);
    if (!stage) throw new StatusNotFoundError();
    return { status_id: id, ...(await readOn(stage)) };
  }

  private readerAfter(
    view: BoardView,
    sort: ThreadSort,
    cursor: string,
    limit: number,
  ): (stage: ColumnStage) => Promise<ColumnPage> {
    if (isOfAllByActivity(view, sort)) {
      const after = ACTIVITY_CURSOR.decode(cursor) ?? refuseCursor();
      const { accountId, assistantId } = view;
      return async ({ id }) =>
        this.recentPage(await this.board.cardsAfter(accountId, assistantId, id, after, limit + 1), limit);
    }
    const after = COLUMN_CURSOR.decode(cursor) ?? refuseCursor();
    if (after.sort !== sort) refuseCursor();
    return (stage) => this.page(view, stage, { sort, after, limit });
  }

  private async newest(
    { accountId, assistantId }: BoardView,
    limit: number,
  ): Promise<Map<string, ColumnPage>> {
    const rows = await this.board.newestCards(accountId, assistantId, limit + 1);
    const byColumn = Map.groupBy(rows, (row) => columnKey(row.status_id));
    return new Map([...byColumn].map(([key, cards]) => [key, this.recentPage(cards, limit)]));
  }

  /** Columns without a lead are not read. Who comes meanwhile comes as an event. */
  private async firstPages(
    view: BoardView,
    sort: ThreadSort,
    limit: number,
    stages: readonly ColumnStage[],
    totals: LeadCounts,
  ): Promise<Map<string, ColumnPage>> {
    const pages = new Map<string, ColumnPage>();
    const wanted = stages.filter(({ id }) => (totals.get(columnKey(id)) ?? 0) > 0);
    const readers = Array.from({ length: COLUMNS_AT_ONCE }, async () => {
      for (let stage = wanted.shift(); stage; stage = wanted.shift())
        pages.set(columnKey(stage.id), await this.page(view, stage, { sort, after: null, limit }));
    });
    await Promise.all(readers);
    return pages;
  }

  /** A page of get-threads' list, of one stage. */
  private async page(
    { accountId, assistantId, filter }: BoardView,
    stage: ColumnStage,
    choice: Parameters<ThreadListRepository['page']>[2],
  ): Promise<ColumnPage> {
    const wanted = filter?.threads ?? {};
    if (!letsIn(wanted, stage)) return EMPTY;
    const { limit } = choice;
    const rows = await this.threads.page(
      { accountId, assistantIds: [assistantId] },
      { ...wanted, statusKind: undefined, statusIds: undefined, statusId: stage.id },
      { ...choice, limit: limit + 1 },
    );
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    return {
      cards: shown.map(({ row }) => presentCard(row, this.ability)),
      next_cursor: last && rows.length > limit ? COLUMN_CURSOR.encode(last.position) : null,
    };
  }

  private recentPage(rows: readonly BoardCardRow[], limit: number): ColumnPage {
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return {
      cards: page.map((row) => presentCard(row, this.ability)),
      next_cursor:
        last && rows.length > limit ? ACTIVITY_CURSOR.encode({ at: last.position_at, id: last.id }) : null,
    };
  }
}

/** These have an index of their own, which begins with the stage. */
const isOfAllByActivity = ({ filter }: BoardView, sort: ThreadSort): boolean =>
  filter === null && sort === 'activity';

function refuseCursor(): never {
  throw new ValidationError([{ path: 'cursor', message: 'is not a cursor of this board in this order' }]);
}
