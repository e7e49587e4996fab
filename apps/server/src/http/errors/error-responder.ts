import { CodedError } from '@app/contracts/coded.errors';
import type { Response } from 'express';
import { STATUS_OF_CODE } from './error-statuses';
import { noteRefusal } from '../auth/refusal-note';

/** Writes a refusal in the envelope. An answer that has begun is cut off instead. */
export function respondWithError(response: Response, error: CodedError, requestId: string): void {
  noteRefusal(response, error);
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const status = STATUS_OF_CODE[error.code];
  if (error.retryAfterSeconds !== undefined)
    response.setHeader('Retry-After', String(error.retryAfterSeconds));
  if (error.replayed) response.setHeader('Idempotent-Replayed', 'true');
  // The route may have set another type for its success.
  response.type('json');
  response.status(status).json({
    ok: false,
    error: {
      code: error.code,
      message: error.message,
      status,
      request_id: requestId,
      ...(error.details && { details: error.details }),
    },
    ...(error.providerResponse && { provider_response: error.providerResponse.value }),
  });
}
