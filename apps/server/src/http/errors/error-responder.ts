import type { CodedError } from '@app/contracts/coded.errors';
import type { ErrorCode } from '@app/contracts/error-codes';
import type { Response } from 'express';
import { STATUS_OF_CODE } from './error-statuses';

/** What the log gets of a refusal: numbers and codes only, because sentences may quote what a caller sent. */
interface RefusalNote {
  code: ErrorCode;
  /** The provider's number for it, where it named one. */
  provider_code?: number;
}

const NOTES = new WeakMap<Response, RefusalNote>();

function noteRefusal(response: Response, { code, providerCode }: CodedError): void {
  NOTES.set(response, typeof providerCode === 'number' ? { code, provider_code: providerCode } : { code });
}

/** The refusal in a response; undefined when it was a success. */
export const refusalNote = (response: Response): RefusalNote | undefined => NOTES.get(response);

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
