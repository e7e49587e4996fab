import { Check, Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import { CLOCK } from '../database/column-defaults';

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
