import { UnauthorizedError } from '@app/domain/accounts/account.errors';
import { gupshupTokenOf } from '@app/domain/bots/webhook-addresses';
import { WebhookIntake } from '@app/domain/webhooks/webhook-intake.service';
import {
  Injectable,
  type CanActivate,
  type ExecutionContext,
  Controller,
  HttpCode,
  Param,
  Post,
  UseGuards,
} from '@nestjs/common';
import type { Response } from 'express';
import { Public, RawBody } from '../http/auth/access.decorator';
import { isSameSecret } from '../http/auth/secret-comparison';
import { ApiExcludeController } from '../http/docs/openapi.decorator';
import {
  type ReceivedRequest,
  WebhookBodyReader,
  WebhookSecrets,
  ReceivedBytes,
} from './webhook-body-reader';

const REFUSAL =
  'The token of the address is missing or wrong: give Gupshup the whole address, as it is shown.';

/**
 * Admits callers that know the address, because Gupshup signs nothing (facts, gupshup 5.8). The installation's own
 * token is good for every bot: addresses that were given out before bots had tokens carry it.
 */
@Injectable()
class GupshupWebhookGuard implements CanActivate {
  constructor(
    private readonly secrets: WebhookSecrets,
    private readonly bodies: WebhookBodyReader,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<ReceivedRequest>();
    const { token } = request.query;
    const { gupshupToken } = this.secrets;
    const bot = String(request.params.botId).toLowerCase();
    const isOfBot = isSameSecret(token, gupshupTokenOf(gupshupToken, bot));
    if (!isSameSecret(token, gupshupToken) && !isOfBot) throw new UnauthorizedError(REFUSAL);
    request.received = await this.bodies.read(request, http.getResponse<Response>());
    return true;
  }
}

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
