import { UnauthorizedError } from '@app/domain/accounts/account.errors';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Response } from 'express';
import { isSameSecret } from '../http/secret.comparison';
import type { ReceivedRequest } from './received.bytes';
import { WebhookBodyReader } from './webhook-body.reader';
import { WebhookSecrets } from './webhook.secrets';

const REFUSAL =
  'The token of the address is missing or wrong: give Gupshup the whole address, as it is shown.';

/** Admits callers that know the address, because Gupshup signs nothing (facts, gupshup 5.8). */
@Injectable()
export class GupshupWebhookGuard implements CanActivate {
  constructor(
    private readonly secrets: WebhookSecrets,
    private readonly bodies: WebhookBodyReader,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<ReceivedRequest>();
    if (!isSameSecret(request.query.token, this.secrets.gupshupToken)) throw new UnauthorizedError(REFUSAL);
    request.received = await this.bodies.read(request, http.getResponse<Response>());
    return true;
  }
}
