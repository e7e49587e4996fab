import { demoId } from '@app/contracts/demo-ids';
import { ATTEMPT_FAULTS, DELIVERY_STATES, WEBHOOK_EVENTS, WEBHOOK_TEST } from '@app/contracts/webhook.words';
import { EXAMPLE_THREAD_ID, ApiProperty } from '../http/docs/openapi.decorator';

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
    description: 'Why no answer came, or none that counts; null: one did',
    example: null,
  })
  error: string | null;

  @ApiProperty({
    enum: ATTEMPT_FAULTS,
    nullable: true,
    description:
      'The same for programs; null: nothing went wrong, or not known. There may be more of them in the future',
    example: null,
  })
  reason: string | null;
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

export class WebhookRequestAnswer {
  @ApiProperty({
    description: 'The address of the endpoint now',
    example: 'https://shop.example.com/leadline',
  })
  url: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    description:
      'Of the last attempt. `webhook-timestamp` is absent before the first one; the signature is not shown',
    example: {
      'content-type': 'application/json',
      'user-agent': 'Leadline-Webhooks/1',
      'webhook-id': 'b1f7ab44-6a2e-8d27-9d31-5b1e2f6f0c11',
      'webhook-timestamp': '1795255200',
      'webhook-signature': 'v1,…',
    },
  })
  headers: Record<string, string>;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'JSON: what the event says now. Null: the event is not in the history any more, or its customer was erased',
    example: '{"type":"import.finished","timestamp":"2026-11-21T10:00:00.000Z","data":{}}',
  })
  body: string | null;
}

export class WebhookDeliveryWithRequestAnswer extends WebhookDeliveryAnswer {
  @ApiProperty({
    description: 'What is sent. It is not kept: it is made of the history, as whenever it is sent',
  })
  request: WebhookRequestAnswer;
}

export class WebhookDeliveryListAnswer {
  @ApiProperty({ type: [WebhookDeliveryAnswer] })
  deliveries: WebhookDeliveryAnswer[];

  @ApiProperty({ type: String, nullable: true })
  next_cursor: string | null;
}
