import { CodedError } from '@app/contracts/coded.error';

export class StageUnknownError extends CodedError {
  readonly code = 'STATUS_NOT_FOUND';

  constructor() {
    super('There is no such stage.');
  }
}
