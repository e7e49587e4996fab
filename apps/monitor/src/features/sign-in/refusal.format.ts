import { ApiError } from '@app/client/api.errors';
import { spanOf } from '../../shared/format/time.format';
import { explain } from '../../shared/words/error.words';
import { signInWords } from './sign-in.words';

const MINUTE_S = 60;
const PASSWORD_LENGTH = { min: 10, max: 200 };

const hasCode = (error: unknown, code: ApiError['code']): error is ApiError =>
  error instanceof ApiError && error.code === code;

/** Why a sign-in, or another guess at a secret, was refused. Too many tries say when to go on. */
export function refusalOf(error: unknown, withCode = false): string {
  if (hasCode(error, 'RATE_LIMITED') && error.retryAfter !== undefined) {
    const minutes = Math.max(1, Math.ceil(error.retryAfter / MINUTE_S));
    return signInWords.say('tooMany', { span: spanOf(minutes * MINUTE_S * 1_000) });
  }
  if (withCode && hasCode(error, 'SIGN_IN_FAILED')) return signInWords.say('wrongWithCode');
  return explain(error);
}

/** What is wrong with a new password; null where the refusal is about something else. */
export function passwordFault(error: unknown, password: string): string | null {
  if (!hasCode(error, 'VALIDATION_ERROR') || !pathsOf(error).includes('password')) return null;
  // Characters as people count them: an emoji is one.
  const { length } = [...password];
  const fits = length >= PASSWORD_LENGTH.min && length <= PASSWORD_LENGTH.max;
  return signInWords.say(fits ? 'passwordEasy' : 'passwordLength');
}

/** The fields that a refusal is about. */
function pathsOf({ details }: ApiError): string[] {
  if (!Array.isArray(details)) return [];
  return details.map((detail: { path?: unknown }) => String(detail.path));
}
