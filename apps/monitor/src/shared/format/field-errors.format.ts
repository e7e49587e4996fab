import { ApiError } from '@app/client/api.errors';

interface Violation {
  path: string;
  message: string;
  /** For programs, where the operation has them. */
  reason?: string;
  /** What the message names. */
  values?: Readonly<Record<string, string | number>>;
}

const isViolation = (thing: unknown): thing is Violation =>
  typeof thing === 'object' && thing !== null && 'path' in thing && 'message' in thing;

/** What a VALIDATION_ERROR says. @returns null for another error */
export function violationsOf(error: unknown): Violation[] | null {
  if (!(error instanceof ApiError) || error.code !== 'VALIDATION_ERROR' || !Array.isArray(error.details))
    return null;
  return error.details.filter(isViolation);
}

/**
 * What a VALIDATION_ERROR says of each field, by the paths of forms: `steps[3].seconds` is `steps.3.seconds` there.
 * @returns null for another error
 */
export function fieldErrors(error: unknown): Record<string, string> | null {
  const violations = violationsOf(error);
  if (violations === null) return null;
  const found: Record<string, string> = {};
  for (const { path, message } of violations) found[path.replaceAll(/\[(\d+)\]/g, '.$1')] ??= message;
  return found;
}
