import { Check, Column, Entity, Index, PrimaryGeneratedColumn, PrimaryColumn, ForeignKey } from 'typeorm';
import { CLOCK } from '../database/column-defaults';
import { AccountEntity } from '../accounts/account.entity';

export type WebhookProvider = 'cloud' | 'gupshup';

/** A webhook as it came, stored before it is parsed. */
@Entity('webhook_deliveries')
@Check('webhook_deliveries_provider_check', `provider IN ('cloud', 'gupshup')`)
@Check('webhook_deliveries_state_check', `state IN ('due', 'done')`)
@Index('webhook_deliveries_done', ['received_at'], { where: "state = 'done'" })
@Index('webhook_deliveries_due', ['claim_group', 'due_at', 'id'], { where: "state = 'due'" })
export class WebhookDeliveryEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id: string;

  @Column('text')
  provider: WebhookProvider;

  /** The bot of the address; null where the body names the number. */
  @Column('uuid', { nullable: true })
  bot_id: string | null;

  /** Webhooks of one group share a part of each claim: the bot of the address, or the number that the body names. */
  @Column('text', { default: '' })
  claim_group: string;

  /**
   * The identities of the numbers by whose own app secret it is signed, and of which alone it may tell; null: it is
   * signed by an app of the installation, or came to the address of a bot.
   */
  @Column('text', { array: true, nullable: true })
  signed_for: string[] | null;

  @Column('bytea')
  body: Buffer;

  @Column('text', { default: 'due' })
  state: 'due' | 'done';

  /** Tries after which it was released. */
  @Column('integer', { default: 0 })
  attempts: number;

  @Column('timestamptz', { default: CLOCK })
  due_at: Date;

  /** The process that works on it. */
  @Column('uuid', { nullable: true })
  lease_token: string | null;

  @Column('timestamptz', { nullable: true })
  lease_until: Date | null;

  @Column('timestamptz', { default: CLOCK })
  received_at: Date;

  /** Of the call that brought it, as W3C `traceparent`. */
  @Column('text', { nullable: true })
  trace: string | null;
}

/** A part of a webhook that could not be understood, stored for inspection. */
@Entity('webhook_rejects')
@Index('webhook_rejects_age', ['created_at'])
@Index('webhook_rejects_delivery', ['delivery_id'])
@Index('webhook_rejects_once', { synchronize: false })
export class WebhookRejectEntity {
  @PrimaryColumn('uuid')
  id: string;

  /** Null where the account is unknown. */
  @Column('uuid', { nullable: true })
  account_id: string | null;

  @Column('text')
  provider: WebhookProvider;

  @Column('uuid', { nullable: true })
  bot_id: string | null;

  @Column('bigint')
  delivery_id: string;

  /** As its webhook was signed. */
  @Column('text', { array: true, nullable: true })
  signed_for: string[] | null;

  /** Its path in the body, such as `entry[0].changes[1].value.messages[3]`; empty for the whole. */
  @Column('text')
  path: string;

  @Column('text')
  reason: string;

  @Column('bytea')
  item: Buffer;

  @Column('timestamptz')
  received_at: Date;

  @Column('timestamptz', { default: CLOCK })
  created_at: Date;
}

/** By which a repeated report is recognised. */
@Entity('webhook_marks')
@ForeignKey(() => AccountEntity, ['account_id'], ['id'])
@Index('webhook_marks_age', ['created_at'])
export class WebhookMarkEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @PrimaryColumn('bytea')
  mark: Buffer;

  @Column('timestamptz', { default: CLOCK })
  created_at: Date;
}
