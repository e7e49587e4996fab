import { STAGE_KINDS, type StageKind, STAGE_RULES, type StageRule } from '@app/contracts/stage.words';
import {
  STAGE_DESCRIPTION_LONGEST,
  STAGE_NAME_LONGEST,
  STAGE_ORDER,
} from '@app/domain/assistants/stages.service';
import { ApiProperty, ApiPropertyOptional, EXAMPLE_ASSISTANT_ID } from '../http/docs/openapi.decorator';
import { IsBoolean, IsIn, IsInt, IsNotEmpty, IsString, Max, Min } from 'class-validator';
import { IsName, MayBeAbsent, MayBeNull } from '../http/dto/dto.decorator';
import { PageQuery } from '../http/routes/page.query';
import { RULE, STAGE_MEANING } from './stage.answer';

export class StageQuery extends PageQuery {
  @ApiPropertyOptional({ type: String, description: 'Only the funnel of this agent' })
  assistant_id?: string;
}

/** No stage, as the value of `move_to`. */
export const NO_STAGE = 'none';

export class ArchiveStageQuery {
  @ApiPropertyOptional({
    type: String,
    description: `Where the leads go that stand there: another stage of the same funnel, or \`${NO_STAGE}\`. Absent: no lead may stand there`,
    example: NO_STAGE,
  })
  move_to?: string;
}

const NAME = { maxLength: STAGE_NAME_LONGEST, description: STAGE_MEANING.name, example: 'Qualified' };
const KIND = { enum: STAGE_KINDS, description: STAGE_MEANING.kind, example: 'qualified' };
const ORDER = { type: 'integer' as const, minimum: STAGE_ORDER[0], maximum: STAGE_ORDER[1], example: 2 };

/** Fields that may be absent in a new one and in a change. */
class StageOptionsRequest {
  @ApiPropertyOptional({
    type: String,
    nullable: true,
    maxLength: STAGE_DESCRIPTION_LONGEST,
    description: STAGE_MEANING.description,
    example: 'The budget and the date are known.',
  })
  @MayBeAbsent()
  @MayBeNull()
  @IsName(STAGE_DESCRIPTION_LONGEST)
  description?: string | null;

  @ApiPropertyOptional({ description: `${STAGE_MEANING.ai_enabled}. At a new one it does.`, example: true })
  @MayBeAbsent()
  @IsBoolean()
  ai_enabled?: boolean;

  @ApiPropertyOptional({
    description: `${STAGE_MEANING.ai_transition_locked}. From a new one it is not.`,
    example: false,
  })
  @MayBeAbsent()
  @IsBoolean()
  ai_transition_locked?: boolean;

  @ApiPropertyOptional({ ...RULE, example: 'operator' })
  @MayBeAbsent()
  @MayBeNull()
  @IsIn(STAGE_RULES)
  on_enter?: StageRule | null;
}

export class CreateStageRequest extends StageOptionsRequest {
  @ApiProperty({ example: EXAMPLE_ASSISTANT_ID })
  @IsString()
  @IsNotEmpty()
  assistant_id: string;

  @ApiProperty(NAME)
  @IsName(STAGE_NAME_LONGEST)
  name: string;

  @ApiProperty(KIND)
  @IsIn(STAGE_KINDS)
  kind: StageKind;

  @ApiPropertyOptional({ ...ORDER, description: `${STAGE_MEANING.order}. Absent: behind the last one.` })
  @MayBeAbsent()
  @IsInt()
  @Min(STAGE_ORDER[0])
  @Max(STAGE_ORDER[1])
  order?: number;
}

export class ChangeStageRequest extends StageOptionsRequest {
  @ApiPropertyOptional(NAME)
  @MayBeAbsent()
  @IsName(STAGE_NAME_LONGEST)
  name?: string;

  @ApiPropertyOptional(KIND)
  @MayBeAbsent()
  @IsIn(STAGE_KINDS)
  kind?: StageKind;

  @ApiPropertyOptional({ ...ORDER, description: STAGE_MEANING.order })
  @MayBeAbsent()
  @IsInt()
  @Min(STAGE_ORDER[0])
  @Max(STAGE_ORDER[1])
  order?: number;
}
