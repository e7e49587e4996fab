import type { MessageLines } from '@app/contracts/message-content';
import type { AttentionReason, StatusSetBy } from '@app/contracts/lead.words';
import type { Channel, MessageRole } from '@app/contracts/message.words';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { AssistantEntity } from '../assistants/assistant.entity';
import { BotEntity } from '../bots/bot.entity';
import { CLOCK } from '../database/column-defaults';

/** A dialog of a bot with a customer, and the lead that it is. Every fact that decides about it is in this row. */
@Entity('threads')
@ForeignKey(() => AssistantEntity, ['account_id', 'assistant_id'], ['account_id', 'id'])
@ForeignKey(() => BotEntity, ['account_id', 'bot_id'], ['account_id', 'id'])
@Check('threads_opted_out_is_silent', 'NOT (opted_out AND ai_enabled)')
@Check(
  'threads_stage_with_time_and_source',
  '((status_id IS NULL) = (status_set_at IS NULL)) AND ((status_id IS NULL) = (status_set_by IS NULL))',
)
@Check('threads_status_set_by_check', `status_set_by IN ('AI', 'OPERATOR_MANUAL', 'SCENARIO', 'SYSTEM')`)
@Check('threads_waiting_since', '(waiting_message_id IS NULL) = (waiting_at IS NULL)')
@Check('threads_opt_request_with_arrival', '(opt_requested_at IS NULL) = (opt_request_arrived_at IS NULL)')
@Index('threads_activity', { synchronize: false })
@Index('threads_assignee', ['account_id', 'assignee_id', 'assistant_id', 'id'], {
  where: 'assignee_id IS NOT NULL',
})
@Index('threads_board', { synchronize: false })
@Index('threads_contact', ['account_id', 'contact', 'bot_id', 'channel'], { unique: true })
@Index('threads_newest', { synchronize: false })
@Index('threads_past', ['account_id', 'last_activity_at'], {
  where: 'last_activity_at < created_at AND erased_at IS NULL',
})
@Index('threads_takeovers', ['takeover_until'], { where: 'takeover_until IS NOT NULL' })
@Index('threads_waiting', { synchronize: false })
@Index('threads_user', ['account_id', 'bot_id', 'channel', 'user_id'], {
  unique: true,
  where: 'user_id IS NOT NULL',
})
export class ThreadEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid')
  assistant_id: string;

  @Column('uuid')
  bot_id: string;

  @Column('text')
  channel: Channel;

  /** The customer, as the provider addresses them. */
  @Column('text')
  contact: string;

  @Column('text', { nullable: true })
  phone: string | null;

  /** As the messenger names the customer. */
  @Column('text', { nullable: true })
  customer_name: string | null;

  /** The stage; no foreign key, which would cost a fifth of the rate (measured). */
  @Column('uuid', { nullable: true })
  status_id: string | null;

  @Column('timestamptz', { nullable: true })
  status_set_at: Date | null;

  @Column('text', { nullable: true })
  status_set_by: StatusSetBy | null;

  /** When the stage was cleared; null: it has one, or never had any. */
  @Column('timestamptz', { nullable: true })
  status_cleared_at: Date | null;

  /** Rises with each change that boards show. */
  @Column('bigint', { default: 1 })
  version: string;

  /** Whether the agent is switched on. */
  @Column('boolean', { default: true })
  ai_enabled: boolean;

  /** The end of a takeover by an operator; null: no takeover. */
  @Column('timestamptz', { nullable: true })
  takeover_until: Date | null;

  /** Rises with everything that silences the agent. What the agent began before is void. */
  @Column('bigint', { default: 0 })
  ai_epoch: string;

  @Column('boolean', { default: false })
  opted_out: boolean;

  /** The customer's newest message. It waits for an answer as long as no message of ours counts after it. */
  @Column('uuid', { nullable: true })
  waiting_message_id: string | null;

  /** When the customer wrote it. */
  @Column('timestamptz', { nullable: true })
  waiting_at: Date | null;

  /** When the customer wrote the first of the messages that wait; null where a former version stored them. */
  @Column('timestamptz', { nullable: true })
  waiting_since: Date | null;

  @Column('text', { nullable: true })
  last_message_role: MessageRole | null;

  @Column('text', { nullable: true })
  last_message_text: string | null;

  /** What the last message is, by language, where its text alone does not say it; then the English line is its text. */
  @Column('jsonb', { nullable: true })
  last_message_lines: MessageLines | null;

  @Column('timestamptz', { nullable: true })
  last_message_at: Date | null;

  @Column('integer', { default: 0 })
  unread_count: number;

  @Column('timestamptz', { default: CLOCK })
  created_at: Date;

  @Column('timestamptz', { default: CLOCK })
  last_activity_at: Date;

  /** The provider's id of the customer, where the phone is hidden. */
  @Column('text', { nullable: true })
  user_id: string | null;

  @Column('text', { nullable: true })
  wa_id: string | null;

  /** As the messenger shows the customer to others. It is no address: it may pass to somebody else. */
  @Column('text', { nullable: true })
  username: string | null;

  /** The customer has shared the phone when asked for it. */
  @Column('boolean', { default: false })
  phone_proven: boolean;

  /** The other dialogs of the same customer on the same channel of the bot, in order; null: none is known. */
  @Column('uuid', { array: true, nullable: true })
  same_customer: string[] | null;

  /** Phones and ids that the customer had before; null: none. */
  @Column('text', { array: true, nullable: true })
  former_addresses: string[] | null;

  /** When the customer's newest message arrived here. */
  @Column('timestamptz', { nullable: true })
  last_inbound_at: Date | null;

  /** When our newest message was stored, or arrived from the phone's app. */
  @Column('timestamptz', { nullable: true })
  last_outbound_at: Date | null;

  /**
   * How many of our messages count after the customer's newest: all that were stored, except those that failed or
   * were dropped.
   */
  @Column('integer', { default: 0 })
  answer_count: number;

  /** When the customer wrote the last opt request. */
  @Column('timestamptz', { nullable: true })
  opt_requested_at: Date | null;

  /** When that request arrived here. */
  @Column('timestamptz', { nullable: true })
  opt_request_arrived_at: Date | null;

  /** When the first of the customer's waiting messages arrived. */
  @Column('timestamptz', { nullable: true })
  burst_started_at: Date | null;

  /** Why an operator is asked for; null: no operator is needed. */
  @Column('text', { nullable: true })
  attention: AttentionReason | null;

  /** What the reason does not say, for people to read. */
  @Column('text', { nullable: true })
  attention_note: string | null;

  /** The provider's own number, where it is about its refusal of a message. */
  @Column('integer', { nullable: true })
  attention_provider_code: number | null;

  /** When the reason arose. */
  @Column('timestamptz', { nullable: true })
  attention_since: Date | null;

  /** Scenarios have open runs here: there is a row of `scenario_queues`. */
  @Column('boolean', { default: false })
  has_runs: boolean;

  /**
   * When the customer's newest reply was written, as late as that can have been. Reactions, opt requests and what
   * cannot be read are no replies.
   */
  @Column('timestamptz', { nullable: true })
  replied_at: Date | null;

  /** The name that a person gave the customer; null: none, and the messenger's counts. */
  @Column('text', { nullable: true })
  name_override: string | null;

  /**
   * The person to whom it is assigned; null: nobody. People are never deleted, so no foreign key is needed, which every
   * assignment would check.
   */
  @Column('uuid', { nullable: true })
  assignee_id: string | null;

  /** Another AI on the number conducts the dialog, as the messenger says: the agent is silent. */
  @Column('boolean', { default: false })
  conducted_elsewhere: boolean;

  /** When it was last reported, or taken back; null: never. */
  @Column('timestamptz', { nullable: true })
  control_reported_at: Date | null;

  /** When everything about the customer was erased; null: it was not. */
  @Column('timestamptz', { nullable: true })
  erased_at: Date | null;
}

/**
 * An address by which a customer is known on a bot's channel: a number, or a user id of the messenger. Each leads to one
 * dialog. Dialogs that a former version opened have none until something is told of their customers; they are found by
 * their own columns. No foreign key to the dialog, which would cost a lookup for each that is opened: dialogs are never
 * deleted.
 */
@Entity('thread_addresses')
@Index('thread_addresses_thread', ['account_id', 'thread_id'])
export class ThreadAddressEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  /** As `contactOf` writes a number, or the user id. */
  @PrimaryColumn('text')
  address: string;

  @PrimaryColumn('uuid')
  bot_id: string;

  @PrimaryColumn('text')
  channel: Channel;

  @Column('uuid')
  thread_id: string;
}

/** The words by which a dialog is found, folded by ourselves. They are derived, and may be made again at any time. */
@Entity('thread_search')
@Index('thread_search_words', { synchronize: false })
export class ThreadSearchEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @PrimaryColumn('uuid')
  thread_id: string;

  /** Of the customer's name and phone, as they are now. */
  @Column('tsvector')
  customer_words: string;

  /** Of the messages. */
  @Column('tsvector')
  words: string;
}

/** What has to be added to `thread_search`. */
@Entity('search_queue')
@Index('search_queue_dialogs', ['account_id', 'id'], { where: 'message_id IS NULL' })
@Index('search_queue_messages', ['account_id', 'id'], { where: 'message_id IS NOT NULL' })
export class SearchQueueEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id: string;

  @Column('uuid')
  thread_id: string;

  /** Null: the whole dialog. */
  @Column('uuid', { nullable: true })
  message_id: string | null;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  created_at: Date;
}
