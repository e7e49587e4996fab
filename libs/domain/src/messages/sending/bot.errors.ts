import { CodedError } from '@app/contracts/coded.errors';

export class BotNotFoundError extends CodedError {
  readonly code = 'BOT_NOT_FOUND';

  constructor() {
    super('There is no such bot. Check bot_id.');
  }
}

/** The bot exists, in this or another account, and is not among the caller's. */
export class BotForbiddenError extends CodedError {
  readonly code = 'FORBIDDEN';

  constructor() {
    super('This bot is not among those that the key or the person may use.');
  }
}
