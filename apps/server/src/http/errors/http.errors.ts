import { CodedError } from '@app/contracts/coded.errors';

export class NotFoundError extends CodedError {
  readonly code = 'NOT_FOUND';

  constructor() {
    super('There is no such operation. The operations are listed at /docs.');
  }
}

export class MethodNotAllowedError extends CodedError {
  readonly code = 'METHOD_NOT_ALLOWED';

  constructor(allowed: string) {
    super(`This operation takes ${allowed} only.`);
  }
}

export class PayloadTooLargeError extends CodedError {
  readonly code = 'PAYLOAD_TOO_LARGE';

  constructor(limitBytes: number) {
    super(`The request body is larger than ${limitBytes} bytes. Split the request.`);
  }
}

/** More arrives at once than this process keeps in memory. */
export class TooManyBodiesError extends CodedError {
  readonly code = 'UNAVAILABLE';
  override readonly retryAfterSeconds = 1;

  constructor() {
    super('Too many large bodies are coming in at once. Repeat the request in a moment.');
  }
}

/** An internal error. The log has it under the request's id. */
export class InternalError extends CodedError {
  readonly code = 'INTERNAL_ERROR';

  constructor(cause: unknown) {
    super('Something went wrong on our side. Report the request_id to the people who run this service.', {
      cause,
    });
  }
}

export class ShuttingDownError extends CodedError {
  readonly code = 'UNAVAILABLE';
  override readonly retryAfterSeconds = 1;

  constructor() {
    super('This process is shutting down. Repeat the request.');
  }
}
