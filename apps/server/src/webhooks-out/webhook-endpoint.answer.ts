import { demoId } from '@app/contracts/demo-ids';
import { ALL_EVENTS, DISABLED_REASONS, WEBHOOK_EVENTS } from '@app/contracts/webhook.words';
import { ApiProperty } from '../http/docs/openapi.decorator';

export const EVENTS_MEANING = `Types of events, or \`${ALL_EVENTS}\` alone: all, those of later versions too`;
export const ASSISTANTS_MEANING =
  'Only events of these agents, and none that is about no agent; null: all events';
export const PACE_MEANING = 'At most so many requests a second; null: as many as there are';
export const DESCRIPTION_MEANING = 'By which people know it';

export class WebhookEndpointAnswer {
  @ApiProperty({ example: demoId('webhookEndpoint', 1) })
  id: string;

  @ApiProperty({ example: demoId('account', 1) })
  account_id: string;

  @ApiProperty({ example: 'https://shop.example.com/leadline' })
  url: string;

  @ApiProperty({
    enum: [...WEBHOOK_EVENTS, ALL_EVENTS],
    isArray: true,
    description: EVENTS_MEANING,
    example: ['lead.status_changed', 'message.received'],
  })
  events: string[];

  @ApiProperty({ type: [String], nullable: true, description: ASSISTANTS_MEANING, example: null })
  assistant_ids: string[] | null;

  @ApiProperty({ type: 'integer', nullable: true, description: PACE_MEANING, example: 50 })
  max_per_second: number | null;

  @ApiProperty({ description: DESCRIPTION_MEANING, example: 'Accounting system' })
  description: string;

  @ApiProperty({ description: 'Nothing is sent to it, and nothing is kept for it' })
  disabled: boolean;

  @ApiProperty({
    enum: DISABLED_REASONS,
    type: String,
    nullable: true,
    example: null,
    description:
      '`admin`: somebody did it; `gone`: it answered 410; `failing`: nothing passed for five days, and three different events failed',
  })
  disabled_reason: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: null })
  disabled_at: string | null;

  @ApiProperty({
    type: 'integer',
    description: 'Attempts that failed since the last that passed; from 10 on it gets one at a time',
    example: 0,
  })
  failures_in_a_row: number;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Of the newest event that was delivered; null: none of the last thirty days was',
  })
  last_success_at: string | null;

  @ApiProperty({
    type: 'integer',
    description: 'Deliveries that are to be sent; 1000: so many or more',
    example: 0,
  })
  pending: number;

  @ApiProperty({ format: 'date-time', example: '2026-11-21T10:00:00.000Z' })
  created_at: string;
}

const SECRET = {
  description: 'By which its receiver verifies what comes (Standard Webhooks). Shown this once',
  example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwZfq0Vq0mM2E=',
};

export class NewWebhookEndpointAnswer extends WebhookEndpointAnswer {
  @ApiProperty(SECRET)
  secret: string;
}

export class RotatedWebhookSecretAnswer {
  @ApiProperty({ example: demoId('webhookEndpoint', 1) })
  id: string;

  @ApiProperty(SECRET)
  secret: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Until then the former secret signs too; null: it does not any more',
  })
  old_secret_expires_at: string | null;
}

export class WebhookEndpointListAnswer {
  @ApiProperty({ type: [WebhookEndpointAnswer] })
  webhook_endpoints: WebhookEndpointAnswer[];

  @ApiProperty({ type: String, nullable: true })
  next_cursor: string | null;
}

export class ReplayAnswer {
  @ApiProperty({ type: 'integer', description: 'How many events are sent again, or at last', example: 42 })
  queued: number;
}
