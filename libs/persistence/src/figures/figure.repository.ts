import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../database/database.service';
import type { FigureAgent } from './figure-count.repository';
import { FigureRangeRepository, utcBlocks, utcDays } from './figure-range.repository';
import {
  ANSWER_TIMES_AT,
  RETURNED,
  STAGES,
  STANDING,
  STAY_TIMES_AT,
  type AnswerMedian,
  type ReturnedLeads,
  type StageOfFigures,
  type StayTimes,
  NAMES,
  type TemplateCount,
} from './figure.statements';
import type { RangeCount, TimeCount, TimeRange } from './figure.entity';
import { addedUp, ANSWER_CLASSES, placeOf, STAY_CLASSES, type TimePlace } from './time-classes';

export type { AnswerMedian, RangeCount, ReturnedLeads, StageOfFigures, StayTimes, TemplateCount, TimeRange };

/** What is known of a funnel: of a span, but for where leads stand now. A stage without anything has no row. */
export interface FunnelRows {
  stages: StageOfFigures[];
  standing: { status_id: string | null; now: number }[];
  /** Of each day. */
  moves: RangeCount['moves'][];
  messages: RangeCount['messages'][];
  returned: ReturnedLeads[];
  times: StayTimes[];
  answers: AnswerMedian[];
}

/** A place with the time that it stands for, in seconds. */
type Timed<Group> = TimePlace<Group> & { value: number };

/** Reads figures from what is counted. */
@Injectable()
export class FigureRepository {
  constructor(
    private readonly database: Database,
    private readonly ranges: FigureRangeRepository,
  ) {}

  /**
   * What is read from one table is read at one moment; the tables side by side.
   * @param days of the span, in order and without gaps
   */
  async funnel(agent: FigureAgent, days: readonly TimeRange[]): Promise<FunnelRows> {
    const { accountId } = agent;
    const of = { ...agent, subjectId: agent.assistantId };
    const span = { from: days[0]?.from ?? '', until: days.at(-1)?.until ?? '' };
    const now = Date.now();
    const asked = days.map((day, place) => ({
      ...day,
      lasting: place > 0 && place < days.length - 1 && Date.parse(day.until) <= now,
    }));
    const [stages, standing, moved, messages, times, answers] = await Promise.all([
      this.database.runFor(accountId, STAGES, { ...agent }),
      this.database.runFor(accountId, STANDING, { ...agent }),
      this.ranges.read(of, 'moves', asked, async (moves, transaction) => ({
        moves,
        returned: await transaction.run(RETURNED, { ...agent, ...span }),
      })),
      this.ranges.read(of, 'messages', asked, (counts) => Promise.resolve(counts)),
      this.ranges.read(of, 'stay_times', utcBlocks(span), (counts, transaction) =>
        this.stayTimes(transaction, agent, span, counts),
      ),
      this.ranges.read(of, 'answer_times', utcBlocks(span), (counts, transaction) =>
        this.answerMedians(transaction, agent, span, counts),
      ),
    ]);
    return { stages, standing, ...moved, messages, times, answers };
  }

  /** What came of a bot's templates that were sent in a span. Of those of which nothing was sent there is nothing. */
  async templates(of: FigureAgent & { botId: string }, span: TimeRange): Promise<TemplateCount[]> {
    const owner = { ...of, subjectId: of.botId };
    const days = await this.ranges.read(owner, 'templates', utcDays(span), (counts) =>
      Promise.resolve(counts),
    );
    const counts = addedStates(days.flat());
    const { accountId, botId } = of;
    const columns = {
      channels: counts.map(({ channel }) => channel),
      names: counts.map(({ template }) => template),
      languages: counts.map(({ language }) => language),
    };
    const names = await this.database.runFor(accountId, NAMES, { accountId, botId, ...columns });
    const known = new Map(names.map(({ n, ...name }) => [n - 1, name]));
    return counts.map((count, place) => ({
      ...count,
      ...(known.get(place) ?? { template_id: null, name: count.template ?? '', category: null }),
    }));
  }

  private async stayTimes(
    transaction: Transaction,
    agent: FigureAgent,
    span: TimeRange,
    counts: readonly (readonly TimeCount<string | null>[])[],
  ): Promise<StayTimes[]> {
    const groups = [...addedUp(counts)];
    const places = groups.flatMap(([group, classes]) =>
      [0.5, 0.9].flatMap((fraction) => placeOf(group, classes, fraction, STAY_CLASSES) ?? []),
    );
    const found = timed(
      places,
      await transaction.run(STAY_TIMES_AT, { ...agent, ...span, ...columnsOf(places) }),
    );
    const at = (status: string | null, fraction: number): number =>
      found.find((place) => place.group === status && place.fraction === fraction)?.value ?? 0;
    return groups.map(([status_id]) => ({ status_id, median: at(status_id, 0.5), p90: at(status_id, 0.9) }));
  }

  private async answerMedians(
    transaction: Transaction,
    agent: FigureAgent,
    span: TimeRange,
    counts: RangeCount['answer_times'][],
  ): Promise<AnswerMedian[]> {
    const all = counts.map((groups) => groups.map(([, ...rest]): TimeCount<null> => [null, ...rest]));
    const places = [...addedUp<AnswerMedian['by_role']>([...counts, ...all])].flatMap(
      ([group, classes]) => placeOf(group, classes, 0.5, ANSWER_CLASSES) ?? [],
    );
    const values = { ...agent, ...span, ...columnsOf(places) };
    const found = timed(places, await transaction.run(ANSWER_TIMES_AT, values));
    return found.map(({ group, value }) => ({ by_role: group, median: value }));
  }
}

const columnsOf = (places: readonly TimePlace<string | null>[]) => ({
  groups: places.map(({ group }) => group),
  lows: places.map(({ low }) => low),
  highs: places.map(({ high }) => high),
  skips: places.map(({ skip }) => skip),
});

/** Interpolated linearly. */
function timed<Group>(
  places: readonly TimePlace<Group>[],
  rows: readonly { n: number; length: number }[],
): Timed<Group>[] {
  const found = Map.groupBy(rows, ({ n }) => n);
  return places.map((place, index) => {
    const [low = 0, high = low] = (found.get(index + 1) ?? []).map(({ length }) => length);
    return { ...place, value: low + place.share * (high - low) };
  });
}

function addedStates(
  states: RangeCount['templates'],
): Omit<TemplateCount, 'template_id' | 'name' | 'category'>[] {
  const added = new Map<string, Omit<TemplateCount, 'template_id' | 'name' | 'category'>>();
  for (const [channel, template, language, status, error_code, provider_code, messages, replied] of states) {
    const of = { channel, template, language, status, error_code, provider_code };
    const key = JSON.stringify(Object.values(of));
    const known = added.get(key) ?? { ...of, messages: 0, replied: 0 };
    added.set(key, { ...known, messages: known.messages + messages, replied: known.replied + replied });
  }
  return [...added.values()];
}
