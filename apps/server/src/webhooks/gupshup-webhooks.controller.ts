import { WebhookIntake } from '@app/domain/webhooks/webhook-intake.service';
import { Controller, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '../http/docs/openapi.decorator';
import { Public, RawBody } from '../http/auth/access.decorator';
import { GupshupWebhookGuard } from './gupshup-webhook.guard';
import { ReceivedBytes } from './received-bytes';

/** The addresses for Gupshup's reports, one for each bot; not operations of the API. */
@ApiExcludeController()
@Controller('webhooks/gupshup')
@Public()
export class GupshupWebhooksController {
  constructor(private readonly intake: WebhookIntake) {}

  /** Answered without a body once it is stored, as Gupshup requires. Gupshup tests an address by the same call. */
  @Post(':botId')
  @HttpCode(200)
  @RawBody()
  @UseGuards(GupshupWebhookGuard)
  async take(@Param('botId') botId: string, @ReceivedBytes() body: Buffer): Promise<void> {
    await this.intake.takeForBot('gupshup', botId, body);
  }
}
