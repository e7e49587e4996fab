import { CodedError } from '@app/contracts/coded.errors';

export class SignInFailedError extends CodedError {
  readonly code = 'SIGN_IN_FAILED';

  constructor() {
    super('The e-mail address, the password or the code is wrong.');
  }
}

export class CodeRequiredError extends CodedError {
  readonly code = 'CODE_REQUIRED';

  constructor() {
    super('Give the code of the second factor too, or one of the recovery codes.');
  }
}

export class TooManyTriesError extends CodedError {
  readonly code = 'RATE_LIMITED';

  constructor(override readonly retryAfterSeconds: number) {
    super(`Too many tries. Try again in ${retryAfterSeconds} s; whoever is signed in can go on.`);
  }
}

export class WrongPasswordError extends CodedError {
  readonly code = 'WRONG_PASSWORD';

  constructor() {
    super('The password is wrong.');
  }
}

export class ConfirmRequiredError extends CodedError {
  readonly code = 'CONFIRM_REQUIRED';

  constructor() {
    super('Give the password again first: POST /api/v1/auth/confirm. It counts for ten minutes.');
  }
}

export class InvitationNotFoundError extends CodedError {
  readonly code = 'INVITATION_NOT_FOUND';

  constructor() {
    super('The link was used already, is too old, or was replaced by a newer one. Ask an admin for another.');
  }
}

export class SessionNotFoundError extends CodedError {
  readonly code = 'SESSION_NOT_FOUND';

  constructor() {
    super('There is no such session.');
  }
}

export class SecondFactorEnabledError extends CodedError {
  readonly code = 'ALREADY_EXISTS';

  constructor() {
    super('A second factor is enabled already. Disable it first.');
  }
}

const LACKING = {
  origin:
    'Send the header Origin with the origin of this service: its scheme, host and port. The call has none.',
  own_origin:
    'The header Origin is not of this service. Send its own origin: its scheme, host and port, as in its address.',
  token:
    'Send the header X-CSRF-Token with the csrf_token of this session, which sign-in and auth/me answer.',
};

/** A call in a person's name that does not show that a page of this service made it. */
export class CrossSiteError extends CodedError {
  readonly code = 'CSRF';

  constructor(lacking: keyof typeof LACKING) {
    super(LACKING[lacking]);
  }
}

export class UserNotFoundError extends CodedError {
  readonly code = 'USER_NOT_FOUND';

  constructor() {
    super('There is no such person.');
  }
}

export class EmailTakenError extends CodedError {
  readonly code = 'EMAIL_TAKEN';

  constructor() {
    super('Somebody has this e-mail address already.');
  }
}

export class LastAdminError extends CodedError {
  readonly code = 'LAST_ADMIN';

  constructor() {
    super(
      'This is the last admin of the account who can sign in. Make another admin first, who accepts the invitation.',
    );
  }
}
