import { demoId } from '@app/contracts/demo-ids';
import { SCOPES, type Scope } from '@app/domain/accounts/access-table';
import { ApiProperty, ApiPropertyOptional } from '../http/docs/openapi.decorator';
import {
  KEY_OVERLAP_HOURS,
  KEY_OVERLAP_HOURS_MAX,
  type ApiKeyRequest,
  type ApiKeySettings,
} from '@app/domain/accounts/keys/api-keys.service';
import { IsInt, IsNotEmpty, IsString, Max, Min } from 'class-validator';
import { IsName, IsSomeOf, IsTexts, IsTime, MayBeAbsent, MayBeNull } from '../http/dto/dto.decorator';
import { GENERAL_LIMIT, LEADS_LIMIT } from './api-key.answer';

const ATTACHMENTS_MAX = 100;
/** The bounds of the settings for the limits of all keys. */
const LIMIT_MAX = 1_000_000;
const SCOPES_MEANING =
  '`leads`: stages and the switch; `messages`: sending, by the bots of `bot_ids`; `admin` stands alone.';
const limitOf = (description: string) =>
  ({ type: 'integer', nullable: true, minimum: 1, maximum: LIMIT_MAX, description }) as const;

/** Calls that this key may make, where its limit differs from the default. */
class KeyLimits {
  @ApiPropertyOptional({ ...limitOf(LEADS_LIMIT), example: 600 })
  @MayBeAbsent()
  @MayBeNull()
  @IsInt()
  @Min(1)
  @Max(LIMIT_MAX)
  limit_leads?: number | null;

  @ApiPropertyOptional({ ...limitOf(GENERAL_LIMIT), example: 300 })
  @MayBeAbsent()
  @MayBeNull()
  @IsInt()
  @Min(1)
  @Max(LIMIT_MAX)
  limit_general?: number | null;
}

export class IssueApiKeyRequest extends KeyLimits {
  @ApiPropertyOptional({
    description: 'Absent for an admin key, which belongs to no account.',
    example: demoId('account', 1),
  })
  @MayBeAbsent()
  @IsString()
  @IsNotEmpty()
  account_id?: string;

  @ApiProperty({ description: 'By which people know the key', example: 'Accounting system' })
  @IsName(200)
  name: string;

  @ApiProperty({
    enum: SCOPES,
    isArray: true,
    minItems: 1,
    uniqueItems: true,
    example: ['leads', 'messages'],
    description: SCOPES_MEANING,
  })
  @IsSomeOf(SCOPES)
  scopes: Scope[];

  @ApiPropertyOptional({ type: [String], default: [], example: [demoId('bot', 1)] })
  @MayBeAbsent()
  @IsTexts(ATTACHMENTS_MAX)
  bot_ids?: string[];

  @ApiPropertyOptional({ type: [String], default: [], example: [demoId('assistant', 1)] })
  @MayBeAbsent()
  @IsTexts(ATTACHMENTS_MAX)
  assistant_ids?: string[];

  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'In the future: from when on the key is refused; absent or null: never',
    example: '2030-01-31T12:00:00Z',
  })
  @MayBeAbsent()
  @MayBeNull()
  @IsTime()
  expires_at?: string | null;
}

/** Absent fields stay. */
export class ChangeApiKeyRequest extends KeyLimits {
  @ApiPropertyOptional({ description: 'By which people know the key', example: 'Accounting system' })
  @MayBeAbsent()
  @IsName(200)
  name?: string;

  @ApiPropertyOptional({
    enum: SCOPES,
    isArray: true,
    minItems: 1,
    uniqueItems: true,
    example: ['leads', 'messages'],
    description: `${SCOPES_MEANING} An admin key stays one, and no other key becomes one.`,
  })
  @MayBeAbsent()
  @IsSomeOf(SCOPES)
  scopes?: Scope[];

  @ApiPropertyOptional({ type: [String], example: [demoId('bot', 1)] })
  @MayBeAbsent()
  @IsTexts(ATTACHMENTS_MAX)
  bot_ids?: string[];

  @ApiPropertyOptional({ type: [String], example: [demoId('assistant', 1)] })
  @MayBeAbsent()
  @IsTexts(ATTACHMENTS_MAX)
  assistant_ids?: string[];

  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'In the future: from when on the key is refused; null: never',
    example: '2030-01-31T12:00:00Z',
  })
  @MayBeAbsent()
  @MayBeNull()
  @IsTime()
  expires_at?: string | null;
}

export class RotateApiKeyRequest {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: KEY_OVERLAP_HOURS_MAX,
    default: KEY_OVERLAP_HOURS,
    description: 'For so long the old key is good too; 0: it ends at once',
  })
  @MayBeAbsent()
  @IsInt()
  @Min(0)
  @Max(KEY_OVERLAP_HOURS_MAX)
  overlap_hours?: number;
}

/** Each changes one field: filled in as a whole, the body would also change scopes, agents and expiry. */
export const CHANGE_KEY_EXAMPLES = {
  'another name': { value: { name: 'Former supplier' } },
  'a limit of its own': { value: { limit_leads: 600 } },
};

export const ROTATE_KEY_EXAMPLES = {
  'a day for the change': { value: {} },
  'at once, for the old one is known to others': { value: { overlap_hours: 0 } },
};

export const toNewKey = (body: IssueApiKeyRequest): ApiKeyRequest => ({
  accountId: body.account_id,
  name: body.name,
  scopes: body.scopes,
  botIds: body.bot_ids ?? [],
  assistantIds: body.assistant_ids ?? [],
  limitLeads: body.limit_leads,
  limitGeneral: body.limit_general,
  expiresAt: typeof body.expires_at === 'string' ? new Date(body.expires_at) : undefined,
});

export const toKeyChange = (body: ChangeApiKeyRequest): Partial<ApiKeySettings> => ({
  name: body.name,
  scopes: body.scopes,
  botIds: body.bot_ids,
  assistantIds: body.assistant_ids,
  limitLeads: body.limit_leads,
  limitGeneral: body.limit_general,
  expiresAt: typeof body.expires_at === 'string' ? new Date(body.expires_at) : body.expires_at,
});
