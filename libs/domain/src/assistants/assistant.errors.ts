import { CodedError } from '@app/contracts/coded.errors';

export class AssistantUnknownError extends CodedError {
  readonly code = 'ASSISTANT_NOT_FOUND';

  constructor() {
    super('There is no such agent.');
  }
}

export class StageUnknownError extends CodedError {
  readonly code = 'STATUS_NOT_FOUND';

  constructor() {
    super('There is no such stage.');
  }
}

export class StageInUseError extends CodedError {
  readonly code = 'STATUS_IN_USE';

  constructor() {
    super('Leads stand in the stage. Say by move_to where they go: to another stage of the funnel, or none.');
  }
}
