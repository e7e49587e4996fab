import type { ErrorCode } from '@app/contracts/error-codes';

/** CLOSED: the board was closed before it was there. */
export type BoardErrorCode = ErrorCode | 'TIMEOUT' | 'CLOSED';

/** Why a board is not shown, by the codes of the operations: such as UNAUTHORIZED, ASSISTANT_NOT_FOUND. */
export class BoardError extends Error {
  override readonly name = 'BoardError';

  constructor(
    readonly code: BoardErrorCode,
    message: string,
  ) {
    super(message);
  }
}
