import type { Principal } from '@app/domain/accounts/principal.rules';
import { WebhookReview } from '@app/domain/webhooks/webhook-review.service';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '../http/openapi.decorators';
import { Access, CurrentPrincipal } from '../http/access.decorators';
import { Documented } from '../http/documented.decorator';
import { ok } from '../http/envelope';
import { pageOf } from '../http/page.answer';
import { PageQuery, parsePage } from '../http/page.query';
import { RejectedItemListAnswer } from './webhook.answers';

@ApiTags('Admin: webhooks')
@Controller('api/v1/admin/webhooks')
export class WebhookReviewController {
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
    return ok({ webhooks: page, next_cursor });
  }
}
