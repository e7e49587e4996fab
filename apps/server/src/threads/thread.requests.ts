import { ATTENTION_REASONS, type AttentionReason } from '@app/contracts/attention.words';
import { MESSAGE_HANDLERS, type MessageHandler } from '@app/contracts/lead.words';
import { CHANNELS, type Channel } from '@app/contracts/message.words';
import { THREAD_SORTS, type ThreadSort } from '@app/contracts/list.words';
import { RUN_STATES, type RunState } from '@app/contracts/scenario.words';
import { STAGE_KINDS, type StageKind } from '@app/contracts/stage.kinds';
import { ApiProperty, ApiPropertyOptional } from '../http/openapi.decorators';
import { IsBoolean, IsIn, IsInt, IsNotEmpty, IsString, IsUUID, Max, Min } from 'class-validator';
import { IsIdsOrNull, IsName, IsTexts, IsTime, MayBeAbsent, MayBeNull } from '../http/dto.decorators';
import { EXAMPLE_THREAD_ID } from '../http/example.ids';

const PHONES_MAX = 500;
const SEARCH_MAX = 100;
const STAGES_MAX = 100;
const MESSAGES_MAX = 500;

export class GetThreadsRequest {
  @ApiPropertyOptional({ description: 'Dialogs of this agent.' })
  @MayBeAbsent()
  @IsString()
  @IsNotEmpty()
  assistant_id?: string;

  @ApiPropertyOptional({ format: 'uuid', description: 'Dialogs of this bot.' })
  @MayBeAbsent()
  @IsUUID('loose')
  bot_id?: string;

  @ApiPropertyOptional({ enum: CHANNELS })
  @MayBeAbsent()
  @IsIn(CHANNELS)
  channel?: Channel;

  @ApiPropertyOptional({
    type: [String],
    maxItems: PHONES_MAX,
    description:
      'Dialogs with these customers, each phone with its plus. Those that no dialog of the list has come back as `not_found`.',
  })
  @MayBeAbsent()
  @IsTexts(PHONES_MAX)
  phones?: string[];

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    description: 'Leads at this stage; null: at no stage.',
  })
  @MayBeAbsent()
  @MayBeNull()
  @IsString()
  @IsNotEmpty()
  status_id?: string | null;

  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'string', nullable: true },
    maxItems: STAGES_MAX,
    description: 'Leads at one of these stages; null among them: or at no stage.',
  })
  @MayBeAbsent()
  @IsIdsOrNull(STAGES_MAX)
  status_ids?: (string | null)[];

  @ApiPropertyOptional({ enum: STAGE_KINDS, description: 'Leads at stages of this kind.' })
  @MayBeAbsent()
  @IsIn(STAGE_KINDS)
  status_kind?: StageKind;

  @ApiPropertyOptional({ enum: MESSAGE_HANDLERS })
  @MayBeAbsent()
  @IsIn(MESSAGE_HANDLERS)
  message_handler?: MessageHandler;

  @ApiPropertyOptional({ description: 'True: the last message is the customer’s. False: it is not.' })
  @MayBeAbsent()
  @IsBoolean()
  waiting?: boolean;

  @ApiPropertyOptional({
    description: 'True: the customer has written something that nobody has read. False: nothing.',
  })
  @MayBeAbsent()
  @IsBoolean()
  unread?: boolean;

  @ApiPropertyOptional({ description: 'True: the customer has unsubscribed. False: they have not.' })
  @MayBeAbsent()
  @IsBoolean()
  opted_out?: boolean;

  @ApiPropertyOptional({
    oneOf: [{ type: 'boolean' }, { type: 'string', enum: [...ATTENTION_REASONS] }],
    description:
      'True: an operator is asked for, as the history’s last `attention` says. A word: for this reason. False: none is.',
  })
  @MayBeAbsent()
  @IsIn([true, false, ...ATTENTION_REASONS])
  attention?: boolean | AttentionReason;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    description: 'Dialogs that are assigned to this person; null: to nobody.',
  })
  @MayBeAbsent()
  @MayBeNull()
  @IsString()
  @IsNotEmpty()
  assignee_id?: string | null;

  @ApiPropertyOptional({ description: 'Dialogs in which this scenario has or had a run.' })
  @MayBeAbsent()
  @IsString()
  @IsNotEmpty()
  scenario_id?: string;

  @ApiPropertyOptional({
    enum: RUN_STATES,
    description:
      'Dialogs with a run in this state; with `scenario_id`: with a run of that scenario in this state.',
  })
  @MayBeAbsent()
  @IsIn(RUN_STATES)
  run_state?: RunState;

  @ApiPropertyOptional({
    maxLength: SEARCH_MAX,
    description:
      'Words of the customer’s name and of messages, in any alphabet and order, letter case aside, each from its beginning; and three or more digits of the phone. All must be there. New messages are found after a second or two.',
  })
  @MayBeAbsent()
  @IsName(SEARCH_MAX)
  search?: string;

  @ApiPropertyOptional({ format: 'date-time', description: 'Opened at this time or later.' })
  @MayBeAbsent()
  @IsTime()
  created_after?: string;

  @ApiPropertyOptional({ format: 'date-time', description: 'Opened before this time.' })
  @MayBeAbsent()
  @IsTime()
  created_before?: string;

  @ApiPropertyOptional({ format: 'date-time', description: 'Something happened at this time or later.' })
  @MayBeAbsent()
  @IsTime()
  active_after?: string;

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
