import type { DisabledReason } from '@app/contracts/webhook.words';
import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
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
