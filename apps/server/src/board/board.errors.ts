import { BOARD_NAMESPACE } from '@app/contracts/board-events';
import { CodedError, ValidationError } from '@app/contracts/coded.errors';
import { BOARD_REQUEST_NAMES } from './board.request';

export class TooManyBoardsError extends CodedError {
  readonly code = 'RATE_LIMITED';

  constructor(most: number) {
    super(`This connection shows ${most} boards already. Close one with board:close, or connect once more.`);
  }
}

export class TooManyFiltersError extends CodedError {
  readonly code = 'RATE_LIMITED';

  constructor(most: number) {
    super(
      `Boards of this account show leads by ${most} different filters already. Close one of them with board:close, or use a filter that is open.`,
    );
  }
}

/** A wrong namespace is refused before the key is checked, as a wrong path is. */
export class NoSuchNamespaceError extends CodedError {
  readonly code = 'NOT_FOUND';

  constructor() {
    super(
      `The board is the namespace ${BOARD_NAMESPACE}: connect to the service's address with it at the end.`,
    );
  }
}

export class NoSuchRequestError extends ValidationError {
  constructor() {
    super([{ path: '', message: `there is no such request; there are ${BOARD_REQUEST_NAMES.join(', ')}` }]);
  }
}
