import { RUN_STATES, RUN_STEP_STATES, STEP_KINDS } from '@app/contracts/scenario.words';
import type { FieldViolation } from '@app/contracts/coded.errors';
import { ArrayMaxSize, IsArray, IsNotEmpty, IsString } from 'class-validator';
import { Refine } from '../http/docs/dto-schema-check';
import { IsTime, MayBeAbsent } from '../http/dto/dto.decorator';
import { EXAMPLE_THREAD_ID } from '../http/docs/example-ids';
import { ApiProperty, ApiPropertyOptional } from '../http/docs/openapi.decorator';

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
