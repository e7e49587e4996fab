import { demoId } from '@app/contracts/demo-ids';
import { ApiProperty, ApiPropertyOptional } from '../http/docs/openapi.decorator';
import { IsInt, IsNotEmpty, IsObject, IsString, Max, Min } from 'class-validator';
import { IsName, IsSecret, MayBeAbsent, MayBeNull } from '../http/dto/dto.decorator';
import { PageQuery } from '../http/routes/page.query';
import { RATE, SETTINGS } from './bot.answer';

export class BotQuery extends PageQuery {
  @ApiPropertyOptional({ type: String, description: 'Only the bots of this account' })
  account_id?: string;
}

export class CreateBotRequest {
  @ApiPropertyOptional({
    description: 'Absent: the own one. A key of the installation has none, and names one.',
    example: demoId('account', 1),
  })
  @MayBeAbsent()
  @IsString()
  @IsNotEmpty()
  account_id?: string;

  @ApiProperty({ description: 'The agent of the same account that answers', example: demoId('assistant', 1) })
  @IsString()
  @IsNotEmpty()
  assistant_id: string;

  @ApiProperty({ description: 'By which people know the bot', example: 'Harbour Coffee sales' })
  @IsName(200)
  name: string;
}

export class ChangeBotRequest {
  @ApiPropertyOptional({
    description: 'Of the same account; it answers in dialogs that are opened from now on.',
    example: demoId('assistant', 1),
  })
  @MayBeAbsent()
  @IsString()
  @IsNotEmpty()
  assistant_id?: string;

  @ApiPropertyOptional({ example: 'Harbour Coffee sales' })
  @MayBeAbsent()
  @IsName(200)
  name?: string;
}

export class ConnectChannelRequest {
  @ApiProperty({
    description:
      '`waba_coexistence`: the phone_number_id of the Cloud API; `waba`: the source number at Gupshup, digits.',
    example: '106540352242922',
  })
  @IsString()
  @IsNotEmpty()
  sender: string;

  @ApiPropertyOptional({
    description:
      '`waba_coexistence`: the access token; `waba`: the API key. Kept encrypted and never shown again; absent: the one that is there stays.',
    example: 'EAAG-the-access-token',
  })
  @MayBeAbsent()
  @IsSecret(4096)
  credential?: string;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    description:
      '`waba_coexistence` alone: the app secret of an own app at Meta by which the number is connected, at least 16 characters, beside those of CLOUD_API_APP_SECRET. Kept encrypted and never shown again; absent: the one that is there stays; null: it is deleted.',
    example: '5f0c1d7e9ab34826b1d06e3f7a92c845',
  })
  @MayBeAbsent()
  @MayBeNull()
  @IsSecret(4096)
  app_secret?: string | null;

  @ApiProperty({ ...SETTINGS, example: { waba_id: '102290129340398' } })
  @IsObject()
  settings: Record<string, unknown>;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 10_000, description: RATE, example: 20 })
  @MayBeAbsent()
  @IsInt()
  @Min(1)
  @Max(10_000)
  messages_per_second?: number;
}
