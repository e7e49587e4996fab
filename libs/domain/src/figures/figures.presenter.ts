import type { MessageRole, Channel, MessageError } from '@app/contracts/message.words';
import type { StageKind } from '@app/contracts/stage.words';
import type { FunnelRows, RangeCount, TemplateCount } from '@app/persistence/figures/figure.repository';
import { Temporal } from 'temporal-polyfill';

/** A local day of a time zone, or the part of it that lies within a span. Times are ISO 8601, `to` is not part of it. */
interface LocalDay {
  /** `YYYY-MM-DD`. */
  date: string;
  from: string;
  to: string;
}

/**
 * The local days of a span, in order and without gaps: the first begins with the span, the last ends with it. A day lasts
 * 23 or 25 hours where clocks change, and is left out where the calendar leaves it out.
 * @throws RangeError where the time zone is unknown
 */
export function localDays(from: Date, to: Date, timezone: string): LocalDay[] {
  const first = Temporal.Instant.fromEpochMilliseconds(from.getTime()).toZonedDateTimeISO(timezone);
  const days: LocalDay[] = [{ date: dateOf(first), from: from.toISOString(), to: to.toISOString() }];
  for (let date = first.toPlainDate().add({ days: 1 }); ; date = date.add({ days: 1 })) {
    const start = date.toZonedDateTime(timezone);
    const last = days.at(-1);
    if (start.epochMilliseconds >= to.getTime() || !last) return days;
    if (dateOf(start) !== date.toString()) continue;
    last.to = new Date(start.epochMilliseconds).toISOString();
    days.push({ date: dateOf(start), from: last.to, to: to.toISOString() });
  }
}

const dateOf = (local: Temporal.ZonedDateTime): string => local.toPlainDate().toString();

/** Times in seconds; null where there is nothing to tell. */
interface StageFigures {
  /** Null: no stage. */
  status_id: string | null;
  name: string | null;
  kind: StageKind | null;
  order: number | null;
  archived: boolean;
  now: number;
  entered: number;
  left: number;
  /** Different leads that entered, and how many of them reached success later. */
  leads: number;
  converted: number;
  /** `converted` of `leads`, from 0 to 1; null: none entered, or the stage is of kind success itself. */
  conversion: number | null;
  median_seconds: number | null;
  p90_seconds: number | null;
}

interface FirstAnswers {
  answers: number;
  median_seconds: number | null;
}

type RoleCount = RangeCount['messages'][number];

/** Who speaks for the business, in the words of figures. */
const SPEAKERS = { ai: 'AI', operator: 'OPERATOR', system: 'SYSTEM' } as const satisfies Record<
  string,
  MessageRole
>;
type Speaker = keyof typeof SPEAKERS;

const ALL_ROLES = [null, ...Object.values(SPEAKERS)];

type MessageCounts = Record<Speaker, number>;

interface MessageFigures {
  messages: MessageCounts;
  first_answers: FirstAnswers & Record<Speaker, FirstAnswers>;
}

interface DayFigures extends LocalDay, MessageFigures {
  /** Stages that somebody entered or left. */
  stages: Pick<StageFigures, 'status_id' | 'entered' | 'left'>[];
}

export interface FunnelFigures extends MessageFigures {
  stages: StageFigures[];
  days: DayFigures[];
}

/**
 * The row without a stage comes first, then the funnel in its order, then archived stages of which there is something to
 * tell.
 */
export function funnelFigures(rows: FunnelRows, days: readonly LocalDay[]): FunnelFigures {
  const medians = new Map(rows.answers.map(({ by_role, median }) => [by_role, median]));
  return {
    stages: stageFigures(rows),
    ...messageFigures(
      ALL_ROLES.map((role): RoleCount => {
        const counts = rows.messages.flatMap((day) => day.filter(([of]) => of === role));
        const [messages, answers] = [sumOf(counts, ([, each]) => each), sumOf(counts, ([, , each]) => each)];
        return [role, messages, answers, medians.get(role) ?? null];
      }),
    ),
    days: days.map((day, index) => ({
      ...day,
      stages: (rows.moves[index] ?? [])
        .map(([status_id, entered, , , left]) => ({ status_id, entered, left }))
        .filter(({ entered, left }) => entered + left > 0),
      ...messageFigures(rows.messages[index] ?? []),
    })),
  };
}

function stageFigures({ stages, standing, moves, returned, times }: FunnelRows): StageFigures[] {
  const none = { id: null, name: null, kind: null, order: null, archived: false };
  const counts = Map.groupBy(moves.flat(), ([status_id]) => status_id);
  const figures = [none, ...stages].map(({ id, ...stage }) => {
    const isHere = ({ status_id }: { status_id: string | null }): boolean => status_id === id;
    const here = counts.get(id) ?? [];
    const back = returned.find(isHere) ?? { leads: 0, successes: 0 };
    const leads = sumOf(here, ([, , first]) => first) + back.leads;
    const converted = sumOf(here, ([, , , first]) => first) + back.successes;
    const time = times.find(isHere);
    return {
      ...{ status_id: id, ...stage, now: standing.find(isHere)?.now ?? 0 },
      ...{ entered: sumOf(here, ([, entered]) => entered), left: sumOf(here, ([, , , , left]) => left) },
      ...{ leads, converted },
      conversion: leads === 0 || stage.kind === 'success' ? null : converted / leads,
      ...{ median_seconds: rounded(time?.median), p90_seconds: rounded(time?.p90) },
    };
  });
  return figures.filter(({ archived, now, entered, left }) => !archived || now + entered + left > 0);
}

function messageFigures(counts: readonly RoleCount[]): MessageFigures {
  const of = (role: MessageRole | null): RoleCount | undefined => counts.find(([each]) => each === role);
  const firstAnswers = ([, , answers = 0, median = null]: Partial<RoleCount> = []): FirstAnswers => ({
    answers,
    median_seconds: rounded(median),
  });
  return {
    messages: bySpeaker((role) => of(role)?.[1] ?? 0),
    first_answers: { ...firstAnswers(of(null)), ...bySpeaker((role) => firstAnswers(of(role))) },
  };
}

const bySpeaker = <T>(valueOf: (role: MessageRole) => T): Record<Speaker, T> => ({
  ai: valueOf(SPEAKERS.ai),
  operator: valueOf(SPEAKERS.operator),
  system: valueOf(SPEAKERS.system),
});

/** To the millisecond. */
const rounded = (seconds: number | null | undefined): number | null =>
  typeof seconds === 'number' ? Math.round(seconds * 1_000) / 1_000 : null;

const sumOf = <T>(counts: readonly T[], numberOf: (count: T) => number): number =>
  counts.reduce((sum, count) => sum + numberOf(count), 0);

interface FailedMessages {
  code: MessageError['code'] | null;
  /** The provider's own number for it. */
  provider_code: number | null;
  messages: number;
}

/** Of one template in one language on one channel. Every message is counted in one of `queued`, `sent`, `failed` and `unknown`. */
export interface TemplateFigures {
  /** The name by which it was asked for, where it is not registered. */
  template_id: string;
  name: string;
  language: string;
  channel: Channel;
  category: string | null;
  messages: number;
  queued: number;
  sent: number;
  delivered: number;
  read: number;
  replied: number;
  unknown: number;
  failed: number;
  failed_by_code: FailedMessages[];
}

/** What has been delivered was sent, and what has been read was delivered. */
const COUNTED_AS = {
  queued: ['queued'],
  sending: ['queued'],
  unknown: ['unknown'],
  sent: ['sent'],
  delivered: ['sent', 'delivered'],
  read: ['sent', 'delivered', 'read'],
  failed: ['failed'],
} as const satisfies Record<string, readonly (keyof TemplateFigures)[]>;

/** The most sent ones first. */
export function templateFigures(counts: readonly TemplateCount[]): TemplateFigures[] {
  const templates = new Map<string, TemplateFigures>();
  for (const count of counts) {
    const of = beginningOf(count);
    const key = JSON.stringify([of.channel, of.language, of.template_id]);
    const figures = templates.get(key) ?? of;
    templates.set(key, figures);
    add(figures, count);
  }
  return [...templates.values()].sort(
    (one, other) => other.messages - one.messages || (keyOf(one) < keyOf(other) ? -1 : 1),
  );
}

function add(figures: TemplateFigures, count: TemplateCount): void {
  const { status, messages, replied, error_code: code, provider_code } = count;
  const columns = isCounted(status) ? COUNTED_AS[status] : [];
  figures.messages += messages;
  for (const column of columns) figures[column] += messages;
  if (columns.some((column) => column === 'sent')) figures.replied += replied;
  if (status === 'failed') figures.failed_by_code.push({ code, provider_code, messages });
}

const beginningOf = ({
  template,
  template_id,
  name,
  language,
  channel,
  category,
}: TemplateCount): TemplateFigures => ({
  ...{ template_id: template_id ?? template ?? '', name, language: language ?? '', channel, category },
  ...{ messages: 0, queued: 0, sent: 0, delivered: 0, read: 0, replied: 0, unknown: 0, failed: 0 },
  failed_by_code: [],
});

const isCounted = (status: string): status is keyof typeof COUNTED_AS => status in COUNTED_AS;
const keyOf = ({ template_id, language, channel }: TemplateFigures): string =>
  JSON.stringify([template_id, language, channel]);
