import type { FieldViolation } from '@app/contracts/coded.errors';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsInt,
  IsNotEmpty,
  IsString,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import {
  ApiProperty,
  ApiPropertyOptional,
  EXAMPLE_ASSISTANT_ID,
  EXAMPLE_STATUS_ID,
  EXAMPLE_THREAD_ID,
} from '../http/docs/openapi.decorator';
import { MayBeAbsent, MayBeNull, Refine, IsPersonName } from '../http/dto/dto.decorator';

const BULK_ITEMS_MAX = 500;

export class GetStatusesRequest {
  @ApiPropertyOptional({
    description: 'Needed only when several agents are attached to the API key.',
    example: EXAMPLE_ASSISTANT_ID,
  })
  @MayBeAbsent()
  @IsString()
  @IsNotEmpty()
  assistant_id?: string;
}

export class GetLeadRequest {
  @ApiProperty({ description: 'Dialog identifier, `thread_<uuid>`.', example: EXAMPLE_THREAD_ID })
  @IsString()
  @IsNotEmpty()
  thread_id: string;
}

/** Exactly one of the two names the target. An absent field never means "clear". */
function exactlyOneTarget(dto: SetStatusRequestBody): FieldViolation[] {
  const given = [dto.status_id, dto.status_name].filter((value) => value !== undefined).length;
  if (given === 1) return [];
  const message = 'give exactly one of status_id and status_name; status_id: null clears the stage';
  return [{ path: 'status_id', message }];
}

@Refine(exactlyOneTarget)
export class SetStatusRequestBody {
  @ApiProperty({ description: 'Dialog identifier, `thread_<uuid>`.', example: EXAMPLE_THREAD_ID })
  @IsString()
  @IsNotEmpty()
  thread_id: string;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    description: 'Stage identifier; null clears the stage. Exactly one of `status_id` and `status_name`.',
    example: EXAMPLE_STATUS_ID,
  })
  @MayBeAbsent()
  @MayBeNull()
  @IsString()
  @IsNotEmpty()
  status_id?: string | null;

  @ApiPropertyOptional({ description: 'Exact stage name, case-insensitive in every alphabet.' })
  @MayBeAbsent()
  @IsString()
  @IsNotEmpty()
  status_name?: string;

  @ApiPropertyOptional({
    default: false,
    description: 'Let the agent answer a message of the customer that waits, if the new stage allows it.',
  })
  @MayBeAbsent()
  @IsBoolean()
  answer_pending_message?: boolean;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    description: 'Move only if the lead stands here (null: at no stage); else 409 `STATUS_CONFLICT`.',
  })
  @MayBeAbsent()
  @MayBeNull()
  @IsString()
  @IsNotEmpty()
  expected_status_id?: string | null;

  @ApiPropertyOptional({ default: false, description: 'Do not start the scenarios of the stage entered.' })
  @MayBeAbsent()
  @IsBoolean()
  skip_scenarios?: boolean;
}

export class SetStatusBulkRequest {
  @ApiProperty({ type: [SetStatusRequestBody], minItems: 1, maxItems: BULK_ITEMS_MAX })
  @IsArray({ message: 'must be an array of set-status bodies' })
  @ArrayMinSize(1, { message: 'must have at least one item' })
  @ArrayMaxSize(BULK_ITEMS_MAX, { message: `must have at most ${BULK_ITEMS_MAX} items` })
  @ValidateNested({ each: true })
  @Type(() => SetStatusRequestBody)
  items: SetStatusRequestBody[];

  @ApiPropertyOptional({ default: false, description: 'Answer what would happen, and do nothing.' })
  @MayBeAbsent()
  @IsBoolean()
  dry_run?: boolean;

  @ApiPropertyOptional({
    default: false,
    description: 'Start the scenarios of the stages entered, which write to customers.',
  })
  @MayBeAbsent()
  @IsBoolean()
  start_scenarios?: boolean;
}

export class GetHistoryRequest {
  @ApiProperty({ description: 'Dialog identifier, `thread_<uuid>`.', example: EXAMPLE_THREAD_ID })
  @IsString()
  @IsNotEmpty()
  thread_id: string;

  @ApiPropertyOptional({ type: 'integer', default: 50, minimum: 1, maximum: 200, example: 50 })
  @MayBeAbsent()
  @IsInt()
  @Min(1)
  @Max(200)
  limit?: number;

  @ApiPropertyOptional({ description: '`next_cursor` of the page before; absent for the newest entries.' })
  @MayBeAbsent()
  @IsString()
  @IsNotEmpty()
  cursor?: string;
}

const NAME_LENGTH_MAX = 200;

export class SetNameRequest {
  @ApiProperty({ description: 'Dialog identifier, `thread_<uuid>`.', example: EXAMPLE_THREAD_ID })
  @IsString()
  @IsNotEmpty()
  thread_id: string;

  @ApiProperty({
    type: String,
    nullable: true,
    minLength: 1,
    maxLength: NAME_LENGTH_MAX,
    example: 'Айгуль, оптовик',
    description: 'What the customer is called from now on; null: as the messenger names them.',
  })
  @MayBeNull()
  @IsPersonName(NAME_LENGTH_MAX)
  name: string | null;
}

export class ClearAttentionRequest {
  @ApiProperty({ description: 'Dialog identifier, `thread_<uuid>`.', example: EXAMPLE_THREAD_ID })
  @IsString()
  @IsNotEmpty()
  thread_id: string;
}

export class AssignRequest {
  @ApiProperty({ description: 'Dialog identifier, `thread_<uuid>`.', example: EXAMPLE_THREAD_ID })
  @IsString()
  @IsNotEmpty()
  thread_id: string;

  @ApiProperty({
    type: String,
    nullable: true,
    example: null,
    description: 'A person of the account who sees the dialog’s agent; null: nobody.',
  })
  @MayBeNull()
  @IsString()
  @IsNotEmpty()
  user_id: string | null;
}

export class GetAssigneesRequest {
  @ApiProperty({ example: EXAMPLE_ASSISTANT_ID })
  @IsString()
  @IsNotEmpty()
  assistant_id: string;
}
