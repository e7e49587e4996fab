import { demoId } from '@app/contracts/demo-ids';
import type { Principal } from '@app/domain/accounts/principal.rules';
import { WebhookReview } from '@app/domain/webhooks/webhook-review.service';
import { Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { Access, CurrentPrincipal } from '../http/auth/access.decorator';
import { Documented } from '../http/docs/documented.decorator';
import { ApiProperty, ApiParam, ApiTags } from '../http/docs/openapi.decorator';
import { ok } from '../http/dto/envelope';
import { pageOf } from '../http/routes/opaque-cursor';
import { PageQuery, parsePage } from '../http/routes/page.query';

class RejectedItemAnswer {
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

class RejectedItemListAnswer {
  @ApiProperty({ type: [RejectedItemAnswer] })
  webhook_rejects: RejectedItemAnswer[];

  @ApiProperty({ type: String, nullable: true })
  next_cursor: string | null;
}

class RetriedRejectAnswer {
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

@ApiTags('Admin: webhooks')
@Controller('api/v1/admin/webhook-rejects')
export class WebhookRejectsController {
  constructor(private readonly webhooks: WebhookReview) {}

  @Get()
  @Access('webhook_reject.list')
  @Documented({
    summary: 'List parts of webhooks that could not be taken in',
    description: 'Each with its place, the reason and its text. The newest first.',
    answer: RejectedItemListAnswer,
    security: 'AdminKey',
    errors: ['VALIDATION_ERROR'],
  })
  async listRejected(@CurrentPrincipal() by: Principal, @Query() query: PageQuery) {
    const { limit, after } = parsePage(query);
    const { page, next_cursor } = pageOf(await this.webhooks.list(by, after, limit + 1), limit);
    return ok({ webhook_rejects: page, next_cursor });
  }

  @Post(':id/retry')
  @HttpCode(200)
  @Access('webhook_reject.retry')
  @ApiParam({ name: 'id', example: demoId('webhookReject', 1) })
  @Documented({
    summary: 'Take a part of a webhook in again',
    description:
      'Its webhook is read again, and the part handled as when it came: for instance after its number was connected. What fails again stays, with its new reason. What was taken in before has no second effect.',
    answer: RetriedRejectAnswer,
    security: 'AdminKey',
    errors: ['WEBHOOK_REJECT_NOT_FOUND'],
  })
  async retryRejected(@CurrentPrincipal() by: Principal, @Param('id') id: string) {
    return ok(await this.webhooks.retry(by, id));
  }

  @Delete(':id')
  @Access('webhook_reject.delete')
  @ApiParam({ name: 'id', example: demoId('webhookReject', 2) })
  @Documented({
    summary: 'Delete a part of a webhook that could not be taken in',
    description: 'For good. The answer is the part as it was.',
    answer: RejectedItemAnswer,
    security: 'AdminKey',
    errors: ['WEBHOOK_REJECT_NOT_FOUND'],
  })
  async deleteRejected(@CurrentPrincipal() by: Principal, @Param('id') id: string) {
    return ok(await this.webhooks.remove(by, id));
  }
}
