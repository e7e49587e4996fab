import type { StoredStep } from '@app/contracts/scenario.words';
import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { CLOCK } from '../../database/column-defaults';
import { ScenarioEntity } from './scenario.entity';

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
