import type { Channel, MessageError, MessageRole, MessageStatus } from '@app/contracts/message.words';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * What figures need of a message of ours. It has nothing of the customer, and stays when the customer is erased.
 */
@Entity('figure_messages')
@Index('figure_messages_at', ['account_id', 'assistant_id', 'at', 'role', 'began_at'], { where: 'counts' })
@Index('figure_messages_answered', { synchronize: false })
@Index(
  'figure_messages_templates',
  [
    ...['account_id', 'bot_id', 'at', 'channel', 'template', 'language', 'status', 'replied'],
    ...['error_code', 'provider_code'],
  ],
  { where: 'template IS NOT NULL' },
)
export class FigureMessageEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @PrimaryColumn('uuid')
  message_id: string;

  @Column('uuid')
  assistant_id: string;

  @Column('uuid')
  bot_id: string;

  @Column('text')
  channel: Channel;

  /** When the message was stored. */
  @Column('timestamptz')
  at: Date;

  @Column('text')
  role: MessageRole;

  @Column('text')
  status: MessageStatus;

  /** Whether it counts: it has neither failed nor been dropped. */
  @Column('boolean')
  counts: boolean;

  /** Of a first answer: when the customer's message came that began to wait for it. */
  @Column('timestamptz', { nullable: true })
  began_at: Date | null;

  /** The template by the name that the provider got; null: it is no template. */
  @Column('text', { nullable: true })
  template: string | null;

  @Column('text', { nullable: true })
  language: string | null;

  /** Whether the customer wrote within 24 hours after it. */
  @Column('boolean', { default: false })
  replied: boolean;

  @Column('text', { nullable: true })
  error_code: MessageError['code'] | null;

  @Column('integer', { nullable: true })
  provider_code: number | null;
}

/**
 * A lead's stay in a stage, from one move to the next: a row for each move in the log. It has nothing of the customer, and
 * stays when the customer is erased.
 */
@Entity('figure_stays')
@Index(
  'figure_stays_entered',
  ['account_id', 'assistant_id', 'entered_at', 'status_id', 'earlier_at', 'converted'],
  { where: 'counted' },
)
@Index('figure_stays_left', ['account_id', 'assistant_id', 'left_at', 'status_id', 'entered_at'], {
  where: 'left_at IS NOT NULL',
})
@Index('figure_stays_lasted', { synchronize: false })
@Index('figure_stays_returned', { synchronize: false })
export class FigureStayEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @PrimaryColumn('uuid')
  thread_id: string;

  /** The number of the event that began it; 0: it began before the first move that the log has. */
  @PrimaryColumn('bigint')
  seq: string;

  @Column('uuid')
  assistant_id: string;

  /** Null: no stage. */
  @Column('uuid', { nullable: true })
  status_id: string | null;

  @Column('timestamptz')
  entered_at: Date;

  @Column('timestamptz', { nullable: true })
  left_at: Date | null;

  /** Whether the log says that the lead entered. */
  @Column('boolean')
  counted: boolean;

  /** When the lead last entered the same stage before. */
  @Column('timestamptz', { nullable: true })
  earlier_at: Date | null;

  /** Whether the lead entered a stage of kind success later. */
  @Column('boolean', { default: false })
  converted: boolean;
}

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

/**
 * What was counted of the stays or messages of a range of time, kept so that they need not be read again. Whoever changes
 * one of them forgets the range in the same transaction.
 */
@Entity('figure_ranges')
@Index('figure_ranges_due', ['account_id', 'assistant_id'], { where: 'counted IS NULL' })
export class FigureRangeEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  /** The agent, or of templates the bot. */
  @PrimaryColumn('uuid')
  subject_id: string;

  @PrimaryColumn('text')
  kind: FigureRangeKind;

  @PrimaryColumn('timestamptz')
  from_at: Date;

  /** Not part of it. */
  @PrimaryColumn('timestamptz')
  until_at: Date;

  /** The agent for which it is counted. */
  @Column('uuid')
  assistant_id: string;

  /** Null: it was forgotten, or is not counted yet. */
  @Column('json', { nullable: true })
  counted: RangeCount[FigureRangeKind] | null;
}

/** How far the log of an agent's dialogs is counted for figures. Its row is locked while something is counted. */
@Entity('figure_positions')
export class FigurePositionEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @PrimaryColumn('uuid')
  assistant_id: string;

  /** Every event up to this number is counted, and none can become visible below it any more. */
  @Column('bigint', { default: 0 })
  seq: string;

  /** The number up to which events are counted next; null: none was chosen. */
  @Column('bigint', { nullable: true })
  next_seq: string | null;

  /** Once no transaction before this one is open, no event up to `next_seq` can become visible any more. */
  @Column('bigint', { nullable: true })
  next_xid: string | null;

  /** The stages of kind success by which `converted` was decided. */
  @Column('uuid', { array: true, default: [] })
  success_ids: string[];

  /** While `converted` is decided anew: the last dialog for which it is done. */
  @Column('uuid', { nullable: true })
  redone_to: string | null;
}
