import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { ScenarioEntity } from './scenario.entity';

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
