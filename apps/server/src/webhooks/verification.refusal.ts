import { CodedError } from '@app/contracts/coded.error';

/** Who tries the address does not bring our token, or nothing that can be given back. */
export class VerificationRefusedError extends CodedError {
  readonly code = 'FORBIDDEN';

  constructor() {
    super(
      'The address is not confirmed: hub.verify_token must be CLOUD_API_VERIFY_TOKEN and hub.mode subscribe.',
    );
  }
}
