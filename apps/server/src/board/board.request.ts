import type { BoardClientEvents } from '@app/contracts/board-events';
import { THREAD_SORTS, type ThreadSort } from '@app/contracts/lead.words';
import { Type } from 'class-transformer';
import {
  IsBoolean,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsObject,
  IsString,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { MayBeAbsent, MayBeNull } from '../http/dto/dto.decorator';
import { ThreadFilterRequest } from '../http/routes/thread-filter.request';

const POSITION = { message: 'must be the seq of an earlier answer or event' };

const CARDS_MAX = 100;

/** Which leads a board shows, and in which order. */
class BoardViewRequest {
  @MayBeAbsent()
  @IsObject()
  @ValidateNested()
  @Type(() => ThreadFilterRequest)
  filter?: ThreadFilterRequest;

  @MayBeAbsent()
  @IsIn(THREAD_SORTS)
  sort?: ThreadSort;
}

export class BoardOpenRequest extends BoardViewRequest {
  @IsString()
  @IsNotEmpty()
  assistant_id: string;

  @MayBeAbsent()
  @IsInt(POSITION)
  @Min(0, POSITION)
  @Max(Number.MAX_SAFE_INTEGER, POSITION)
  since?: number;

  @MayBeAbsent()
  @IsInt()
  @Min(1)
  @Max(CARDS_MAX)
  limit?: number;
}

export class BoardMoreRequest extends BoardViewRequest {
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
