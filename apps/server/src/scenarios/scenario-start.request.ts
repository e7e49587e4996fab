import type { FieldViolation } from '@app/contracts/coded.errors';
import { SKIP_REASONS } from '@app/domain/scenarios/runs/scenario-starts.service';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsBoolean, IsIn } from 'class-validator';
import { WouldStartAnswer } from '../http/dto/would-start.answer';
import { Refine } from '../http/docs/dto-schema-check';
import { MayBeAbsent } from '../http/dto/dto.decorator';
import { EXAMPLE_THREAD_ID } from '../http/docs/example-ids';
import { ApiProperty, ApiPropertyOptional } from '../http/docs/openapi.decorator';

export const START_THREADS_MAX = 500;

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
