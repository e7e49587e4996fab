import type { ErrorCode } from '@app/contracts/error-codes';

/** NETWORK: no answer came. NOT_JSON: what answered is not the service, such as a proxy. */
export type ApiErrorCode = ErrorCode | 'NETWORK' | 'NOT_JSON';

/** Why a call failed, as {@link ApiError} tells it. */
export interface ApiFailure {
  code: ApiErrorCode;
  message: string;
  /** Of HTTP; 0: no answer came. */
  status: number;
  /** To be shown and copied: the logs of the service have it. */
  requestId: string;
  /** Seconds after which to try again, where the service says it. */
  retryAfter?: number;
  /** Each violation of a VALIDATION_ERROR. */
  details?: unknown;
  /** What the provider said of a PROVIDER_ERROR. */
  providerResponse?: unknown;
}

/** A call that failed, whatever the reason. */
export class ApiError extends Error implements ApiFailure {
  override readonly name = 'ApiError';
  readonly code: ApiErrorCode;
  readonly status: number;
  readonly requestId: string;
  readonly retryAfter?: number;
  readonly details?: unknown;
  readonly providerResponse?: unknown;

  constructor({ message, ...failure }: ApiFailure, cause?: unknown) {
    super(message, { cause });
    this.code = failure.code;
    this.status = failure.status;
    this.requestId = failure.requestId;
    this.retryAfter = failure.retryAfter;
    this.details = failure.details;
    this.providerResponse = failure.providerResponse;
  }
}
