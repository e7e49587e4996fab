import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { CLOCK } from '../database/column-defaults';
import { WebhookEndpointEntity } from './webhook-endpoint.entity';

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
