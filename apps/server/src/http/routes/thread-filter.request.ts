import {
  ATTENTION_REASONS,
  type AttentionReason,
  MESSAGE_HANDLERS,
  type MessageHandler,
} from '@app/contracts/lead.words';
import { CHANNELS, type Channel } from '@app/contracts/message.words';
import { RUN_STATES, type RunState } from '@app/contracts/scenario.words';
import { STAGE_KINDS, type StageKind } from '@app/contracts/stage.words';
import type { AskedFilter, ListFilter } from '@app/domain/threads/thread-filter.rules';
import { IsBoolean, IsIn, IsNotEmpty, IsString, IsUUID } from 'class-validator';
import { IsIdsOrNull, IsName, IsTexts, IsTime, MayBeAbsent, MayBeNull } from '../dto/dto.decorator';
import { ApiPropertyOptional } from '../docs/openapi.decorator';

const SEARCH_MAX = 100;
const STAGES_MAX = 100;
const PHONES_MAX = 500;
const THREAD_IDS_MAX = 500;

/** Which dialogs a board shows, and a list too. */
export class ThreadFilterRequest {
  @ApiPropertyOptional({ format: 'uuid', description: 'Dialogs of this bot.' })
  @MayBeAbsent()
  @IsUUID('loose')
  bot_id?: string;

  @ApiPropertyOptional({ enum: CHANNELS })
  @MayBeAbsent()
  @IsIn(CHANNELS)
  channel?: Channel;

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
      'Words of the customer’s name and of messages, in any alphabet and order, letter case aside, each from its beginning; and any digits of the phone, one or two as well, with any signs between them. All must be there. New messages are found after a second or two.',
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
}

/** Which dialogs a list shows or hands out: all filters of get-threads but the agent. */
export class ListFilterRequest extends ThreadFilterRequest {
  @ApiPropertyOptional({
    type: [String],
    maxItems: PHONES_MAX,
    description:
      'Dialogs with these customers, each phone with its plus. Those that no dialog of get-threads’ list has come back as its `not_found`.',
  })
  @MayBeAbsent()
  @IsTexts(PHONES_MAX)
  phones?: string[];

  @ApiPropertyOptional({
    type: [String],
    maxItems: PHONES_MAX,
    description:
      'Dialogs with these customers, by the messenger’s user ids; with `phones`, those of either. Those that no dialog of get-threads’ list has come back as its `not_found_user_ids`.',
  })
  @MayBeAbsent()
  @IsTexts(PHONES_MAX)
  user_ids?: string[];

  @ApiPropertyOptional({
    type: [String],
    maxItems: THREAD_IDS_MAX,
    description: 'These dialogs.',
  })
  @MayBeAbsent()
  @IsTexts(THREAD_IDS_MAX)
  thread_ids?: string[];

  @ApiPropertyOptional({
    default: false,
    description:
      'True: in which a person has to come: one is asked for (`attention`), or a customer waits, and the agent is not about to answer.',
  })
  @MayBeAbsent()
  @IsBoolean()
  needs_person?: boolean;
}

const timeOf = (text: string | undefined): Date | undefined =>
  text === undefined ? undefined : new Date(text);

/** The filter of a checked request. */
export const filterOf = (body: ThreadFilterRequest): AskedFilter => ({
  botId: body.bot_id,
  channel: body.channel,
  statusId: body.status_id,
  statusIds: body.status_ids,
  statusKind: body.status_kind,
  messageHandler: body.message_handler,
  waiting: body.waiting,
  unread: body.unread,
  optedOut: body.opted_out,
  attention: body.attention,
  assigneeId: body.assignee_id,
  scenarioId: body.scenario_id,
  runState: body.run_state,
  search: body.search,
  createdAfter: timeOf(body.created_after),
  createdBefore: timeOf(body.created_before),
  activeAfter: timeOf(body.active_after),
});

/** The filter of a checked request for a list. */
export const listFilterOf = (body: ListFilterRequest): ListFilter => ({
  ...filterOf(body),
  phones: body.phones,
  userIds: body.user_ids,
  threadIds: body.thread_ids,
  needsPerson: body.needs_person,
});
