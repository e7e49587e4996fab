import { CodedError } from '@app/contracts/coded.errors';

/** A webhook came to the address of a bot that does not exist. */
export class UnknownAddressError extends CodedError {
  readonly code = 'NOT_FOUND';

  constructor() {
    super('No bot has this address. Take the address from the bot as it is shown to an admin.');
  }
}

export class WebhookRejectNotFoundError extends CodedError {
  readonly code = 'WEBHOOK_REJECT_NOT_FOUND';

  constructor() {
    super('There is no such part of a webhook: it was taken in, deleted, or is older than 30 days.');
  }
}
