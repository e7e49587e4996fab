import type { ErrorCode } from './error-codes';

/** One violation in a request's body, with its path, such as `items[3].status_id`. */
export interface FieldViolation {
  path: string;
  message: string;
  /** What is wrong, for programs; only where an operation says which reasons there are. */
  reason?: string;
  /** What the message names. */
  values?: Readonly<Record<string, string | number>>;
}

/** A refusal: a code, and a sentence that says what the caller can do. Each layer throws subclasses of its own. */
export abstract class CodedError extends Error {
  abstract readonly code: ErrorCode;
  /** Seconds after which trying again makes sense. */
  readonly retryAfterSeconds?: number;
  readonly details?: readonly FieldViolation[];
  /** What the provider answered, shown with the error. Its value is null where no answer came. */
  readonly providerResponse?: { value: unknown };
  /** The provider's number for the error, for the log; null or absent where the provider gave none. */
  readonly providerCode?: number | null;
  /** Whether it is the answer to an earlier call with the same Idempotency-Key. */
  readonly replayed?: boolean;
}

/** A request that the operation does not accept, or whose values fit neither each other nor what exists. */
export class ValidationError extends CodedError {
  readonly code = 'VALIDATION_ERROR';

  constructor(override readonly details: readonly FieldViolation[]) {
    super(details.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('; '));
  }

  /** @throws ValidationError where there are violations */
  static throwIfAny(violations: readonly FieldViolation[]): void {
    if (violations.length > 0) throw new ValidationError(violations);
  }
}

/** Why a process cannot work with its present setup, in one line for the person who started it. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
