import { CodedError } from '@app/contracts/coded.error';

export class ToolNotFoundError extends CodedError {
  readonly code = 'TOOL_NOT_FOUND';

  constructor() {
    super('The agent has no such tool.');
  }
}

export class ToolNameTakenError extends CodedError {
  readonly code = 'ALREADY_EXISTS';

  constructor() {
    super('The agent has a tool of this name: name this one otherwise.');
  }
}
