import { demoId } from '@app/contracts/demo-ids';
import { CHANNELS } from '@app/contracts/message.words';
import { ApiProperty } from '../http/docs/openapi.decorator';
import { PHONE_COUNTRY } from '../http/dto/phone-country.answer';

export const RATE =
  'Messages a second that the provider takes from the number; when absent 20 for `waba_coexistence`, 80 for `waba`';

export const SETTINGS = {
  type: 'object' as const,
  additionalProperties: { type: 'string' as const },
  description: '`waba_coexistence`: `waba_id`; `waba`: `app_id` and `app_name`',
};

class BotChannelAnswer {
  @ApiProperty({ enum: CHANNELS })
  channel: string;

  @ApiProperty({ example: '106540352242922' })
  sender: string;

  @ApiProperty({ type: String, nullable: true, example: 'KZ', description: PHONE_COUNTRY })
  phone_country: string | null;

  @ApiProperty({ ...SETTINGS, example: { waba_id: '102290129340398' } })
  settings: Record<string, string>;

  @ApiProperty({ type: 'integer', nullable: true, description: RATE })
  messages_per_second: number | null;

  @ApiProperty({ description: 'Whether it can send: it has a credential, and nothing has stopped it' })
  connected: boolean;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Why it no longer sends; connecting it anew ends that',
  })
  stopped_reason: string | null;

  @ApiProperty({ description: 'Whether it has the app secret of an own app at Meta, which is never shown' })
  app_secret_set: boolean;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'To be entered at the provider; null for operators, because it has a secret of the bot',
    example: 'https://leadline.example.com/webhooks/whatsapp',
  })
  webhook_url: string | null;
}

export class BotAnswer {
  @ApiProperty({ example: demoId('bot', 1) })
  id: string;

  @ApiProperty({ example: demoId('account', 1) })
  account_id: string;

  @ApiProperty({ example: demoId('assistant', 1) })
  assistant_id: string;

  @ApiProperty({ example: 'Harbour Coffee sales' })
  name: string;

  @ApiProperty({ format: 'date-time', example: '2026-11-20T09:30:00.000Z' })
  created_at: string;

  @ApiProperty({ type: [BotChannelAnswer] })
  channels: BotChannelAnswer[];
}

export class BotListAnswer {
  @ApiProperty({ type: [BotAnswer] })
  bots: BotAnswer[];

  @ApiProperty({ type: String, nullable: true })
  next_cursor: string | null;
}
