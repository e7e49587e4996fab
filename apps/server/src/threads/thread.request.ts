import { THREAD_SORTS, type ThreadSort } from '@app/contracts/lead.words';
import { ApiProperty, ApiPropertyOptional, EXAMPLE_THREAD_ID } from '../http/docs/openapi.decorator';
import { IsBoolean, IsIn, IsInt, IsNotEmpty, IsString, Max, Min } from 'class-validator';
import { MayBeAbsent } from '../http/dto/dto.decorator';
import { ListFilterRequest } from '../http/routes/thread-filter.request';

const MESSAGES_MAX = 500;

export class GetThreadsRequest extends ListFilterRequest {
  @ApiPropertyOptional({ description: 'Dialogs of this agent.' })
  @MayBeAbsent()
  @IsString()
  @IsNotEmpty()
  assistant_id?: string;

  @ApiPropertyOptional({
    enum: THREAD_SORTS,
    default: 'opened',
    description:
      '`opened`: the last opened first. `activity`: the last active first. `waiting`: whose customer waits longest first, then those in which none waits.',
  })
  @MayBeAbsent()
  @IsIn(THREAD_SORTS)
  sort?: ThreadSort;

  @ApiPropertyOptional({ default: false, description: 'True: with `totals`.' })
  @MayBeAbsent()
  @IsBoolean()
  counts?: boolean;

  @ApiPropertyOptional({
    type: 'integer',
    default: 0,
    minimum: 0,
    maximum: MESSAGES_MAX,
    description: 'So many of the newest messages with each dialog, newest first; 0: no `messages`.',
  })
  @MayBeAbsent()
  @IsInt()
  @Min(0)
  @Max(MESSAGES_MAX)
  messages_limit?: number;

  @ApiPropertyOptional({ type: 'integer', default: 50, minimum: 1, maximum: 200 })
  @MayBeAbsent()
  @IsInt()
  @Min(1)
  @Max(200)
  limit?: number;

  @ApiPropertyOptional({ description: '`next_cursor` of the page before; absent for the first page.' })
  @MayBeAbsent()
  @IsString()
  @IsNotEmpty()
  cursor?: string;
}

export class GetMessagesRequest {
  @ApiProperty({ description: 'Dialog identifier, `thread_<uuid>`.', example: EXAMPLE_THREAD_ID })
  @IsString()
  @IsNotEmpty()
  thread_id: string;

  @ApiPropertyOptional({ type: 'integer', default: 50, minimum: 1, maximum: 200, example: 50 })
  @MayBeAbsent()
  @IsInt()
  @Min(1)
  @Max(200)
  limit?: number;

  @ApiPropertyOptional({
    description: 'Our identifier of a message: the page around it. Not together with `cursor`.',
  })
  @MayBeAbsent()
  @IsString()
  @IsNotEmpty()
  around?: string;

  @ApiPropertyOptional({
    description:
      '`next_cursor` of a page for the older messages, `previous_cursor` for the newer ones; absent for the newest messages.',
  })
  @MayBeAbsent()
  @IsString()
  @IsNotEmpty()
  cursor?: string;
}
