import { CodedError } from '@app/contracts/coded.errors';
import { Catch, Logger, NotFoundException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import type { AdmittedRequest } from '../auth/access.decorator';
import { addressOf } from '../auth/caller-network';
import { respondWithError } from './error-responder';
import { InternalError, NotFoundError } from './http.errors';
import { isForbidden, RefusalAudit } from '../auth/refusal-audit';
import type { IdentifiedRequest } from '../routes/request-id-middleware';

/** Turns every refusal into the envelope. An unexpected error becomes a 500 without details. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger(ErrorFilter.name);

  constructor(private readonly refusals: RefusalAudit) {}

  async catch(thrown: unknown, host: ArgumentsHost): Promise<void> {
    // A path that no route takes and that passed the route check, such as a socket path that Socket.IO did not take.
    const error = thrown instanceof NotFoundException ? new NotFoundError() : thrown;
    const http = host.switchToHttp();
    const request = http.getRequest<AdmittedRequest & IdentifiedRequest>();
    if (!(error instanceof CodedError))
      this.logger.error({ err: error }, 'A request failed by our own fault.');
    else if (error.code === 'UNAVAILABLE') this.logger.warn({ err: error.cause ?? error }, error.message);
    if (isForbidden(error) && request.operation !== undefined) {
      const stranger = { type: null, requestId: request.id, ip: addressOf(request) } as const;
      await this.refusals.keep(request.principal ?? stranger, request.operation, error);
    }
    const refusal = error instanceof CodedError ? error : new InternalError(error);
    respondWithError(http.getResponse<Response>(), refusal, request.id);
  }
}
