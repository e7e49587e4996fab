import { demoId } from '@app/contracts/demo.ids';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsText, IsWhole, MayBeAbsent, MayBeNull } from '../http/dto.decorators';

const QUOTA_MAX = 2_147_483_647;
const QUOTA = 'Recipients in a calendar month (UTC); null is unlimited';

export class CreateAccountRequest {
  @ApiProperty({ example: 'Harbour Coffee' })
  @IsText(200)
  name: string;

  @ApiPropertyOptional({ type: 'integer', nullable: true, minimum: 0, default: null, description: QUOTA })
  @MayBeAbsent()
  @MayBeNull()
  @IsWhole(0, QUOTA_MAX)
  monthly_message_quota?: number | null;
}

export class ChangeAccountRequest {
  @ApiPropertyOptional({ example: 'Harbour Coffee' })
  @MayBeAbsent()
  @IsText(200)
  name?: string;

  @ApiPropertyOptional({ type: 'integer', nullable: true, minimum: 0, example: 10_000, description: QUOTA })
  @MayBeAbsent()
  @MayBeNull()
  @IsWhole(0, QUOTA_MAX)
  monthly_message_quota?: number | null;
}

export class AccountAnswer {
  @ApiProperty({ example: demoId('account', 1) })
  id: string;

  @ApiProperty({ example: 'Harbour Coffee' })
  name: string;

  @ApiProperty({ type: 'integer', nullable: true, example: 10_000, description: QUOTA })
  monthly_message_quota: number | null;

  @ApiProperty({ type: 'integer', description: 'Recipients reserved in the running month' })
  quota_used: number;

  @ApiProperty({
    format: 'date-time',
    example: '2026-12-01T00:00:00.000Z',
    description: 'When the next month begins',
  })
  quota_reset_at: string;
}

export class AccountListAnswer {
  @ApiProperty({ type: [AccountAnswer] })
  accounts: AccountAnswer[];

  @ApiProperty({ type: String, nullable: true })
  next_cursor: string | null;
}
