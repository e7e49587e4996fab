import {
  ATTENTION_REASONS,
  MESSAGE_HANDLERS,
  STATUS_SETTERS,
  WAITING_REASONS,
} from '@app/contracts/lead.words';
import { MESSAGE_ROLES } from '@app/contracts/message.words';
import { STAGE_KINDS } from '@app/contracts/stage.words';
import {
  ApiProperty,
  ApiPropertyOptional,
  EXAMPLE_ASSISTANT_ID,
  EXAMPLE_STATUS_ID,
  EXAMPLE_THREAD_ID,
} from '../http/docs/openapi.decorator';
import { AssigneeAnswer, MessageLinesAnswer } from '../http/dto/message-parts.answer';
import { MediaAnswer } from '../http/dto/media.answer';

/** How a customer is known on a channel. */
class CustomerAnswer {
  @ApiProperty({
    type: String,
    nullable: true,
    example: '+22997123110',
    description: 'With its plus, as it was asked for or typed; null: it is not known',
  })
  phone: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: '2290197123110',
    description:
      'The digits by which the messenger knows the phone, where it has told them; they may differ from `phone`',
  })
  wa_id: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'BJ.134912086553027',
    description: 'The messenger’s id of the customer for this business, where it has told it',
  })
  user_id: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'afi.d',
    description:
      'As the messenger shows the customer to others. It is no address: it may pass to somebody else',
  })
  username: string | null;

  @ApiProperty({ description: 'Whether the customer has shared the phone when asked for it' })
  phone_proven: boolean;
}

const EXAMPLE_TIME = '2026-11-20T09:30:00.000Z';

class ThreadStageAnswer {
  @ApiProperty({ example: EXAMPLE_STATUS_ID })
  id: string;

  @ApiProperty({ example: 'Qualified' })
  name: string;

  @ApiProperty({ enum: STAGE_KINDS })
  kind: string;

  @ApiProperty({ type: 'integer', example: 2, description: 'Position in the funnel' })
  order: number;
}

class LastMessageAnswer {
  @ApiProperty({ enum: MESSAGE_ROLES })
  role: string;

  @ApiProperty()
  text: string;

  @ApiProperty({ format: 'date-time', example: EXAMPLE_TIME })
  created_at: string;
}

class CardMessageAnswer extends LastMessageAnswer {
  @ApiPropertyOptional({
    type: MessageLinesAnswer,
    description:
      'Only where it is more than its text: what it is in a line of words, by language; `text` is the English line',
  })
  lines?: MessageLinesAnswer;
}

class ListedMessageAnswer extends LastMessageAnswer {
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiProperty({ type: MediaAnswer, nullable: true, description: 'Its file; null where it has none' })
  media: MediaAnswer | null;
}

class AttentionAnswer {
  @ApiProperty({ enum: ATTENTION_REASONS })
  reason: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'What the reason does not say: why the agent handed the dialog over, in the model’s own words, or how the model failed',
  })
  note: string | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    example: null,
    description: 'The provider’s own number, where the note is about its refusal of a message; else null',
  })
  provider_code: number | null;

  @ApiProperty({ format: 'date-time', example: EXAMPLE_TIME, description: 'When this reason arose' })
  since: string;
}

class ThreadAnswer {
  @ApiProperty({ example: EXAMPLE_THREAD_ID })
  thread_id: string;

  @ApiProperty({ example: EXAMPLE_ASSISTANT_ID })
  assistant_id: string;

  @ApiProperty({ format: 'uuid' })
  bot_id: string;

  @ApiProperty({ example: 'WABA_COEXISTENCE' })
  channel: string;

  @ApiProperty({ type: String, nullable: true, example: '+77015551001' })
  phone: string | null;

  @ApiProperty({ type: CustomerAnswer })
  customer: CustomerAnswer;

  @ApiProperty({
    type: [String],
    description:
      'Other dialogs of this bot and channel that turned out to be of the same customer. An opt-out and a permanent off of one hold for all of them',
  })
  same_customer: string[];

  @ApiProperty({
    description:
      'Another AI on the number conducts the dialog, as the messenger says: the agent is silent until the dialog is passed to us, a free message of ours goes out, or set-ai `true`',
    example: false,
  })
  conducted_elsewhere: boolean;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'As a person named the customer (set-name), or else the messenger',
  })
  customer_name: string | null;

  @ApiProperty({ enum: MESSAGE_HANDLERS })
  message_handler: string;

  @ApiProperty({ description: 'The permanent switch of the agent' })
  ai_enabled: boolean;

  @ApiProperty({ description: 'Whether the customer has unsubscribed' })
  opted_out: boolean;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description:
      'When the takeover by an operator ends by itself; null: none runs, or it goes on until a person or a call ends it (`takeover_end` of the account): then `message_handler` is `OPERATOR` while `ai_enabled` is true',
  })
  takeover_until: string | null;

  @ApiProperty({ description: 'Whether the last message is the customer’s' })
  waiting: boolean;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    example: EXAMPLE_TIME,
    description: 'When the customer wrote the first of the messages that wait; null: none waits',
  })
  waiting_since: string | null;

  @ApiProperty({
    type: String,
    enum: WAITING_REASONS,
    nullable: true,
    example: 'agent_due',
    description: 'Why that message has no answer yet: the first of these that holds; null: none waits',
  })
  waiting_reason: string | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    example: EXAMPLE_TIME,
    description:
      'When the 24 hours end in which free texts can be sent; null: the customer has not written yet',
  })
  window_until: string | null;

  @ApiProperty({ type: ThreadStageAnswer, nullable: true })
  lead_status: ThreadStageAnswer | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: EXAMPLE_TIME })
  status_set_at: string | null;

  @ApiProperty({ type: String, enum: STATUS_SETTERS, nullable: true })
  status_set_by: string | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When the stage was cleared; null: the lead has one, or never had any',
  })
  status_cleared_at: string | null;

  @ApiProperty({
    type: CardMessageAnswer,
    nullable: true,
    description: 'Of a long text the first 500 characters, the last of them `…`',
  })
  last_message: CardMessageAnswer | null;

  @ApiProperty({
    type: 'integer',
    description: 'Messages of the customer that no person has read or answered',
  })
  unread_count: number;

  @ApiProperty({
    type: AttentionAnswer,
    nullable: true,
    description: 'Why an operator is asked for; null: none is',
  })
  attention: AttentionAnswer | null;

  @ApiProperty({
    type: AssigneeAnswer,
    nullable: true,
    description: 'The person to whom it is assigned; null: nobody',
  })
  assignee: AssigneeAnswer | null;

  @ApiProperty({
    ...{ type: String, format: 'date-time', nullable: true, example: null },
    description: 'When everything about the customer was erased; null: it was not',
  })
  erased_at: string | null;

  @ApiProperty({ format: 'date-time', example: EXAMPLE_TIME })
  created_at: string;

  @ApiProperty({ format: 'date-time', example: EXAMPLE_TIME, description: 'When something last happened' })
  updated_at: string;

  @ApiProperty({
    type: 'integer',
    description:
      'Grows with every change. Of two states of a dialog, the one with the higher version is right',
  })
  version: number;

  @ApiProperty({ format: 'uri', description: 'The dialog on the operators’ page' })
  url: string;

  @ApiProperty({
    type: [ListedMessageAnswer],
    required: false,
    description: 'Newest first; only with `messages_limit`',
  })
  messages?: ListedMessageAnswer[];
}

class StageTotalAnswer {
  @ApiProperty({ type: String, nullable: true, example: EXAMPLE_STATUS_ID, description: 'Null: no stage' })
  status_id: string | null;

  @ApiProperty({ type: 'integer' })
  total: number;
}

export class ThreadListAnswer {
  @ApiProperty({ type: [ThreadAnswer], description: 'In the order of `sort`' })
  threads: ThreadAnswer[];

  @ApiProperty({ type: [String], description: 'Phones of the request that no dialog of the list has' })
  not_found: string[];

  @ApiProperty({ type: [String], description: 'User ids of the request that no dialog of the list has' })
  not_found_user_ids: string[];

  @ApiProperty()
  has_more: boolean;

  @ApiProperty({ type: String, nullable: true })
  next_cursor: string | null;

  @ApiProperty({
    type: [StageTotalAnswer],
    required: false,
    description: 'How many dialogs pass the filter, by stage; only with `counts`',
  })
  totals?: StageTotalAnswer[];
}
