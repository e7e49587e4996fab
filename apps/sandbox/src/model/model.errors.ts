import type { Answer } from '../http/json.answer';

/** A refusal in OpenAI's form. */
export class ModelError extends Error {
  constructor(
    readonly httpStatus: number,
    message: string,
    readonly details: { type?: string; param?: string; code?: string; retryAfterSeconds?: number } = {},
  ) {
    super(message);
  }
}

/** A request that violates the protocol. */
export const malformed = (message: string, param?: string): ModelError =>
  new ModelError(400, message, { param });

export const answerOfError = ({ httpStatus, message, details }: ModelError): Answer => ({
  status: httpStatus,
  body: {
    error: {
      message,
      type: details.type ?? 'invalid_request_error',
      param: details.param ?? null,
      code: details.code ?? null,
    },
  },
  headers:
    details.retryAfterSeconds === undefined ? {} : { 'retry-after': String(details.retryAfterSeconds) },
});
