import { CodedError } from '@app/contracts/coded.error';

/** The caller does not know our token, or sent a challenge that cannot be returned. */
export class VerificationRefusedError extends CodedError {
  readonly code = 'FORBIDDEN';

  constructor() {
    super(
      'The address is not confirmed: hub.verify_token must be CLOUD_API_VERIFY_TOKEN and hub.mode subscribe.',
    );
  }
}
