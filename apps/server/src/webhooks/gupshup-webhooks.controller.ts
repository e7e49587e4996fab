import { WebhookIntake } from '@app/domain/webhooks/webhook-intake.service';
import { Controller, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public, RawBody } from '../http/access.decorators';
import { GupshupWebhookGuard } from './gupshup-webhook.guard';
import { ReceivedBytes } from './received.bytes';

/** Where Gupshup reports, an address for each bot; not an operation of the API. */
@ApiExcludeController()
@Controller('webhooks/gupshup')
@Public()
export class GupshupWebhooksController {
  constructor(private readonly intake: WebhookIntake) {}

  /** Answered once it is stored, without a body, as Gupshup demands; it tries an address by the same call. */
  @Post(':botId')
  @HttpCode(200)
  @RawBody()
  @UseGuards(GupshupWebhookGuard)
  async take(@Param('botId') botId: string, @ReceivedBytes() body: Buffer): Promise<void> {
    await this.intake.takeForBot('gupshup', botId, body);
  }
}
