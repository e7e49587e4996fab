import { randomBytes } from 'node:crypto';
import { UnauthorizedError } from '@app/domain/accounts/account.errors';
import { NumberSecrets, type SigningNumber } from '@app/domain/webhooks/number-secrets.service';
import { isSignedBy, signatureOf } from '@app/integrations/whatsapp-cloud/cloud-signature';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Response } from 'express';
import type { ReceivedRequest } from './received-bytes';
import { WebhookBodyReader } from './webhook-body-reader';
import { WebhookSecrets } from './webhook-secrets';

const REFUSAL = 'X-Hub-Signature-256 is missing or is not the signature of this body by an app secret.';

/** Tried where a body names no number with a secret, so that the time of the answer tells less of who has one. */
const NOBODYS = randomBytes(32).toString('hex');

/**
 * Admits webhooks that Meta signed: by an app of the installation, else by the own app of a number that the body names. The
 * signature covers the bytes, so nothing may parse them before.
 */
@Injectable()
export class CloudWebhookGuard implements CanActivate {
  constructor(
    private readonly secrets: WebhookSecrets,
    private readonly numbers: NumberSecrets,
    private readonly bodies: WebhookBodyReader,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<ReceivedRequest>();
    const signature = signatureOf(request.headers['x-hub-signature-256']);
    if (!signature) throw new UnauthorizedError(REFUSAL);
    const body = await this.bodies.read(request, http.getResponse<Response>());
    const isOfInstallation = this.secrets.appSecrets.some((secret) => isSignedBy(secret, signature, body));
    const signers = isOfInstallation ? null : await this.signersOf(signature, body);
    if (signers?.length === 0) throw new UnauthorizedError(REFUSAL);
    request.received = body;
    request.signers = signers;
    return true;
  }

  /** The numbers of which alone the body may tell. All secrets are tried, whichever fits. */
  private async signersOf(signature: Buffer, body: Buffer): Promise<SigningNumber[]> {
    const secrets = await this.numbers.namedIn(body);
    const tried = secrets.length > 0 ? secrets : [{ secret: NOBODYS, numbers: [] }];
    return tried.flatMap(({ secret, numbers }) => (isSignedBy(secret, signature, body) ? numbers : []));
  }
}
