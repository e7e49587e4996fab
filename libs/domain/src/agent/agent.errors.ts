import { CodedError } from '@app/contracts/coded.error';

/** The model gave no answer that a customer could read. */
export class ModelFailedError extends CodedError {
  readonly code = 'MODEL_ERROR';

  /**
   * @param reason a sentence without addresses, keys or texts of a dialog
   * @param words the model's own; the caller is an admin, and the dialog is theirs
   */
  constructor(reason: string, words?: string) {
    super(`The model gave no answer. ${reason}${words === undefined ? '' : ` Its words: ${words}`}`);
  }
}
