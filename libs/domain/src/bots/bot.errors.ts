import type { Channel } from '@app/contracts/message.words';
import { CodedError } from '@app/contracts/coded.errors';

/** The agent that a bot was to speak for does not exist. */
export class AssistantOfBotNotFoundError extends CodedError {
  readonly code = 'ASSISTANT_NOT_FOUND';

  constructor() {
    super('The account has no such agent: check assistant_id.');
  }
}

export class SenderTakenError extends CodedError {
  readonly code = 'ALREADY_EXISTS';

  constructor(channel: Channel, sender: string) {
    super(`Another bot is connected to the number ${sender} of ${channel}: disconnect it there first.`);
  }
}

/** The provider did not say whose a number is. Nothing has changed. */
export class NumberUnconfirmedError extends CodedError {
  readonly code = 'PROVIDER_ERROR';
  override readonly providerResponse: { value: unknown };

  constructor(message: string, response: unknown) {
    super(`The number was not connected, because its provider did not say whose it is: ${message}`);
    this.providerResponse = { value: response };
  }
}
