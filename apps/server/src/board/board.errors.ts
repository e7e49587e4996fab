import { type BoardAck, BOARD_NAMESPACE } from '@app/contracts/board-events';
import { CodedError, ValidationError } from '@app/contracts/coded.errors';
import { Catch, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { InternalError } from '../http/errors/http.errors';
import { BOARD_REQUEST_NAMES } from './board.request';

export type Acknowledge = (answer: BoardAck<unknown>) => void;

const logger = new Logger('BoardGateway');

/** The error as a client gets it. An unexpected one is logged, and the client sees no details. */
export function boardErrorOf(error: unknown): Pick<CodedError, 'code' | 'message'> {
  if (!(error instanceof CodedError))
    logger.error({ err: error }, 'A board request failed by our own fault.');
  const { code, message } = error instanceof CodedError ? error : new InternalError(error);
  return { code, message };
}

export const refuse = (acknowledge: Acknowledge, error: unknown): void =>
  acknowledge({ ok: false, error: boardErrorOf(error) });

/** Acknowledges a refused request with its error. Nest's filter would emit an event named `exception` instead. */
@Catch()
export class BoardErrorFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const acknowledge = host.getArgs<unknown[]>().find((each) => typeof each === 'function');
    refuse(acknowledge as Acknowledge, error);
  }
}

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
