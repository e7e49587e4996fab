import { ApiProperty, ApiPropertyOptional } from '../http/openapi.decorators';
import { IsBoolean, IsInt, Max, Min } from 'class-validator';
import { IsCountry, IsName, MayBeAbsent, MayBeNull } from '../http/dto.decorators';
import {
  AUTOMATION_PAUSED,
  DEFAULT_COUNTRY,
  MEDIA_QUOTA,
  QUOTA,
  RETENTION,
  SECOND_FACTOR_REQUIRED,
} from './account.answers';

const QUOTA_MAX = 2_147_483_647;
/** A hundred years. */
const RETENTION_DAYS_MAX = 36_500;

export class CreateAccountRequest {
  @ApiProperty({ example: 'Harbour Coffee' })
  @IsName(200)
  name: string;

  @ApiPropertyOptional({ type: 'integer', nullable: true, minimum: 0, default: null, description: QUOTA })
  @MayBeAbsent()
  @MayBeNull()
  @IsInt()
  @Min(0)
  @Max(QUOTA_MAX)
  monthly_message_quota?: number | null;
}

export class ChangeAccountRequest {
  @ApiPropertyOptional({ example: 'Harbour Coffee' })
  @MayBeAbsent()
  @IsName(200)
  name?: string;

  @ApiPropertyOptional({ type: 'integer', nullable: true, minimum: 0, example: 10_000, description: QUOTA })
  @MayBeAbsent()
  @MayBeNull()
  @IsInt()
  @Min(0)
  @Max(QUOTA_MAX)
  monthly_message_quota?: number | null;

  @ApiPropertyOptional({
    type: 'integer',
    nullable: true,
    minimum: 0,
    example: null,
    description: MEDIA_QUOTA,
  })
  @MayBeAbsent()
  @MayBeNull()
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  media_quota_bytes?: number | null;

  @ApiPropertyOptional({ description: AUTOMATION_PAUSED, example: false })
  @MayBeAbsent()
  @IsBoolean()
  automation_paused?: boolean;

  @ApiPropertyOptional({ description: SECOND_FACTOR_REQUIRED, example: false })
  @MayBeAbsent()
  @IsBoolean()
  second_factor_required?: boolean;

  @ApiPropertyOptional({
    ...{ type: 'integer', nullable: true, minimum: 1, maximum: RETENTION_DAYS_MAX },
    ...{ example: null, description: RETENTION },
  })
  @MayBeAbsent()
  @MayBeNull()
  @IsInt()
  @Min(1)
  @Max(RETENTION_DAYS_MAX)
  retention_days?: number | null;

  @ApiPropertyOptional({
    ...{ type: String, nullable: true, pattern: '^[A-Z]{2}$' },
    ...{ example: null, description: DEFAULT_COUNTRY },
  })
  @MayBeAbsent()
  @MayBeNull()
  @IsCountry()
  default_country?: string | null;
}

/** Each changes one field: filled in as a whole, the body would also lift quotas and the retention. */
export const CHANGE_ACCOUNT_EXAMPLES = {
  'another name': { value: { name: 'Harbour Coffee' } },
  'its automation goes on': { value: { automation_paused: false } },
};
