import { CodedError } from '@app/contracts/coded.errors';

export class AssistantUnknownError extends CodedError {
  readonly code = 'ASSISTANT_NOT_FOUND';

  constructor() {
    super('There is no such agent.');
  }
}
