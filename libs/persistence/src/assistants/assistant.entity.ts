import type { StageKind, StageRule } from '@app/contracts/stage.words';
import type { Actor } from '@app/contracts/lead.words';
import type { ToolFact, ToolMethod } from '@app/contracts/tool.words';
import { Check, Column, Entity, ForeignKey, PrimaryColumn, Index } from 'typeorm';
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

/**
 * A stage of an agent's funnel. Stages are archived, never deleted, because leads are in them and histories name
 * them.
 */
@Entity('statuses')
@ForeignKey(() => AssistantEntity, ['account_id', 'assistant_id'], ['account_id', 'id'])
@Check('statuses_kind_check', `kind IN ('active', 'qualified', 'awaiting_payment', 'success', 'failure')`)
@Check('statuses_on_enter_check', `on_enter IN ('ai', 'operator')`)
@Index('statuses_funnel', ['account_id', 'assistant_id', 'order', 'id'])
@Index('statuses_emptying', ['account_id', 'id'], { where: 'emptying_until IS NOT NULL' })
export class StageEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid')
  assistant_id: string;

  @Column('text')
  name: string;

  /** The form in which names are compared. */
  @Column('text')
  name_folded: string;

  @Column('text')
  kind: StageKind;

  @Column('integer')
  order: number;

  @Column('text', { nullable: true })
  description: string | null;

  /** Whether the agent may answer a lead in this stage. */
  @Column('boolean', { default: true })
  ai_enabled: boolean;

  /** Whether the agent must leave a lead in this stage. */
  @Column('boolean', { default: false })
  ai_transition_locked: boolean;

  @Column('timestamptz', { nullable: true })
  archived_at: Date | null;

  /** Where leads go that stand in the archived stage; null: they have no stage then. */
  @Column('uuid', { nullable: true })
  moved_to: string | null;

  /** Who archived it, by which call. */
  @Column('jsonb', { nullable: true })
  archived_by: { actor: Actor; request_id: string | null } | null;

  /**
   * Until when a lead may still come to stand in the archived stage, by a statement that began before. Null: not
   * archived, or nobody can stand there any more.
   */
  @Column('timestamptz', { nullable: true })
  emptying_until: Date | null;

  /** Who gets every lead that enters it; null: the rule does not exist. */
  @Column('text', { nullable: true })
  on_enter: StageRule | null;

  /** Some scenario of the stage is on. Kept by whoever changes scenarios; moves into other stages take a shorter way. */
  @Column('boolean', { default: false })
  starts_runs: boolean;
}

export type JsonSchema = Readonly<Record<string, unknown>>;

/** A tool that an agent may call besides the built-in ones. */
@Entity('assistant_tools')
@ForeignKey(() => AssistantEntity, ['account_id', 'assistant_id'], ['account_id', 'id'])
@Check('assistant_tools_headers_with_key', '(headers IS NULL) = (headers_key_id IS NULL)')
@Check('assistant_tools_method_check', `method IN ('GET', 'POST', 'PUT', 'PATCH', 'DELETE')`)
@Check('assistant_tools_name_check', `name ~ '^[a-z_][a-z0-9_]{0,63}$'`)
@Check('assistant_tools_timeout_ms_check', '(timeout_ms >= 1000) AND (timeout_ms <= 30000)')
@Index('assistant_tools_name', ['account_id', 'assistant_id', 'name'], { unique: true })
export class AssistantToolEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid')
  assistant_id: string;

  @Column('text')
  name: string;

  @Column('text')
  description: string;

  @Column('text')
  method: ToolMethod;

  @Column('text')
  url: string;

  /**
   * The schema of the arguments that the model gives, with its fields in the given order: a model reads them in that
   * order.
   */
  @Column('json')
  parameters: JsonSchema;

  /** Arguments that the service fills in, by their names. */
  @Column('jsonb')
  auto_fill: Readonly<Record<string, ToolFact>>;

  @Column('text', { array: true })
  header_names: string[];

  @Column('text', { nullable: true })
  headers_key_id: string | null;

  /** Names and values as one sealed text; null: no headers. */
  @Column('bytea', { nullable: true })
  headers: Buffer | null;

  @Column('integer')
  timeout_ms: number;

  @Column('boolean')
  enabled: boolean;

  @Column('timestamptz', { default: CLOCK })
  created_at: Date;
}
