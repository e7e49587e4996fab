/**
 * The package @leadline/client, as programs of others see it. Inside this repository each file is imported by its own
 * name: a list of everything would load everything.
 */
export type { Api, ApiOptions } from './api-client';
export {
  newRequestId,
  type Answering,
  type CallOf,
  type Caller,
  type DataOf,
  type Method,
  type PathOf,
} from './api-calls';
export { ApiError, type ApiErrorCode, type ApiFailure } from './api.errors';
export type * from './api-types';
export type { BoardChoice, ConnectionState, StatusId } from './board/board-views';
export { isPassing, retry, type RetryOptions } from './call-retry';
export { createLeadlineClient, type LeadlineClient, type LeadlineOptions } from './leadline-client';
export {
  board,
  BoardError,
  type Board,
  type BoardErrorCode,
  type BoardListeners,
  type BoardOptions,
  type Column,
} from './board/live-board';
export type { components, paths, webhooks } from './openapi-types';
export type {
  AiSwitched,
  BoardEvent,
  BoardEvents,
  BoardFilter,
  Card,
  CardChanged,
  CardMoved,
  MessageChanged,
} from '@app/contracts/board-events';
export { ERROR_CODES, type ErrorCode } from '@app/contracts/error-codes';
export type { Actor, FunnelStage, StageRef, ThreadSort } from '@app/contracts/lead.words';
export type { Channel, Message } from '@app/contracts/message.words';
