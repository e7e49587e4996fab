import type { WebhookProvider } from './webhook-delivery.entity';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { CLOCK } from '../database/column-defaults';

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
