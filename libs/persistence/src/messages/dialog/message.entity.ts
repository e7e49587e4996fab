import type {
  Channel,
  MessageError,
  MessageRole,
  MessageStatus,
  Pricing,
} from '@app/contracts/message.words';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { ThreadEntity } from '../../threads/thread.entity';
import { MediaEntity } from '../../media/media.entity';
import { CLOCK } from '../../database/column-defaults';
import { AccountEntity } from '../../accounts/account.entity';

/** A message of a dialog, in either direction. One of ours is stored before the provider gets a request. */
@Entity('messages')
@ForeignKey(() => ThreadEntity, ['account_id', 'thread_id'], ['account_id', 'id'])
@ForeignKey(() => MediaEntity, ['account_id', 'media_id'], ['account_id', 'id'])
@Check('messages_batch_with_index', '(batch_id IS NULL) = (batch_index IS NULL)')
@Check('messages_claim_with_end', '(claim_token IS NULL) = (claim_until IS NULL)')
@Check('messages_queued_is_due', `(status = 'queued') <= (due_at IS NOT NULL)`)
@Check('messages_role_check', `role IN ('AI', 'USER', 'OPERATOR', 'SYSTEM')`)
@Check('messages_sending_is_claimed', `(status = 'sending') <= (claim_token IS NOT NULL)`)
@Check(
  'messages_status_check',
  `status IN ('received', 'queued', 'sending', 'unknown', 'sent', 'failed', 'delivered', 'read', 'dropped')`,
)
@Index('messages_inbound', ['account_id', 'bot_id', 'channel', 'provider_id'], {
  unique: true,
  where: 'inbound',
})
@Index('messages_claimed', ['claim_until'], { where: "status = 'sending'" })
@Index('messages_send_permits', ['account_id', 'thread_id'], { where: 'send_permit_until IS NOT NULL' })
@Index('messages_queued', ['account_id', 'bot_id', 'channel', 'due_at', 'id'], { where: "status = 'queued'" })
@Index('messages_failed', ['failed_at'], { where: 'failed_at IS NOT NULL' })
@Index('messages_media', ['account_id', 'media_id'], { where: 'media_id IS NOT NULL' })
@Index('messages_thread', { synchronize: false })
@Index('messages_outbound', ['account_id', 'bot_id', 'channel', 'provider_id'], {
  where: '((NOT inbound) AND (provider_id IS NOT NULL))',
})
@Index('messages_whatsapp_id', ['account_id', 'bot_id', 'channel', 'whatsapp_id'], {
  where: 'whatsapp_id IS NOT NULL',
})
export class MessageEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid')
  thread_id: string;

  @Column('text')
  role: MessageRole;

  /** The text that people read. */
  @Column('text')
  text: string;

  /** When a customer wrote it. */
  @Column('timestamptz', { nullable: true })
  sent_at: Date | null;

  @Column('timestamptz', { default: CLOCK })
  created_at: Date;

  @Column('uuid')
  bot_id: string;

  @Column('text')
  channel: Channel;

  /** When its writer last changed it; null: never. */
  @Column('timestamptz', { nullable: true })
  edited_at: Date | null;

  /** When its writer deleted it. Its text and content are kept in `content.deleted`, for exports alone. */
  @Column('timestamptz', { nullable: true })
  deleted_at: Date | null;

  /** From the customer. */
  @Column('boolean', { default: false })
  inbound: boolean;

  @Column('text', { default: 'text' })
  type: string;

  @Column('text')
  status: MessageStatus;

  /** What the provider gets. */
  @Column('jsonb', { default: {} })
  content: Record<string, unknown>;

  /** Null: it came in. */
  @Column('text', { nullable: true })
  recipient: string | null;

  @Column('uuid', { nullable: true })
  batch_id: string | null;

  @Column('integer', { nullable: true })
  batch_index: number | null;

  /** When it may be sent. Of one of a scenario's run that failed: when its step is tried again, by another message. */
  @Column('timestamptz', { nullable: true })
  due_at: Date | null;

  /** Requests to the provider. */
  @Column('integer', { default: 0 })
  attempts: number;

  /** The process that sends it. */
  @Column('uuid', { nullable: true })
  claim_token: string | null;

  @Column('timestamptz', { nullable: true })
  claim_until: Date | null;

  /** The end of the permit to write a part of a reply to the provider. */
  @Column('timestamptz', { nullable: true })
  send_permit_until: Date | null;

  /** The provider's id for it; null until the provider has given one. */
  @Column('text', { nullable: true })
  provider_id: string | null;

  /** WhatsApp's id, where the provider has another. */
  @Column('text', { nullable: true })
  whatsapp_id: string | null;

  @Column('text', { nullable: true })
  error_code: MessageError['code'] | null;

  @Column('text', { nullable: true })
  error_message: string | null;

  @Column('integer', { nullable: true })
  provider_code: number | null;

  /** As JSON text. */
  @Column('text', { nullable: true })
  provider_response: string | null;

  /** How the provider charges it, as far as it has said so; null: not at all. */
  @Column('jsonb', { nullable: true })
  pricing: Partial<Pricing> | null;

  /** The month in which it counts; null: it never counted, or was given back. */
  @Column('date', { nullable: true })
  quota_month: string | null;

  @Column('timestamptz', { nullable: true })
  accepted_at: Date | null;

  @Column('timestamptz', { nullable: true })
  delivered_at: Date | null;

  @Column('timestamptz', { nullable: true })
  read_at: Date | null;

  @Column('timestamptz', { nullable: true })
  failed_at: Date | null;

  /**
   * The person of the account who wrote it; null: nobody whom the service knows, or a former version stored it. People are
   * never deleted, so no foreign key is needed, which every message would check.
   */
  @Column('uuid', { nullable: true })
  author_id: string | null;

  /** The scenario's run that sent it. */
  @Column('uuid', { nullable: true })
  run_id: string | null;

  /** Its file. */
  @Column('uuid', { nullable: true })
  media_id: string | null;

  /** Where what follows from it belongs, as W3C `traceparent`: a reply, or its sending by its number's queue. */
  @Column('text', { nullable: true })
  trace: string | null;
}

/** A provider's report about a message whose id we did not know yet, or an edit or a deletion of one. */
@Entity('parked_states')
@ForeignKey(() => AccountEntity, ['account_id'], ['id'])
@Index('parked_states_age', ['created_at'])
@Index('parked_states_due', ['next_check_at'], { where: 'next_check_at IS NOT NULL' })
@Index('parked_states_once', ['account_id', 'bot_id', 'channel', 'provider_id', 'state'], { unique: true })
export class ParkedStateEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id: string;

  @Column('uuid')
  bot_id: string;

  @Column('text')
  channel: Channel;

  @Column('text')
  provider_id: string;

  @Column('text')
  state: string;

  @Column('jsonb')
  body: Record<string, unknown>;

  @Column('timestamptz', { default: CLOCK })
  created_at: Date;

  /** When its message is searched again; null: not any more. */
  @Column('timestamptz', { nullable: true, default: () => "(clock_timestamp() + '00:00:01')" })
  next_check_at: Date | null;
}

/** That a customer had opted out whose dialog was erased: a new dialog of the customer begins opted out. */
@Entity('kept_opt_outs')
@ForeignKey(() => AccountEntity, ['account_id'], ['id'])
export class KeptOptOutEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  /** Of the number and the customer, by a key that is not in the database: it tells nothing of either. */
  @PrimaryColumn('bytea')
  mark: Buffer;

  @Column('timestamptz', { default: CLOCK })
  created_at: Date;
}
