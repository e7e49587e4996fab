import type { ThreadSort } from '@app/contracts/lead.words';
import type { ActivityPosition, SeenFirst, ThreadPosition } from '@app/contracts/values/list-position.format';
import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.service';
import type { SqlStatement, ValuesOf } from '../database/sql.statements';
import type { Visibility } from '../accounts/reach-scope';
import type { CardRow } from './card-columns';
import { filterValues, readsAll, type ThreadFilter } from './thread-filter';
import {
  MATCHING,
  MISSING,
  NAMED,
  PAGE,
  PAGE_AMONG,
  PAGE_BY_ACTIVITY,
  PAGE_BY_ACTIVITY_AFTER,
  PAGE_OF_PART,
  PAGE_NOT_WAITING,
  PAGE_OF_CONTACTS,
  PAGE_WAITING,
  SEEN,
  TOTALS,
  TOTALS_FOUND,
  type NamedRow,
  type TotalRow,
} from './thread-list.statements';
import { ThreadSearchRepository } from './thread-search.repository';

/** A dialog of a page, and its place in the list. */
export interface PlacedRow {
  row: CardRow;
  position: ThreadPosition;
}

/** Which page: its order, the place that it follows, and how many dialogs it has at most. */
export interface PageChoice {
  sort: ThreadSort;
  /** Null: the first page. It is of the same order. */
  after: ThreadPosition | null;
  limit: number;
}

/** A look at so many dialogs takes 1.5 ms (measured). Words of one dialog in six fill a page by it. */
const LOOKED_AT_FIRST = 300;
/** Reading so many takes 60 ms. */
const LOOKED_AT_MOST = 15_000;

@Injectable()
export class ThreadListRepository {
  constructor(
    private readonly database: Database,
    private readonly search: ThreadSearchRepository,
  ) {}

  /** Dialogs of the caller's agents. */
  async page(of: Visibility, filter: ThreadFilter, page: PageChoice): Promise<PlacedRow[]> {
    if (page.sort === 'activity') return this.byActivity(of, filter, page);
    if (page.sort === 'waiting') return this.byWaiting(of, filter, page);
    const before = page.after?.id ?? null;
    const rows = await this.newest(of, filter, before, page.limit);
    return rows.map((row) => ({ row, position: { sort: 'opened', id: row.id } }));
  }

  /** How many dialogs pass the filter, by stage; null: those without one. */
  async totals(of: Visibility, filter: ThreadFilter): Promise<TotalRow[]> {
    const { contacts, query, among } = filter;
    const isFound = contacts !== undefined || query !== undefined || among !== undefined;
    return this.database.runPlanned(of.accountId, isFound ? TOTALS_FOUND : TOTALS, filterValues(of, filter));
  }

  /** Which of these dialogs pass the filter. */
  async matching(of: Visibility, filter: ThreadFilter, ids: readonly string[]): Promise<string[]> {
    const rows = await this.database.runFor(of.accountId, MATCHING, { ...filterValues(of, filter), ids });
    return rows.map(({ id }) => id);
  }

  /** The filter's addresses for which no dialog of the caller passes the filter. */
  async missingContacts(of: Visibility, filter: ThreadFilter): Promise<string[]> {
    const values = filterValues(of, { ...filter, contacts: filter.contacts ?? [] });
    const rows = await this.database.runFor(of.accountId, MISSING, values);
    return rows.map(({ contact }) => contact);
  }

  /** Whether the stages, the scenario and the person that a filter names are of the caller's agents. */
  async named(
    { accountId, assistantIds }: Visibility,
    { statusIds, scenarioId, userId }: { statusIds: readonly string[]; scenarioId?: string; userId?: string },
  ): Promise<NamedRow | undefined> {
    const values = {
      accountId,
      assistantIds,
      statusIds,
      scenarioId: scenarioId ?? null,
      userId: userId ?? null,
    };
    const [row] = await this.database.runFor(accountId, NAMED, values);
    return row;
  }

  /** The last opened first. */
  private async newest(
    of: Visibility,
    filter: ThreadFilter,
    before: string | null,
    limit: number,
  ): Promise<CardRow[]> {
    const { query, ...others } = filter;
    if (filter.contacts !== undefined) return this.read(of, PAGE_OF_CONTACTS, filter, { before, limit });
    if (query !== undefined) return this.found(of, others, query, { before, limit });
    return this.read(of, forReach(of, PAGE), filter, { before, limit });
  }

  /**
   * Words that many dialogs have are among the newest, and those that few have are quickly found by their index, for which
   * the others take a second. So the newest are read as long as what they have had promises a full page.
   */
  private async found(
    of: Visibility,
    filter: ThreadFilter,
    query: string,
    { before, limit }: { before: string | null; limit: number },
  ): Promise<CardRow[]> {
    const { accountId } = of;
    const rows: CardRow[] = [];
    let [from, count] = [before, LOOKED_AT_FIRST];
    for (let looked = 0, needed = 0; needed <= LOOKED_AT_MOST;) {
      const part = { before: from, count, limit: limit - rows.length };
      const values = { ...filterValues(of, filter), words: query, ...part };
      const found = await this.database.runFor(accountId, PAGE_OF_PART, values);
      rows.push(...found);
      // Nothing among so many: the index is quick.
      if (found.length === 0) break;
      const end = found[0]?.part_end ?? null;
      if (end === null || rows.length >= limit) return rows;
      looked += count;
      needed = (looked * (limit - rows.length)) / rows.length;
      [from, count] = [end, Math.ceil(Math.min(1.5 * needed, 4 * looked))];
    }
    for await (const { ids, isAll } of this.search.find(accountId, query, before)) {
      const values = { ...filterValues(of, filter), ids, limit };
      const all = await this.database.runFor(accountId, PAGE_AMONG, values);
      if (isAll || all.length >= limit) return all;
    }
    return this.read(of, forReach(of, PAGE), { ...filter, query }, { before, limit });
  }

  private async byActivity(
    of: Visibility,
    filter: ThreadFilter,
    { after, limit }: PageChoice,
  ): Promise<PlacedRow[]> {
    const position = after?.sort === 'activity' ? after : null;
    const rows = await (position
      ? this.read(of, forReach(of, PAGE_BY_ACTIVITY_AFTER), filter, { limit, ...whatIsKnown(position) })
      : this.read(of, forReach(of, PAGE_BY_ACTIVITY), filter, { limit }));
    return rows.map((row) => ({
      row,
      position: {
        ...{ sort: 'activity', at: row.position_at, id: row.id },
        ...{ snapshot: row.snapshot, seenAt: row.seen_at },
      },
    }));
  }

  private async byWaiting(
    of: Visibility,
    filter: ThreadFilter,
    { after, limit }: PageChoice,
  ): Promise<PlacedRow[]> {
    const position = after?.sort === 'waiting' ? after : null;
    const seen = position ?? (await this.seen(of));
    const known = { snapshot: seen.snapshot, seenAt: seen.seenAt };
    const inSecondPart = position !== null && position.at === null;
    const place = { afterAt: position?.at ?? null, afterId: position?.id ?? null };
    const waiting = inSecondPart
      ? []
      : await this.read(of, forReach(of, PAGE_WAITING), filter, { limit, ...known, ...place });
    const rest = limit - waiting.length;
    const before = inSecondPart ? position.id : null;
    const others =
      rest > 0
        ? await this.read(of, forReach(of, PAGE_NOT_WAITING), filter, { limit: rest, ...known, before })
        : [];
    return [
      ...waiting.map((row) => ({ row, at: row.position_at })),
      ...others.map((row) => ({ row, at: null })),
    ].map(({ row, at }) => ({ row, position: { sort: 'waiting', at, id: row.id, ...known } }));
  }

  private async seen({ accountId }: Visibility): Promise<SeenFirst> {
    const [row] = await this.database.runFor(accountId, SEEN);
    if (!row) throw new Error('PostgreSQL told no snapshot.');
    return { snapshot: row.snapshot, seenAt: row.seen_at };
  }

  private async read<Row extends object, Parameter extends string>(
    of: Visibility,
    list: SqlStatement<Row, Parameter>,
    filter: ThreadFilter,
    page: Record<string, unknown>,
  ): Promise<Row[]> {
    const values = { ...filterValues(of, filter), ...page } as unknown as ValuesOf<Parameter>;
    const owner = of.accountId;
    return readsAll(filter)
      ? this.database.runPlanned<Row, string>(owner, list, values)
      : this.database.runFor<Row, string>(owner, list, values);
  }
}

const forReach = <Statement>(
  { assistantIds }: Visibility,
  { one, many }: Record<'one' | 'many', Statement>,
): Statement => (assistantIds.length === 1 ? one : many);

const whatIsKnown = ({ snapshot, seenAt, at, id }: ActivityPosition) => ({
  ...{ snapshot, seenAt },
  ...{ afterAt: at, afterId: id },
});
