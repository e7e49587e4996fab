import { ApiError } from '@app/client/api.error';

interface Violation {
  path: string;
  message: string;
}

const isViolation = (thing: unknown): thing is Violation =>
  typeof thing === 'object' && thing !== null && 'path' in thing && 'message' in thing;

/**
 * What a VALIDATION_ERROR says of each field, by the paths of forms: `steps[3].seconds` is `steps.3.seconds` there.
 * @returns null for another error
 */
export function fieldErrors(error: unknown): Record<string, string> | null {
  if (!(error instanceof ApiError) || error.code !== 'VALIDATION_ERROR' || !Array.isArray(error.details))
    return null;
  const found: Record<string, string> = {};
  for (const { path, message } of error.details.filter(isViolation))
    found[path.replaceAll(/\[(\d+)\]/g, '.$1')] ??= message;
  return found;
}
