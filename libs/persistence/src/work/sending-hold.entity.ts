import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import { CLOCK } from '../database/column-defaults';

/**
 * The hold on all that acts on the outside, of the whole installation. There is a row as long as it is held. A restore puts
 * it there, and a person ends it.
 */
@Entity('sending_holds')
@Check('sending_holds_one', 'id = 1')
export class SendingHoldEntity {
  /** Always 1. */
  @PrimaryColumn('integer')
  id: number;

  @Column('timestamptz', { default: CLOCK })
  held_since: Date;

  /** How old the restored data is: when the backup began to read. */
  @Column('timestamptz')
  backup_at: Date;
}
