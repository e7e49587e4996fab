import { Check, Column, Entity, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { CLOCK } from '../database/column.defaults';
import { isStateOf } from '../database/state.fragments';
import { SCENARIO_RUN_STATES, type ScenarioRunState } from './scenario-run.states';

/** A scenario that is to start for a lead. */
@Entity('scenario_runs')
@Check('scenario_runs_state_check', isStateOf(SCENARIO_RUN_STATES, 'state'))
@Index('scenario_runs_due', ['created_at'], { where: "state = 'due'" })
@Index('scenario_runs_once', ['account_id', 'thread_id', 'version', 'scenario_id'], { unique: true })
export class ScenarioRunEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id: string;

  @Column('uuid')
  thread_id: string;

  @Column('uuid')
  status_id: string;

  @Column('uuid')
  scenario_id: string;

  /** The dialog's version when its lead entered the stage. A scenario starts once for each entry. */
  @Column('bigint')
  version: string;

  @Column('text', { default: 'due' })
  state: ScenarioRunState;

  @Column('timestamptz', { default: CLOCK })
  created_at: Date;
}
