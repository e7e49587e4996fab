import type { ErrorCode } from './error.codes';

/** One fault of a request's body, with the place where it stands, such as `items[3].status_id`. */
export interface FieldFault {
  path: string;
  message: string;
}

/** A refusal with a code and a sentence that tells the caller what to do; every ring throws its kinds of it. */
export abstract class CodedError extends Error {
  abstract readonly code: ErrorCode;
  /** Seconds after which trying again makes sense. */
  readonly retryAfterSeconds?: number;
  readonly details?: readonly FieldFault[];
  /** What the provider answered, shown beside the error; its value is null where no answer came. */
  readonly providerResponse?: { value: unknown };
  /** The provider's own number for the error, for the log; null or absent where it named none. */
  readonly providerCode?: number | null;
  /** Whether it is the answer to an earlier call with the same Idempotency-Key. */
  readonly replayed?: boolean;
}
