import { Column, Entity, PrimaryColumn } from 'typeorm';
import { CLOCK } from '../database/column-defaults';

/**
 * What a process renews every second. It remembers what the database acknowledged, so where the row is gone or older than
 * that, the database went back.
 */
@Entity('process_heartbeats')
export class ProcessHeartbeatEntity {
  /** Of one process, from its start to its end. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('integer')
  beats: number;

  @Column('timestamptz', { default: CLOCK })
  at: Date;
}
