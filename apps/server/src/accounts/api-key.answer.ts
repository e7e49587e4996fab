import { demoId } from '@app/contracts/demo-ids';
import { SCOPES } from '@app/domain/accounts/access-table';
import { ApiProperty } from '../http/docs/openapi.decorator';

export const LEADS_LIMIT = 'Calls of /leads in any 60 seconds; null: `RATE_LIMIT_LEADS`';
export const GENERAL_LIMIT = 'All other calls in any 60 seconds; null: `RATE_LIMIT_GENERAL`';

export class ApiKeyAnswer {
  @ApiProperty({ example: demoId('apiKey', 1) })
  id: string;

  @ApiProperty({ type: String, nullable: true, example: demoId('account', 1) })
  account_id: string | null;

  @ApiProperty({ example: 'Accounting system' })
  name: string;

  @ApiProperty({ description: 'The first characters of the key', example: 'll_Qx3vT0a' })
  prefix: string;

  @ApiProperty({ enum: SCOPES, isArray: true })
  scopes: string[];

  @ApiProperty({ type: [String] })
  bot_ids: string[];

  @ApiProperty({ type: [String] })
  assistant_ids: string[];

  @ApiProperty({ type: 'integer', nullable: true, example: null, description: LEADS_LIMIT })
  limit_leads: number | null;

  @ApiProperty({ type: 'integer', nullable: true, example: null, description: GENERAL_LIMIT })
  limit_general: number | null;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  expires_at: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  revoked_at: string | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'The last accepted call or, to a minute, connection for boards',
  })
  last_used_at: string | null;
}

export class IssuedApiKeyAnswer extends ApiKeyAnswer {
  @ApiProperty({ description: 'The key itself, shown this once' })
  key: string;
}

export class RotatedApiKeyAnswer {
  @ApiProperty({ example: demoId('apiKey', 1) })
  id: string;

  @ApiProperty({ description: 'The new key itself, shown this once' })
  key: string;

  @ApiProperty({ format: 'date-time', description: 'Until then the old key is good too' })
  old_key_expires_at: string;
}

export class ApiKeyListAnswer {
  @ApiProperty({ type: [ApiKeyAnswer] })
  api_keys: ApiKeyAnswer[];

  @ApiProperty({ type: String, nullable: true })
  next_cursor: string | null;
}
