import { UnauthorizedError } from '@app/domain/accounts/account.errors';
import { isSignedBy, signatureOf } from '@app/integrations/whatsapp-cloud/cloud-signature';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Response } from 'express';
import type { ReceivedRequest } from './received.bytes';
import { WebhookBodyReader } from './webhook-body.reader';
import { WebhookSecrets } from './webhook.secrets';

const REFUSAL = 'X-Hub-Signature-256 is missing or is not the signature of this body by an app secret.';

/** Admits webhooks that Meta signed. The signature covers the bytes, so nothing may parse them before. */
@Injectable()
export class CloudWebhookGuard implements CanActivate {
  constructor(
    private readonly secrets: WebhookSecrets,
    private readonly bodies: WebhookBodyReader,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<ReceivedRequest>();
    const signature = signatureOf(request.headers['x-hub-signature-256']);
    if (!signature) throw new UnauthorizedError(REFUSAL);
    const body = await this.bodies.read(request, http.getResponse<Response>());
    if (!this.secrets.appSecrets.some((secret) => isSignedBy(secret, signature, body)))
      throw new UnauthorizedError(REFUSAL);
    request.received = body;
    return true;
  }
}
