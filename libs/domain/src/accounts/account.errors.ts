import { CodedError } from '@app/contracts/coded.errors';

export class UnauthorizedError extends CodedError {
  readonly code = 'UNAUTHORIZED';

  constructor(
    message = 'The API key or the session is missing or invalid. Send a valid key (a call in the X-API-Key header, a board in auth.api_key), or sign in; never both at once.',
  ) {
    super(message);
  }
}

export class ForbiddenError extends CodedError {
  readonly code = 'FORBIDDEN';

  static ofKey(scopes: readonly string[]): ForbiddenError {
    return new ForbiddenError(
      scopes.length > 0
        ? `This API key may not do that: it lacks the scope ${scopes.map((scope) => `'${scope}'`).join(' or ')}.`
        : 'Only a person who is signed in may do that, not an API key.',
    );
  }

  static ofSecondFactor(): ForbiddenError {
    return new ForbiddenError(
      'The account demands a second factor: enable one first, by POST /api/v1/auth/second-factor/begin and …/enable.',
    );
  }

  static ofPerson(role: string | null): ForbiddenError {
    return new ForbiddenError(
      role === null
        ? 'Only a key of the installation may do that, with the scope admin.'
        : 'Only an admin of the account may do that.',
    );
  }
}

export class RateLimitedError extends CodedError {
  readonly code = 'RATE_LIMITED';

  constructor(
    limit: number,
    override readonly retryAfterSeconds: number,
    windowSeconds = 60,
  ) {
    super(`More than ${limit} requests in ${windowSeconds} s. Try again in ${retryAfterSeconds} s.`);
  }
}

export class AccountNotFoundError extends CodedError {
  readonly code = 'ACCOUNT_NOT_FOUND';

  constructor() {
    super('There is no such account.');
  }
}

/** The bot that a key was to be attached to does not exist. */
export class UnknownBotError extends CodedError {
  readonly code = 'BOT_NOT_FOUND';

  constructor() {
    super('The account has no such bot: check bot_ids.');
  }
}

/** The agent that a key was to be attached to does not exist. */
export class UnknownAssistantError extends CodedError {
  readonly code = 'ASSISTANT_NOT_FOUND';

  constructor() {
    super('The account has no such agent: check assistant_ids.');
  }
}

export class ApiKeyNotFoundError extends CodedError {
  readonly code = 'API_KEY_NOT_FOUND';

  constructor() {
    super('There is no such API key.');
  }
}

export class ApiKeyRevokedError extends CodedError {
  readonly code = 'API_KEY_REVOKED';

  constructor() {
    super('The API key is revoked for good: issue another.');
  }
}
