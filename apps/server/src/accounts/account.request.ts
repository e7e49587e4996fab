import { TAKEOVER_ENDS, type TakeoverEnd } from '@app/contracts/lead.words';
import {
  Refine,
  IsCountry,
  IsName,
  IsTimezone,
  MayBeAbsent,
  MayBeNull,
  TIMEZONE_MAX,
} from '../http/dto/dto.decorator';
import { ApiProperty, ApiPropertyOptional } from '../http/docs/openapi.decorator';
import { IsBoolean, IsIn, IsInt, IsObject, Max, Min, ValidateBy } from 'class-validator';
import { NO_HOURS, violationsOfOpeningHours } from '@app/domain/scenarios/definition/send-hours.rules';
import { areOptWords, OPT_WORD_LENGTH_MAX, OPT_WORDS_MAX } from '@app/domain/webhooks/opt-out.words';
import { OpeningHoursSchema } from '../http/dto/opening-hours.answer';
import {
  ASSIGN_ON_REPLY,
  AUTOMATION_PAUSED,
  DEFAULT_COUNTRY,
  MEDIA_QUOTA,
  OPENING_HOURS,
  OPT_IN_WORDS,
  OPT_OUT_WORDS,
  QUOTA,
  RETENTION,
  SECOND_FACTOR_REQUIRED,
  TAKEOVER_END,
  TIMEZONE,
  TRANSCRIPTION,
} from './account.answer';

const QUOTA_MAX = 2_147_483_647;
/** A hundred years. */
const RETENTION_DAYS_MAX = 36_500;

const OPT_WORDS = {
  type: 'array',
  items: { type: 'string', minLength: 1, maxLength: OPT_WORD_LENGTH_MAX },
  maxItems: OPT_WORDS_MAX,
  example: ['no more'],
} as const;

const IsOptWords = () =>
  ValidateBy({
    name: 'isOptWords',
    validator: {
      validate: areOptWords,
      defaultMessage: () =>
        `must be an array of at most ${OPT_WORDS_MAX} strings of 1 to ${OPT_WORD_LENGTH_MAX} characters, of each of which something is seen`,
    },
  });

/** What an account is made with, and what of it is changed, by the same rules. */
class AccountSettings {
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

  @ApiPropertyOptional({ maxLength: TIMEZONE_MAX, example: 'Asia/Almaty', description: TIMEZONE })
  @MayBeAbsent()
  @IsTimezone()
  timezone?: string;

  @ApiPropertyOptional({
    ...{ type: OpeningHoursSchema, nullable: true, example: null, description: OPENING_HOURS },
  })
  @MayBeAbsent()
  @MayBeNull()
  @IsObject({ message: NO_HOURS })
  opening_hours?: object | null;

  @ApiPropertyOptional({ enum: TAKEOVER_ENDS, example: 'ask', description: TAKEOVER_END })
  @MayBeAbsent()
  @IsIn(TAKEOVER_ENDS)
  takeover_end?: TakeoverEnd;

  @ApiPropertyOptional({ description: TRANSCRIPTION, example: true })
  @MayBeAbsent()
  @IsBoolean()
  transcription?: boolean;

  @ApiPropertyOptional({ example: true, description: ASSIGN_ON_REPLY })
  @MayBeAbsent()
  @IsBoolean()
  assign_on_reply?: boolean;

  @ApiPropertyOptional({ ...OPT_WORDS, description: OPT_OUT_WORDS })
  @MayBeAbsent()
  @IsOptWords()
  opt_out_words?: string[];

  @ApiPropertyOptional({ ...OPT_WORDS, description: OPT_IN_WORDS })
  @MayBeAbsent()
  @IsOptWords()
  opt_in_words?: string[];
}

/** What is wrong within the hours, by its path. */
const violationsOfHours = ({ opening_hours: hours = null }: AccountSettings) =>
  violationsOfOpeningHours(hours, 'opening_hours');

@Refine(violationsOfHours)
export class CreateAccountRequest extends AccountSettings {
  @ApiProperty({ example: 'Harbour Coffee' })
  @IsName(200)
  name: string;
}

@Refine(violationsOfHours)
export class ChangeAccountRequest extends AccountSettings {
  @ApiPropertyOptional({ example: 'Harbour Coffee' })
  @MayBeAbsent()
  @IsName(200)
  name?: string;
}

/** Filled in as a whole, the body would also set words by which customers opt out. */
export const CREATE_ACCOUNT_EXAMPLES = {
  'with a quota': { value: { name: 'Harbour Coffee', monthly_message_quota: 10_000 } },
};

/** Each changes one field: filled in as a whole, the body would also lift quotas and the retention. */
export const CHANGE_ACCOUNT_EXAMPLES = {
  'another name': { value: { name: 'Harbour Coffee' } },
  'its automation goes on': { value: { automation_paused: false } },
};
