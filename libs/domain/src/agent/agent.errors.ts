import { CodedError } from '@app/contracts/coded.error';

/** The model gave no answer that a customer could read. */
export class ModelFailedError extends CodedError {
  readonly code = 'MODEL_ERROR';

  /** @param reason a sentence without addresses, keys or texts of a dialog */
  constructor(reason: string) {
    super(`The model gave no answer. ${reason}`);
  }
}
