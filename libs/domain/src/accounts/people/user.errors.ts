import { CodedError } from '@app/contracts/coded.errors';

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
