import { RUN_STATES } from '@app/contracts/scenario.words';
import { IsBoolean, IsIn } from 'class-validator';
import { MayBeAbsent } from '../http/dto/dto.decorator';
import { ApiProperty, ApiPropertyOptional } from '../http/docs/openapi.decorator';
import { PageQuery } from '../http/routes/page.query';

export class RunQuery extends PageQuery {
  @ApiPropertyOptional({ type: String, description: 'Only runs of this scenario, which may be archived' })
  scenario_id?: string;

  @ApiPropertyOptional({ type: String, description: 'Only runs in this dialog, `thread_<uuid>`' })
  thread_id?: string;

  @ApiPropertyOptional({ enum: RUN_STATES })
  state?: string;
}

const PLACES = ['failed', 'start'] as const;

export class RetryRunRequest {
  @ApiPropertyOptional({
    enum: PLACES,
    default: 'failed',
    description:
      '`failed`: at the step where it ended. `start`: at the first step, all of which are made again.',
  })
  @MayBeAbsent()
  @IsIn(PLACES)
  from?: (typeof PLACES)[number];
}

export class ResolveStepRequest {
  @ApiProperty({ description: 'Whether the step took effect: the message was sent, the call was received' })
  @IsBoolean()
  sent: boolean;
}
