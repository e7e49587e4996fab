import { UnauthorizedError } from '@app/domain/accounts/account.errors';
import { gupshupTokenOf } from '@app/domain/bots/webhook-addresses';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Response } from 'express';
import { isSameSecret } from '../http/auth/secret-comparison';
import type { ReceivedRequest } from './received-bytes';
import { WebhookBodyReader } from './webhook-body-reader';
import { WebhookSecrets } from './webhook-secrets';

const REFUSAL =
  'The token of the address is missing or wrong: give Gupshup the whole address, as it is shown.';

/**
 * Admits callers that know the address, because Gupshup signs nothing (facts, gupshup 5.8). The installation's own
 * token is good for every bot: addresses that were given out before bots had tokens carry it.
 */
@Injectable()
export class GupshupWebhookGuard implements CanActivate {
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
