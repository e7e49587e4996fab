import type { StageKind } from '@app/contracts/stage.words';
import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { AccountEntity } from '../accounts/account.entity';
import { CLOCK } from '../database/column-defaults';

/** An agent of a business: its instructions, and what it may do with its leads. */
@Entity('assistants')
@ForeignKey(() => AccountEntity, ['account_id'], ['id'])
@Check(
  'assistants_auto_return_minutes_check',
  '(auto_return_minutes >= 1) AND (auto_return_minutes <= 10080)',
)
@Check(
  'assistants_barred_kinds_check',
  `barred_kinds <@ ARRAY['active', 'qualified', 'awaiting_payment', 'success', 'failure']`,
)
@Check('assistants_replies_per_hour_check', '(replies_per_hour >= 1) AND (replies_per_hour <= 1000)')
@Check(
  'assistants_reply_characters_max_check',
  '(reply_characters_max >= 1) AND (reply_characters_max <= 20000)',
)
@Check('assistants_reply_delay_ms_check', '(reply_delay_ms >= 0) AND (reply_delay_ms <= 600000)')
@Check('assistants_reply_parts_max_check', '(reply_parts_max >= 1) AND (reply_parts_max <= 10)')
export class AssistantEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  name: string;

  @Column('timestamptz', { default: CLOCK })
  created_at: Date;

  /** How long the agent is silent after an operator wrote. */
  @Column('integer', { default: 30 })
  auto_return_minutes: number;

  @Column('text', { default: '' })
  instructions: string;

  /** Null: the service's default. */
  @Column('text', { nullable: true })
  model: string | null;

  /** Fields of its requests to the model; null: those of the service alone. */
  @Column('jsonb', { nullable: true })
  model_options: object | null;

  /** Quiet time after the customer's last message; null: the service's default. */
  @Column('integer', { nullable: true })
  reply_delay_ms: number | null;

  @Column('integer', { default: 3 })
  reply_parts_max: number;

  @Column('integer', { default: 2000 })
  reply_characters_max: number;

  @Column('integer', { default: 60 })
  replies_per_hour: number;

  /** Kinds of stages into which the agent may not move a lead. */
  @Column('text', { array: true, default: [] })
  barred_kinds: StageKind[];

  /** What the customer reads when the agent hands over; null: the model's words. */
  @Column('text', { nullable: true })
  handover_text: string | null;

  /** Whether the model is shown customers' pictures. */
  @Column('boolean', { default: false })
  vision: boolean;
}
