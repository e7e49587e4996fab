import { randomBytes } from 'node:crypto';
import { CodedError } from '@app/contracts/coded.errors';
import { UnauthorizedError } from '@app/domain/accounts/account.errors';
import { NumberSecrets, type SigningNumber } from '@app/domain/webhooks/number-secrets.service';
import { WebhookIntake } from '@app/domain/webhooks/webhook-intake.service';
import { isSignedBy, signatureOf } from '@app/integrations/whatsapp-cloud/cloud-signature';
import {
  Injectable,
  type CanActivate,
  type ExecutionContext,
  Controller,
  Get,
  Header,
  HttpCode,
  Post,
  Query,
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
  Signers,
} from './webhook-body-reader';

/** The caller does not know our token, or sent a challenge that cannot be returned. */
export class VerificationRefusedError extends CodedError {
  readonly code = 'FORBIDDEN';

  constructor() {
    super(
      'The address is not confirmed: hub.verify_token must be CLOUD_API_VERIFY_TOKEN and hub.mode subscribe.',
    );
  }
}

/** It is returned unchanged, so it must not contain anything that a browser interprets. */
const CHALLENGE = /^[\w.~-]{1,256}$/;

/**
 * The answer that Meta expects when it verifies the address (Meta: verification requests).
 * @throws VerificationRefusedError for a caller who does not know the token.
 */
export function challengeOf(query: Record<string, unknown>, verifyToken: string): string {
  const challenge = query['hub.challenge'];
  const isKnown = isSameSecret(query['hub.verify_token'], verifyToken);
  if (!isKnown || query['hub.mode'] !== 'subscribe') throw new VerificationRefusedError();
  if (typeof challenge !== 'string' || !CHALLENGE.test(challenge)) throw new VerificationRefusedError();
  return challenge;
}

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
