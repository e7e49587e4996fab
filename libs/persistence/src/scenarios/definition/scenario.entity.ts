import type { Actor } from '@app/contracts/lead.words';
import {
  ON_LEAVE,
  ON_REPLY,
  ON_TAKEOVER,
  REENTRY,
  SCENARIO_STATES,
  type OnLeave,
  type OnReply,
  type OnTakeover,
  type Reentry,
  type ScenarioState,
  type SendHours,
  type StoredStep,
} from '@app/contracts/scenario.words';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { StageEntity } from '../../assistants/assistant.entity';
import { CLOCK } from '../../database/column-defaults';
import { listed } from '../../database/sql.statements';

/** What happens to a lead that enters a stage: steps in order. The steps are in its revisions. */
@Entity('scenarios')
@ForeignKey(() => StageEntity, ['account_id', 'status_id'], ['account_id', 'id'])
@Check('scenarios_state_check', `state IN (${listed(SCENARIO_STATES)})`)
@Check('scenarios_on_leave_check', `on_leave IN (${listed(ON_LEAVE)})`)
@Check('scenarios_on_reply_check', `on_reply IN (${listed(ON_REPLY)})`)
@Check('scenarios_on_takeover_check', `on_takeover IN (${listed(ON_TAKEOVER)})`)
@Check('scenarios_reentry_check', `reentry IN (${listed(REENTRY)})`)
@Index('scenarios_wakes', ['wake_at'], { where: 'wake_at IS NOT NULL' })
@Index('scenarios_status', ['account_id', 'status_id', 'order', 'id'], { where: 'archived_at IS NULL' })
export class ScenarioEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid')
  assistant_id: string;

  @Column('uuid')
  status_id: string;

  @Column('text')
  name: string;

  /** Always false, and read by nobody. A later version drops it. */
  @Column('boolean', { default: false })
  enabled: boolean;

  @Column('text', { default: 'on' })
  state: ScenarioState;

  /** Its place among the scenarios of its stage. */
  @Column('integer', { default: 1 })
  order: number;

  @Column('text', { default: 'cancel' })
  on_leave: OnLeave;

  @Column('text', { default: 'continue' })
  on_reply: OnReply;

  @Column('text', { default: 'wait' })
  on_takeover: OnTakeover;

  @Column('text', { default: 'restart' })
  reentry: Reentry;

  /** Between the beginnings of two of its runs in one dialog. */
  @Column('integer', { default: 0 })
  cooldown_seconds: number;

  /** Null: at any hour. */
  @Column('jsonb', { nullable: true })
  send_hours: SendHours | null;

  /** The revision whose steps new runs take. */
  @Column('integer', { default: 1 })
  revision: number;

  /** Runs that began before are cancelled. */
  @Column('timestamptz', { nullable: true })
  cancel_before: Date | null;

  @Column('timestamptz', { nullable: true })
  archived_at: Date | null;

  /** Who last cancelled its runs or archived it, by which call. */
  @Column('jsonb', { nullable: true })
  stopped_by: { actor: Actor; request_id: string | null } | null;

  /** It changed, and the dialogs of its open runs are looked at from then on; null: all were. */
  @Column('timestamptz', { nullable: true })
  wake_at: Date | null;

  @Column('timestamptz', { default: CLOCK })
  created_at: Date;

  @Column('timestamptz', { default: CLOCK })
  updated_at: Date;
}

/** The steps of a scenario as they were at one time. It never changes, so a run keeps the steps it began with. */
@Entity('scenario_revisions')
@ForeignKey(() => ScenarioEntity, ['account_id', 'scenario_id'], ['account_id', 'id'], {
  name: 'scenario_revisions_scenario_fkey',
})
export class ScenarioRevisionEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @PrimaryColumn('uuid')
  scenario_id: string;

  @PrimaryColumn('integer')
  revision: number;

  @Column('jsonb')
  steps: StoredStep[];

  @Column('timestamptz', { default: CLOCK })
  created_at: Date;
}

/** The secrets by which a scenario's calls are signed, as one sealed text. */
@Entity('scenario_secrets')
@ForeignKey(() => ScenarioEntity, ['account_id', 'scenario_id'], ['account_id', 'id'], {
  name: 'scenario_secrets_scenario_fkey',
})
export class ScenarioSecretEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @PrimaryColumn('uuid')
  scenario_id: string;

  /** The key that sealed it. */
  @Column('text')
  key_id: string;

  @Column('bytea')
  sealed: Buffer;
}
