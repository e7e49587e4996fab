import { processLimits } from '@app/config/process-limits';
import { Injectable } from '@nestjs/common';
import { Database, WorkDatabase, type Transaction } from '../database/database.service';
import { statement } from '../database/sql.statements';
import { type TimeRange, SIZE_OF, type FigureRangeKind, type RangeCount } from './figure.entity';
import type { FigureAgent } from './figure-count.repository';
import {
  ASK,
  DUE,
  KEEP,
  KEPT,
  LOCK_ACCOUNT,
  NEXT_DUE,
  COUNT_RANGES,
  type CountedRange,
} from './figure-range.statements';

const DAY_MS = 86_400_000;

/** Days of a block, the longest first. Each is four of the next. */
const BLOCK_DAYS = [16, 4, 1];

/** A range of which the same is asked again whatever the span is: it may be kept. */
interface AskedRange extends TimeRange {
  lasting: boolean;
}

/**
 * The blocks of a span: whole days of UTC, as long ones as fit, and what is left at its ends. Days that are not over yet are
 * one rest.
 */
export function utcBlocks({ from, until }: TimeRange, now = Date.now()): AskedRange[] {
  const [begin, end] = [Date.parse(from), Date.parse(until)];
  const blocks: AskedRange[] = [];
  const add = (to: number, lasting: boolean): void => {
    if (to > at) blocks.push({ from: iso(at), until: iso(to), lasting });
    at = Math.max(at, to);
  };
  let at = begin;
  const over = Math.floor(Math.min(end, now) / DAY_MS) * DAY_MS;
  add(Math.min(end, Math.ceil(begin / DAY_MS) * DAY_MS), false);
  while (at < over) {
    const days = BLOCK_DAYS.find((each) => at % (each * DAY_MS) === 0 && at + each * DAY_MS <= over) ?? 1;
    add(at + days * DAY_MS, true);
  }
  add(end, false);
  return blocks;
}

/** The same span in days of UTC. */
export function utcDays(span: TimeRange, now = Date.now()): AskedRange[] {
  return utcBlocks(span, now).flatMap((block) => (block.lasting ? daysOf(block) : [block]));
}

function daysOf({ from, until }: TimeRange): AskedRange[] {
  const days: AskedRange[] = [];
  for (let at = Date.parse(from); at < Date.parse(until); at += DAY_MS)
    days.push({ from: iso(at), until: iso(at + DAY_MS), lasting: true });
  return days;
}

const iso = (at: number): string => new Date(at).toISOString();

/** Whose ranges they are: an agent's, or those of a bot of it. */
export interface RangeOwner extends FigureAgent {
  subjectId: string;
}

/** Of a kind: what is counted of each of the ranges asked for, in their order. */
interface ReadRanges<Kind extends FigureRangeKind> {
  counts: RangeCount[Kind][];
  /** Ranges that are worth being kept, and are not. */
  unkept: AskedRange[];
}

const KEEPING = processLimits('figures', {
  /** Rows of stays or messages that a call reads without having their ranges kept: some 30 ms. */
  rowsMost: 10_000,
});

/** How much one statement counts from the rows themselves: far below the limit of a statement. */
const HOURS_AT_ONCE = 24 * 32;
const AGENTS_AT_ONCE = 1_000;
/** Ranges that one transaction counts in the background. Calls for figures of the account wait for it. */
const RANGES_AT_ONCE = 2;

const ONE_SNAPSHOT = statement('figures-one-snapshot').returns(
  'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY',
);

/** What is counted of ranges of time, kept where very much is counted again and again. */
@Injectable()
export class FigureRangeRepository {
  constructor(
    private readonly database: Database,
    private readonly work: WorkDatabase,
  ) {}

  /** Reads ranges, and what follows from them, at one moment. */
  async read<Kind extends FigureRangeKind, Rest>(
    of: RangeOwner,
    kind: Kind,
    ranges: readonly AskedRange[],
    rest: (counts: RangeCount[Kind][], transaction: Transaction) => Promise<Rest>,
  ): Promise<Rest> {
    const { result, unkept } = await this.database.transactFor(of.accountId, async (transaction) => {
      await transaction.run(ONE_SNAPSHOT);
      const { counts, unkept } = await this.countsOf(transaction, of, kind, ranges);
      return { result: await rest(counts, transaction), unkept };
    });
    if (unkept.length > 0)
      await this.database.runFor(of.accountId, ASK, { ...of, kind, ...columnsOf(unkept) });
    return result;
  }

  /** Agents with ranges to be counted. */
  async due(): Promise<{ accountId: string; id: string }[]> {
    return this.work.run(DUE, { limit: AGENTS_AT_ONCE });
  }

  /** Counts some ranges that are asked for or were forgotten. @returns whether there were any */
  async keepNext({ accountId, assistantId }: FigureAgent): Promise<boolean> {
    return this.database.transactFor(`figures of ${accountId}`, async (transaction) => {
      await transaction.run(LOCK_ACCOUNT, { accountId });
      const due = await transaction.run(NEXT_DUE, { accountId, assistantId, limit: RANGES_AT_ONCE });
      for (const { subject_id: subjectId, kind, from_at, until_at } of due) {
        const [from, until] = [from_at.toISOString(), until_at.toISOString()];
        const range = { accountId, subjectId, froms: [from], untils: [until] };
        const [row] = await transaction.run<CountedRange<FigureRangeKind>, keyof typeof range>(
          COUNT_RANGES[kind],
          range,
        );
        const counted = JSON.stringify(row?.result ?? []);
        await transaction.run(KEEP, { accountId, subjectId, kind, from, until, counted });
      }
      return due.length > 0;
    });
  }

  private async countsOf<Kind extends FigureRangeKind>(
    transaction: Transaction,
    { accountId, subjectId }: RangeOwner,
    kind: Kind,
    ranges: readonly AskedRange[],
  ): Promise<ReadRanges<Kind>> {
    const of = { accountId, subjectId };
    const kept = (await transaction.run(KEPT, {
      ...of,
      kind,
      ...columnsOf(ranges),
    })) as CountedRange<Kind>[];
    const counts = new Map(kept.map(({ n, result }) => [n - 1, result]));
    const missing = [...ranges.keys()].filter((place) => !counts.has(place));
    let rowsRead = 0;
    for (const places of together(missing, ranges)) {
      const columns = columnsOf(places.map((place) => ranges[place]).filter((range) => range !== undefined));
      for (const { n, result } of await transaction.run(COUNT_RANGES[kind], { ...of, ...columns })) {
        counts.set(places[n - 1] ?? -1, result);
        rowsRead += SIZE_OF[kind](result);
      }
    }
    const unkept = missing.flatMap((place) => ranges[place] ?? []).filter(({ lasting }) => lasting);
    return {
      counts: [...ranges.keys()].flatMap((place) => {
        const counted = counts.get(place);
        return counted === undefined ? [] : [counted];
      }),
      unkept: rowsRead > KEEPING.rowsMost ? unkept : [],
    };
  }
}

/** The places of ranges in groups, of which each is as long as one statement may count. */
function together(places: readonly number[], ranges: readonly AskedRange[]): number[][] {
  const groups: number[][] = [];
  let room = 0;
  for (const place of places) {
    const { from = '', until = '' } = ranges[place] ?? {};
    const hours = (Date.parse(until) - Date.parse(from)) / 3_600_000;
    const last = groups.at(-1);
    if (last && hours <= room) last.push(place);
    else groups.push([place]);
    room = (last && hours <= room ? room : HOURS_AT_ONCE) - hours;
  }
  return groups;
}

const columnsOf = (ranges: readonly AskedRange[]) => ({
  froms: ranges.map(({ from }) => from),
  untils: ranges.map(({ until }) => until),
});
