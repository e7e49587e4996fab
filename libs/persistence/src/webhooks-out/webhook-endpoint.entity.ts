import type { DisabledReason, DeliveryAttempt, DeliveryState } from '@app/contracts/webhook.words';
import { Check, Column, Entity, ForeignKey, PrimaryColumn, Index } from 'typeorm';
import { AccountEntity } from '../accounts/account.entity';
import { CLOCK } from '../database/column-defaults';

/** An address of an account to which events go out. */
@Entity('webhook_endpoints')
@ForeignKey(() => AccountEntity, ['account_id'], ['id'], { name: 'webhook_endpoints_account_id_fkey' })
@Check('webhook_endpoints_disabled_reason_check', `disabled_reason IN ('admin', 'gone', 'failing')`)
@Check('webhook_endpoints_disabled_with_reason', '(disabled_at IS NULL) = (disabled_reason IS NULL)')
@Check(
  'webhook_endpoints_former_whole',
  '(former_secret IS NULL) = (former_key_id IS NULL) AND (former_secret IS NULL) = (former_until IS NULL)',
)
@Check('webhook_endpoints_max_per_second_check', '(max_per_second >= 1) AND (max_per_second <= 500)')
export class WebhookEndpointEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  url: string;

  /** Types of events, or `*` alone. */
  @Column('text', { array: true })
  events: string[];

  /** Only events of these agents, and none that is about no agent; null: of all. */
  @Column('uuid', { array: true, nullable: true })
  assistant_ids: string[] | null;

  @Column('integer', { nullable: true })
  max_per_second: number | null;

  @Column('text', { default: '' })
  description: string;

  @Column('timestamptz', { nullable: true })
  disabled_at: Date | null;

  @Column('text', { nullable: true })
  disabled_reason: DisabledReason | null;

  /** The key that sealed the secret. */
  @Column('text')
  key_id: string;

  @Column('bytea')
  secret: Buffer;

  @Column('text', { nullable: true })
  former_key_id: string | null;

  /** The secret before the present one, which signs as well until its end. */
  @Column('bytea', { nullable: true })
  former_secret: Buffer | null;

  @Column('timestamptz', { nullable: true })
  former_until: Date | null;

  @Column('timestamptz', { default: CLOCK })
  created_at: Date;
}

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

/**
 * How far an endpoint has read its account's log, and how it fares. One process at a time serves it. The row is there while the
 * endpoint is enabled.
 */
@Entity('endpoint_queues')
@ForeignKey(() => WebhookEndpointEntity, ['account_id', 'endpoint_id'], ['account_id', 'id'], {
  name: 'endpoint_queues_endpoint_fkey',
  onDelete: 'CASCADE',
})
export class EndpointQueueEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @PrimaryColumn('uuid')
  endpoint_id: string;

  /** Events before this time were not meant for it. */
  @Column('timestamptz', { default: CLOCK })
  events_since: Date;

  /** Every event up to this number is taken over, and none can become visible below it any more. */
  @Column('bigint', { default: 0 })
  seq: string;

  /** When its next delivery is due; null: none is pending. */
  @Column('timestamptz', { nullable: true })
  due_at: Date | null;

  @Column('uuid', { nullable: true })
  lease_token: string | null;

  @Column('timestamptz', { nullable: true })
  lease_until: Date | null;

  /** How many attempts have failed in a row. */
  @Column('integer', { default: 0 })
  failures: number;

  /** When an attempt last passed; at first, when the endpoint was enabled. */
  @Column('timestamptz', { default: CLOCK })
  passed_at: Date;
}
