import { CodedError, type FieldViolation } from './coded.errors';

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
