import { Column, Entity, PrimaryColumn, Check } from 'typeorm';
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

/** Why sending is held. */
export const HOLD_REASONS = ['database_restored', 'database_went_back'] as const;

/**
 * The hold on all that acts on the outside, of the whole installation. There is a row as long as it is held. A restore puts
 * it there, or a process that notices that the database went back; a person ends it.
 */
@Entity('sending_holds')
@Check('sending_holds_one', 'id = 1')
export class SendingHoldEntity {
  /** Always 1. */
  @PrimaryColumn('integer')
  id: number;

  @Column('timestamptz', { default: CLOCK })
  held_since: Date;

  /** How old the data is: when the backup began to read, or the last known heartbeat of the database that went back. */
  @Column('timestamptz')
  backup_at: Date;

  /** One of {@link HOLD_REASONS}. */
  @Column('text', { default: 'database_restored' })
  reason: string;
}
