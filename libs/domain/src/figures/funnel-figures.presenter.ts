import type { MessageRole } from '@app/contracts/message.words';
import type { StageKind } from '@app/contracts/stage.words';
import type { FunnelRows, RangeCount } from '@app/persistence/figures/figure.repository';
import type { LocalDay } from './local-days';

/** Times in seconds; null where there is nothing to tell. */
export interface StageFigures {
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

export interface FirstAnswers {
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

export type MessageCounts = Record<Speaker, number>;

export interface MessageFigures {
  messages: MessageCounts;
  first_answers: FirstAnswers & Record<Speaker, FirstAnswers>;
}

export interface DayFigures extends LocalDay, MessageFigures {
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
