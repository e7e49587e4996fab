import { demoId } from '@app/contracts/demo-ids';
import { ApiProperty } from '../http/docs/openapi.decorator';

export class RejectedItemAnswer {
  @ApiProperty({ example: demoId('webhookReject', 1) })
  id: string;

  @ApiProperty({
    type: String,
    nullable: true,
    example: demoId('account', 1),
    description: 'Null where it cannot be told whose it is',
  })
  account_id: string | null;

  @ApiProperty({ enum: ['cloud', 'gupshup'] })
  provider: string;

  @ApiProperty({ type: String, nullable: true, description: 'The bot of the address, where it names one' })
  bot_id: string | null;

  @ApiProperty({
    example: 'entry[0].changes[0].value.messages[3]',
    description: 'Where in the body it stands; empty for the whole',
  })
  path: string;

  @ApiProperty({ example: '"id" is missing or is no id' })
  reason: string;

  @ApiProperty({ example: '{"type":"text"}', description: 'Its text, cut at 16 KiB' })
  item: string;

  @ApiProperty({ format: 'date-time', example: '2026-11-21T10:00:00.000Z' })
  received_at: string;
}

export class RejectedItemListAnswer {
  @ApiProperty({ type: [RejectedItemAnswer] })
  webhook_rejects: RejectedItemAnswer[];

  @ApiProperty({ type: String, nullable: true })
  next_cursor: string | null;
}

export class RetriedRejectAnswer {
  @ApiProperty({ example: demoId('webhookReject', 1) })
  id: string;

  @ApiProperty({ description: 'Whether it is taken in, and no longer listed' })
  taken_in: boolean;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'No bot has the number 109876543210.',
    description: 'Why it is not taken in; null where it is',
  })
  reason: string | null;
}
