import type { FigureMessageEntity } from './figure-message.entity';
import type { FigureStayEntity } from './figure-stay.entity';

/** From an instant to a later one, which is not part of it. Times are ISO 8601. */
export interface TimeRange {
  from: string;
  until: string;
}

type StageId = FigureStayEntity['status_id'];
type Role = FigureMessageEntity['role'];

/**
 * A stage, how often leads entered it, how many of these entered it for the first time ever, how many of those were led to
 * success, and how often leads left it.
 */
export type StageCount = [
  status: StageId,
  entered: number,
  first: number,
  firstConverted: number,
  left: number,
];

/** Of a role, or of all where it is null. The median is in seconds; null: there is no first answer. */
export type RoleCount = [role: Role | null, messages: number, answers: number, median: number | null];

/** How many times are in which classes of length (`time-classes.ts`). */
export type TimeCount<Group> = [group: Group, classes: number[], counts: number[]];

/** How many messages of one template have come to the same, and to how many of them the customer replied. */
export type TemplateStateCount = [
  ...of: [channel: FigureMessageEntity['channel'], template: string, language: string | null],
  ...state: [status: FigureMessageEntity['status'], error: FigureMessageEntity['error_code']],
  ...counts: [providerCode: FigureMessageEntity['provider_code'], messages: number, replied: number],
];

/** What is counted of a range, by kind. */
export interface RangeCount {
  moves: StageCount[];
  messages: RoleCount[];
  stay_times: TimeCount<StageId>[];
  answer_times: TimeCount<Role>[];
  templates: TemplateStateCount[];
}

export type FigureRangeKind = keyof RangeCount;

/** How many rows were read for a count, about. */
export const SIZE_OF: { [Kind in FigureRangeKind]: (counted: RangeCount[Kind]) => number } = {
  moves: (stages) => sum(stages.map(([, entered, , , left]) => entered + left)),
  messages: (roles) => sum(roles.map(([role, messages]) => (role === null ? messages : 0))),
  stay_times: (groups) => sum(groups.flatMap(([, , counts]) => counts)),
  answer_times: (groups) => sum(groups.flatMap(([, , counts]) => counts)),
  templates: (states) => sum(states.map(([, , , , , , messages]) => messages)),
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
