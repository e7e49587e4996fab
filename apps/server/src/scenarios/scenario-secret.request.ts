import { OVERLAP_HOURS, OVERLAP_HOURS_MAX } from '@app/contracts/webhook.words';
import { IsInt, Max, Min } from 'class-validator';
import { MayBeAbsent } from '../http/dto/dto.decorator';
import { ApiPropertyOptional } from '../http/docs/openapi.decorator';

export class RotateSecretRequest {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: OVERLAP_HOURS_MAX,
    default: OVERLAP_HOURS,
    description: 'For so long the former secret signs too',
  })
  @MayBeAbsent()
  @IsInt()
  @Min(0)
  @Max(OVERLAP_HOURS_MAX)
  overlap_hours?: number;
}

export const ROTATE_SECRET_EXAMPLES = {
  'a day for the change': { value: {} },
  'at once, for the former one is known to others': { value: { overlap_hours: 0 } },
};
