import type { SigningNumber } from '@app/domain/webhooks/number-secrets.service';
import { WebhookIntake } from '@app/domain/webhooks/webhook-intake.service';
import { Controller, Get, Header, HttpCode, Post, Query, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '../http/docs/openapi.decorator';
import { Public, RawBody } from '../http/auth/access.decorator';
import { challengeOf } from './address-verification';
import { CloudWebhookGuard } from './cloud-webhook.guard';
import { ReceivedBytes, Signers } from './received-bytes';
import { WebhookSecrets } from './webhook-secrets';

/** The address for Meta's reports; not an operation of the API. */
@ApiExcludeController()
@Controller('webhooks/whatsapp')
@Public()
export class CloudWebhooksController {
  constructor(
    private readonly secrets: WebhookSecrets,
    private readonly intake: WebhookIntake,
  ) {}

  /** Meta tests the address before it uses it. */
  @Get()
  @Header('Content-Type', 'text/plain; charset=utf-8')
  verify(@Query() query: Record<string, unknown>): string {
    return challengeOf(query, this.secrets.verifyToken);
  }

  /** Answered once it is stored. */
  @Post()
  @HttpCode(200)
  @RawBody()
  @UseGuards(CloudWebhookGuard)
  async take(
    @ReceivedBytes() body: Buffer,
    @Signers() signers: readonly SigningNumber[] | null,
  ): Promise<void> {
    await this.intake.take('cloud', body, signers);
  }
}
