import type { DeliveryAttempt, DeliveryState } from '@app/contracts/webhook.words';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { CLOCK } from '../database/column-defaults';
import { WebhookEndpointEntity } from './webhook-endpoint.entity';

/** Attempts of versions before have no reason. */
type KeptAttempt = Omit<DeliveryAttempt, 'reason'> & Partial<Pick<DeliveryAttempt, 'reason'>>;

/** An event on its way to an endpoint. What it says is read from the log whenever it is sent; no text is kept here. */
@Entity('endpoint_deliveries')
@ForeignKey(() => WebhookEndpointEntity, ['account_id', 'endpoint_id'], ['account_id', 'id'], {
  name: 'endpoint_deliveries_endpoint_fkey',
  onDelete: 'CASCADE',
})
@Check('endpoint_deliveries_state_check', `state IN ('pending', 'delivered', 'failed', 'skipped')`)
@Check('endpoint_deliveries_pending_is_due', `(state = 'pending') = (due_at IS NOT NULL)`)
@Index('endpoint_deliveries_event', ['account_id', 'endpoint_id', 'seq'], { unique: true })
@Index('endpoint_deliveries_state', ['account_id', 'endpoint_id', 'state', 'id'])
@Index('endpoint_deliveries_due', ['account_id', 'endpoint_id', 'due_at'], { where: `(state = 'pending')` })
@Index('endpoint_deliveries_line', ['account_id', 'endpoint_id', 'thread_id', 'seq'], {
  where: `(state = 'pending')`,
})
@Index('endpoint_deliveries_created', ['created_at'])
@Index('endpoint_deliveries_failed', ['failed_at'], { where: 'failed_at IS NOT NULL' })
export class EndpointDeliveryEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  /** Version 7: in the order in which deliveries were made. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid')
  endpoint_id: string;

  /** The event's number in the log; null: a test. */
  @Column('bigint', { nullable: true })
  seq: string | null;

  /** Of the event; all zeros: it is about no dialog, and waits for no other. */
  @Column('uuid')
  thread_id: string;

  /** As endpoints know it: `lead.created`. */
  @Column('text')
  type: string;

  /** The `webhook-id`. Follows from the event, so it is the same whenever and wherever the event is sent. */
  @Column('uuid')
  event_id: string;

  @Column('text')
  state: DeliveryState;

  /** When it is to be sent. One that waits for an earlier one of its dialog: until when, at most. */
  @Column('timestamptz', { nullable: true })
  due_at: Date | null;

  /** Waits for an earlier one of its dialog. */
  @Column('boolean', { default: false })
  waits: boolean;

  /** Sent again on request, and marked so. */
  @Column('boolean', { default: false })
  replayed: boolean;

  /** Attempts that count for the schedule of retries; a replay and a retry by hand begin anew. */
  @Column('integer', { default: 0 })
  tries: number;

  /** When it failed for good. One that is sent again since has none, or its state says so. */
  @Column('timestamptz', { nullable: true })
  failed_at: Date | null;

  /** All attempts, in order, the last 50 at most. */
  @Column('jsonb', { default: [] })
  attempts: KeptAttempt[];

  @Column('timestamptz', { default: CLOCK })
  created_at: Date;
}
