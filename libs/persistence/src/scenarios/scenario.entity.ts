import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { StageEntity } from '../assistants/stage.entity';

/** A sequence of messages that starts when a lead enters a stage. */
@Entity('scenarios')
@ForeignKey(() => StageEntity, ['account_id', 'status_id'], ['account_id', 'id'])
@Index('scenarios_status', ['account_id', 'status_id'], { where: 'enabled' })
export class ScenarioEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid')
  status_id: string;

  @Column('text')
  name: string;

  @Column('boolean', { default: true })
  enabled: boolean;
}
