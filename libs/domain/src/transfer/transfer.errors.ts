import { CodedError } from '@app/contracts/coded.errors';
import { TRANSFER_LIMITS } from '@app/contracts/transfer.words';

export class ImportNotFoundError extends CodedError {
  readonly code = 'IMPORT_NOT_FOUND';

  constructor() {
    super(
      'There is no such import among those that the key or the person may see. Check import_id, and that they may use its bot and see its agent.',
    );
  }
}

export class TooManyImportsError extends CodedError {
  readonly code = 'RATE_LIMITED';
  override readonly retryAfterSeconds = 30;

  constructor() {
    super(
      `${TRANSFER_LIMITS.underWayMax} imports of this account are under way. Wait until one is done, or cancel one.`,
    );
  }
}

export class LeadFileTooLargeError extends CodedError {
  readonly code = 'PAYLOAD_TOO_LARGE';

  constructor() {
    super(`The file is larger than ${TRANSFER_LIMITS.fileBytesMax} bytes. Import it in parts.`);
  }
}
