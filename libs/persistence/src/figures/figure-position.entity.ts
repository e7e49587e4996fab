import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How far the log of an agent's dialogs is counted for figures. Its row is locked while something is counted. */
@Entity('figure_positions')
export class FigurePositionEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @PrimaryColumn('uuid')
  assistant_id: string;

  /** Every event up to this number is counted, and none can become visible below it any more. */
  @Column('bigint', { default: 0 })
  seq: string;

  /** The number up to which events are counted next; null: none was chosen. */
  @Column('bigint', { nullable: true })
  next_seq: string | null;

  /** Once no transaction before this one is open, no event up to `next_seq` can become visible any more. */
  @Column('bigint', { nullable: true })
  next_xid: string | null;

  /** The stages of kind success by which `converted` was decided. */
  @Column('uuid', { array: true, default: [] })
  success_ids: string[];

  /** While `converted` is decided anew: the last dialog for which it is done. */
  @Column('uuid', { nullable: true })
  redone_to: string | null;
}
