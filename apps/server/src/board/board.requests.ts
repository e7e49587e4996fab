import type { BoardClientEvents } from '@app/contracts/board.events';
import { IsBoolean, IsInt, IsNotEmpty, IsString, Max, Min } from 'class-validator';
import { MayBeAbsent, MayBeNull } from '../http/dto.decorators';

const POSITION = { message: 'must be the seq of an earlier answer or event' };

export class BoardOpenRequest {
  @IsString()
  @IsNotEmpty()
  assistant_id: string;

  @MayBeAbsent()
  @IsInt(POSITION)
  @Min(0, POSITION)
  @Max(Number.MAX_SAFE_INTEGER, POSITION)
  since?: number;
}

export class BoardMoreRequest {
  @IsString()
  @IsNotEmpty()
  assistant_id: string;

  /** Null is the column of leads without a stage. */
  @MayBeNull()
  @IsString()
  @IsNotEmpty()
  status_id: string | null;

  @IsString()
  @IsNotEmpty()
  cursor: string;
}

export class BoardCloseRequest {
  @IsString()
  @IsNotEmpty()
  assistant_id: string;
}

export class PresenceSetRequest {
  /** Null: in no dialog. */
  @MayBeNull()
  @IsString()
  @IsNotEmpty()
  thread_id: string | null;

  @MayBeAbsent()
  @IsBoolean()
  typing?: boolean;
}

const REQUESTS: Record<keyof BoardClientEvents, object> = {
  'board:open': BoardOpenRequest,
  'board:more': BoardMoreRequest,
  'board:close': BoardCloseRequest,
  'presence:set': PresenceSetRequest,
};

export const BOARD_REQUEST_NAMES: readonly string[] = Object.keys(REQUESTS);
