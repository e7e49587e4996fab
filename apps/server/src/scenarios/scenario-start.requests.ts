import type { FieldViolation } from '@app/contracts/coded.error';
import { ArrayMinSize, IsBoolean, IsIn } from 'class-validator';
import { WouldStartAnswer } from '../http/would-start.answer';
import { Refine } from '../http/dto-schema.check';
import { IsTexts, MayBeAbsent } from '../http/dto.decorators';
import { EXAMPLE_THREAD_ID } from '../http/example.ids';
import { ApiProperty, ApiPropertyOptional } from '../http/openapi.decorators';

export const START_THREADS_MAX = 500;

/** Exactly one of the two says which leads. */
function exactlyOneChoice({ thread_ids, whole_stage }: StartScenarioRequest): FieldViolation[] {
  if ((thread_ids === undefined) !== (whole_stage === undefined)) return [];
  return [{ path: 'thread_ids', message: 'give exactly one of thread_ids and whole_stage' }];
}

@Refine(exactlyOneChoice)
export class StartScenarioRequest {
  @ApiPropertyOptional({
    type: [String],
    minItems: 1,
    maxItems: START_THREADS_MAX,
    example: [EXAMPLE_THREAD_ID],
    description: 'Dialogs of the scenario’s agent. Those that are not in its stage are skipped.',
  })
  @MayBeAbsent()
  @ArrayMinSize(1, { message: 'must have at least one item' })
  @IsTexts(START_THREADS_MAX)
  thread_ids?: string[];

  @ApiPropertyOptional({
    enum: [true],
    description: 'All leads of the stage that have had no run of the scenario since they entered it.',
  })
  @MayBeAbsent()
  @IsIn([true])
  whole_stage?: true;

  @ApiPropertyOptional({ default: false, description: 'Answer what would be started, and start nothing.' })
  @MayBeAbsent()
  @IsBoolean()
  dry_run?: boolean;
}

class SkippedThreadAnswer {
  @ApiProperty({ example: EXAMPLE_THREAD_ID })
  thread_id: string;

  @ApiProperty({ enum: ['not_in_stage'] })
  reason: string;
}

export class StartScenarioAnswer {
  @ApiProperty({ type: 'integer', example: 2, description: 'Runs that were asked for; 0 with `dry_run`' })
  started: number;

  @ApiProperty({ type: [SkippedThreadAnswer], description: 'Of `thread_ids`' })
  skipped: SkippedThreadAnswer[];

  @ApiProperty({
    type: WouldStartAnswer,
    description: 'At most: a rule of the scenario or a condition may hold back a run or a message',
  })
  would_start: WouldStartAnswer;
}
