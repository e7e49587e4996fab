import type { BoardAck } from '@app/contracts/board-events';
import { CodedError } from '@app/contracts/coded.errors';
import { Catch, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { InternalError } from '../http/errors/http.errors';

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
