import type { FieldViolation } from '@app/contracts/coded.errors';
import { RUN_STATES, RUN_STEP_STATES, STEP_KINDS } from '@app/contracts/scenario.words';
import { SKIP_REASONS } from '@app/domain/scenarios/runs/scenario-starts.service';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsBoolean, IsIn, IsNotEmpty, IsString } from 'class-validator';
import { EXAMPLE_THREAD_ID, ApiProperty, ApiPropertyOptional } from '../http/docs/openapi.decorator';
import { Refine, MayBeAbsent, IsTime } from '../http/dto/dto.decorator';
import { WouldStartAnswer } from '../http/dto/would-start.answer';

const START_THREADS_MAX = 500;

const NOT_THREADS = `must be an array of 1 to ${START_THREADS_MAX} dialogs such as thread_<uuid>`;

/** Exactly one of the two says which leads, and each dialog is named. */
function violationsOfChoice({ thread_ids, whole_stage }: StartScenarioRequest): FieldViolation[] {
  if ((thread_ids === undefined) === (whole_stage === undefined)) {
    return [{ path: 'thread_ids', message: 'give exactly one of thread_ids and whole_stage' }];
  }
  const message = 'must be a string such as thread_<uuid>';
  return (thread_ids ?? []).flatMap((id: unknown, index) =>
    typeof id === 'string' && id !== '' ? [] : [{ path: `thread_ids[${index}]`, message }],
  );
}

@Refine(violationsOfChoice)
export class StartScenarioRequest {
  @ApiPropertyOptional({
    type: [String],
    minItems: 1,
    maxItems: START_THREADS_MAX,
    example: [EXAMPLE_THREAD_ID],
    description:
      'Dialogs of the scenario’s agent. Those for which no run may begin are skipped, with the reason.',
  })
  @MayBeAbsent()
  @IsArray({ message: NOT_THREADS })
  @ArrayMinSize(1, { message: NOT_THREADS })
  @ArrayMaxSize(START_THREADS_MAX, { message: NOT_THREADS })
  thread_ids?: string[];

  @ApiPropertyOptional({
    enum: [true],
    description: 'All leads of the stage that have had no run of the scenario since they entered it.',
  })
  @MayBeAbsent()
  @IsIn([true], { message: 'must be true, or absent' })
  whole_stage?: true;

  @ApiPropertyOptional({ default: false, description: 'Answer what would be started, and start nothing.' })
  @MayBeAbsent()
  @IsBoolean()
  dry_run?: boolean;
}

class SkippedThreadAnswer {
  @ApiProperty({ example: EXAMPLE_THREAD_ID })
  thread_id: string;

  @ApiProperty({
    enum: SKIP_REASONS,
    description:
      '`not_in_stage`: its lead stands elsewhere. `already_started`: with `whole_stage`, a run has begun since the lead entered the stage. `opted_out`, `takeover`: a run would end at once. `once`, `already_running`, `cooldown`: by `reentry` and `cooldown_seconds`. `loop`: too many runs in ten minutes or in a day; a failed run says so, and a person is asked for.',
  })
  reason: string;
}

export class StartScenarioAnswer {
  @ApiProperty({ type: 'integer', example: 2, description: 'Runs that begin; 0 with `dry_run`' })
  started: number;

  @ApiProperty({
    type: [SkippedThreadAnswer],
    description: 'Those of `thread_ids` for which none begins, and why; empty with `whole_stage`',
  })
  skipped: SkippedThreadAnswer[];

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    example: { opted_out: 1 },
    description: 'How many leads were skipped, by reason, with `whole_stage` too',
  })
  skipped_counts: Record<string, number>;

  @ApiProperty({
    type: WouldStartAnswer,
    description:
      'Runs that begin, or would with `dry_run`; messages at most, for a condition may hold one back',
  })
  would_start: WouldStartAnswer;
}

const REPLIES_MAX = 50;
/** The longest scenario: 50 waits of 90 days. */
const SECONDS_MAX = 50 * 7_776_000;
const EXAMPLE_TIME = '2026-11-20T09:30:00.000Z';

const NOT_REPLIES = `must be an array of at most ${REPLIES_MAX} times, in whole seconds after the start`;

function violationsOfReplies({ replies = [] }: TryScenarioRequest): FieldViolation[] {
  const message = `must be whole seconds after the start, from 0 to ${SECONDS_MAX}`;
  const isTime = (value: unknown): boolean =>
    typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= SECONDS_MAX;
  return replies.flatMap((value, index) => (isTime(value) ? [] : [{ path: `replies[${index}]`, message }]));
}

@Refine(violationsOfReplies)
export class TryScenarioRequest {
  @ApiPropertyOptional({
    example: EXAMPLE_THREAD_ID,
    description: 'With the facts of this dialog; absent: of an imagined customer who has not written yet.',
  })
  @MayBeAbsent()
  @IsString()
  @IsNotEmpty()
  thread_id?: string;

  @ApiPropertyOptional({
    format: 'date-time',
    example: EXAMPLE_TIME,
    description: 'When the lead enters the stage; absent: now.',
  })
  @MayBeAbsent()
  @IsTime()
  starts_at?: string;

  @ApiPropertyOptional({
    type: 'integer',
    isArray: true,
    maxItems: REPLIES_MAX,
    example: [90],
    description: 'Seconds after the start at which the customer writes.',
  })
  @MayBeAbsent()
  @IsArray({ message: NOT_REPLIES })
  @ArrayMaxSize(REPLIES_MAX, { message: NOT_REPLIES })
  replies?: number[];
}

class TriedRequestAnswer {
  @ApiProperty({ example: 'POST' })
  method: string;

  @ApiProperty({ example: 'https://crm.example.com/paid' })
  url: string;

  @ApiProperty({ type: [String], description: 'Names alone' })
  headers: string[];

  @ApiProperty({ nullable: true, description: 'With its variables replaced' })
  body: unknown;
}

class TriedStepAnswer {
  @ApiProperty({ type: 'integer', example: 0 })
  index: number;

  @ApiProperty({ type: String, nullable: true, example: 'thanks' })
  label: string | null;

  @ApiProperty({ enum: STEP_KINDS })
  kind: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    example: EXAMPLE_TIME,
    description: 'When it is done; null: it is not reached, or waits',
  })
  at: string | null;

  @ApiProperty({ required: false, description: 'What it writes, or does, or why it fails' })
  text?: string;

  @ApiProperty({ type: [String], required: false, description: 'Of a template' })
  params?: readonly string[];

  @ApiProperty({ type: TriedRequestAnswer, required: false, description: 'Of an `http` step' })
  request?: TriedRequestAnswer;

  @ApiProperty({ enum: RUN_STEP_STATES })
  outcome: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    required: false,
    description:
      'Until when it waits at the latest: for the time, the reply, the hours or the end of a takeover; null: until something happens. Absent: it does not wait',
  })
  waits_until?: string | null;

  @ApiProperty({ required: false, description: 'Of a `condition`: whether all facts are as they should be' })
  met?: boolean;

  @ApiProperty({
    required: false,
    description: 'Of a `wait_for_reply`: whether the customer replied; false: the time was over',
  })
  replied?: boolean;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    required: false,
    description:
      'Of both: the `index` of the step at which the run goes on; null: no step follows, and the run ends',
  })
  next?: number | null;
}

export class TryScenarioAnswer {
  @ApiProperty({ type: [TriedStepAnswer] })
  steps: TriedStepAnswer[];

  @ApiProperty({ enum: RUN_STATES, description: '`waiting`: for something that does not come' })
  state: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: EXAMPLE_TIME })
  ends_at: string | null;
}
