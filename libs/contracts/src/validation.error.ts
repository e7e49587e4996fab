import { CodedError, type FieldViolation } from './coded.error';

/** A request that is not what the operation takes, or whose values are not acceptable together or with what exists. */
export class ValidationError extends CodedError {
  readonly code = 'VALIDATION_ERROR';

  constructor(override readonly details: readonly FieldViolation[]) {
    super(details.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('; '));
  }
}
