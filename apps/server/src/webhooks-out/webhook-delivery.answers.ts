import { demoId } from '@app/contracts/demo.ids';
import { DELIVERY_STATES, WEBHOOK_EVENTS, WEBHOOK_TEST } from '@app/contracts/webhook.words';
import { EXAMPLE_THREAD_ID } from '../http/example.ids';
import { ApiProperty } from '../http/openapi.decorators';

export class DeliveryAttemptAnswer {
  @ApiProperty({ format: 'date-time', example: '2026-11-21T10:00:00.000Z' })
  at: string;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Of the answer; null: none came',
    example: 503,
  })
  status: number | null;

  @ApiProperty({ type: 'integer', description: 'How long it took, in milliseconds', example: 120 })
  ms: number;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Why no answer came; null: one did',
    example: null,
  })
  error: string | null;
}

export class WebhookDeliveryAnswer {
  @ApiProperty({ example: demoId('webhookDelivery', 1) })
  id: string;

  @ApiProperty({ example: demoId('webhookEndpoint', 1) })
  endpoint_id: string;

  @ApiProperty({
    description: 'The `webhook-id`: of one event the same in all attempts and replays',
    example: 'b1f7ab44-6a2e-8d27-9d31-5b1e2f6f0c11',
  })
  event_id: string;

  @ApiProperty({ enum: [...WEBHOOK_EVENTS, WEBHOOK_TEST], example: 'lead.status_changed' })
  type: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The dialog; null: it is about none',
    example: EXAMPLE_THREAD_ID,
  })
  thread_id: string | null;

  @ApiProperty({
    enum: DELIVERY_STATES,
    description:
      '`pending`: is to be sent. `failed`: no attempt passed, and none follows. `skipped`: not sent any more, because the endpoint was disabled or the customer erased',
  })
  state: string;

  @ApiProperty({ type: [DeliveryAttemptAnswer], description: 'In order, the last 50 at most' })
  attempts: DeliveryAttemptAnswer[];

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description:
      'When it is to be sent; of one that waits for an earlier event of its dialog, at the latest; null: not any more',
  })
  next_at: string | null;

  @ApiProperty({
    description: 'Whether it is sent because of a replay, with the header `webhook-replay: true`',
  })
  replayed: boolean;

  @ApiProperty({ format: 'date-time', example: '2026-11-21T10:00:00.000Z' })
  created_at: string;
}

export class WebhookDeliveryListAnswer {
  @ApiProperty({ type: [WebhookDeliveryAnswer] })
  deliveries: WebhookDeliveryAnswer[];

  @ApiProperty({ type: String, nullable: true })
  next_cursor: string | null;
}
