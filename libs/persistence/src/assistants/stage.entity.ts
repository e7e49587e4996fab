import type { Actor } from '@app/contracts/lead.words';
import type { StageKind, StageRule } from '@app/contracts/stage.words';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { AssistantEntity } from './assistant.entity';

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
