import type { MessageRole } from '@app/contracts/message.words';
import type { StageKind } from '@app/contracts/stage.kinds';
import type { FunnelRows, MessagesOfDay } from '@app/persistence/figures/figure.repository';
import type { LocalDay } from './local.days';

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

/** Who speaks for the business, in the words of figures. */
const SPEAKERS = { ai: 'AI', operator: 'OPERATOR', system: 'SYSTEM' } as const satisfies Record<
  string,
  MessageRole
>;
type Speaker = keyof typeof SPEAKERS;

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
  const stages = stageFigures(rows);
  const ofDay = new Map<string, MessagesOfDay[]>();
  for (const row of rows.messages) pushTo(ofDay, String(row.day), row);
  const moves = movesByDay(rows);
  return {
    stages,
    ...messageFigures(ofDay.get('null') ?? []),
    days: days.map((day, index) => ({
      ...day,
      stages: [...(moves.get(index + 1)?.values() ?? [])],
      ...messageFigures(ofDay.get(String(index + 1)) ?? []),
    })),
  };
}

function stageFigures({ stages, standing, entered, left, times }: FunnelRows): StageFigures[] {
  const none = { id: null, name: null, kind: null, order: null, archived: false };
  const figures = [none, ...stages].map(({ id, ...stage }) => {
    const isHere = ({ status_id }: { status_id: string | null }): boolean => status_id === id;
    const entries = entered.filter(isHere);
    const leads = sumOf(entries, 'leads');
    const converted = sumOf(entries, 'converted');
    const time = times.find(isHere);
    return {
      ...{ status_id: id, ...stage, now: standing.find(isHere)?.now ?? 0 },
      ...{ entered: sumOf(entries, 'entered'), left: sumOf(left.filter(isHere), 'left'), leads, converted },
      conversion: leads === 0 || stage.kind === 'success' ? null : converted / leads,
      ...{ median_seconds: rounded(time?.median), p90_seconds: rounded(time?.p90) },
    };
  });
  return figures.filter(({ archived, now, entered, left }) => !archived || now + entered + left > 0);
}

function movesByDay({
  entered,
  left,
}: FunnelRows): Map<number, Map<string | null, DayFigures['stages'][number]>> {
  const days = new Map<number, Map<string | null, DayFigures['stages'][number]>>();
  const at = (day: number, status_id: string | null): DayFigures['stages'][number] => {
    const stages = days.get(day) ?? new Map<string | null, DayFigures['stages'][number]>();
    const stage = stages.get(status_id) ?? { status_id, entered: 0, left: 0 };
    days.set(day, stages.set(status_id, stage));
    return stage;
  };
  for (const row of entered) at(row.day, row.status_id).entered = row.entered;
  for (const row of left) at(row.day, row.status_id).left = row.left;
  return days;
}

function messageFigures(rows: readonly MessagesOfDay[]): MessageFigures {
  const of = (role: MessageRole | null): MessagesOfDay | undefined =>
    rows.find(({ by_role }) => by_role === role);
  const firstAnswers = (row?: MessagesOfDay): FirstAnswers => ({
    answers: row?.answers ?? 0,
    median_seconds: rounded(row?.median),
  });
  return {
    messages: bySpeaker((role) => of(role)?.messages ?? 0),
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

const sumOf = <Key extends string>(rows: readonly Record<Key, number>[], key: Key): number =>
  rows.reduce((sum, row) => sum + row[key], 0);

function pushTo<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
