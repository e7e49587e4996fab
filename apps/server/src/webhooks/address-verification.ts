import { CodedError } from '@app/contracts/coded.errors';
import { isSameSecret } from '../http/auth/secret-comparison';

/** The caller does not know our token, or sent a challenge that cannot be returned. */
export class VerificationRefusedError extends CodedError {
  readonly code = 'FORBIDDEN';

  constructor() {
    super(
      'The address is not confirmed: hub.verify_token must be CLOUD_API_VERIFY_TOKEN and hub.mode subscribe.',
    );
  }
}

/** It is returned unchanged, so it must not contain anything that a browser interprets. */
const CHALLENGE = /^[\w.~-]{1,256}$/;

/**
 * The answer that Meta expects when it verifies the address (Meta: verification requests).
 * @throws VerificationRefusedError for a caller who does not know the token.
 */
export function challengeOf(query: Record<string, unknown>, verifyToken: string): string {
  const challenge = query['hub.challenge'];
  const isKnown = isSameSecret(query['hub.verify_token'], verifyToken);
  if (!isKnown || query['hub.mode'] !== 'subscribe') throw new VerificationRefusedError();
  if (typeof challenge !== 'string' || !CHALLENGE.test(challenge)) throw new VerificationRefusedError();
  return challenge;
}
