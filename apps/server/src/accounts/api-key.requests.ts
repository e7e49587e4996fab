import { demoId } from '@app/contracts/demo.ids';
import { SCOPES, type Scope } from '@app/domain/accounts/principal.rules';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsName, IsSomeOf, IsText, IsTexts, IsTime, MayBeAbsent } from '../http/dto.decorators';

const ATTACHMENTS_MAX = 100;

export class IssueApiKeyRequest {
  @ApiPropertyOptional({
    description: 'Absent for an admin key, which belongs to no account.',
    example: demoId('account', 1),
  })
  @MayBeAbsent()
  @IsText()
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
    description:
      '`leads`: stages and the switch; `messages`: sending, by the bots of `bot_ids`; `admin` stands alone.',
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
    format: 'date-time',
    description: 'In the future: from when on the key is refused; absent: never',
    example: '2030-01-31T12:00:00Z',
  })
  @MayBeAbsent()
  @IsTime()
  expires_at?: string;
}
