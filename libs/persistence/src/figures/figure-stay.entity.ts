import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * A lead's stay in a stage, from one move to the next: a row for each move in the log. It has nothing of the customer, and
 * stays when the customer is erased.
 */
@Entity('figure_stays')
@Index(
  'figure_stays_entered',
  ['account_id', 'assistant_id', 'entered_at', 'status_id', 'earlier_at', 'converted'],
  { where: 'counted' },
)
@Index('figure_stays_left', ['account_id', 'assistant_id', 'left_at', 'status_id', 'entered_at'], {
  where: 'left_at IS NOT NULL',
})
@Index('figure_stays_lasted', { synchronize: false })
@Index('figure_stays_returned', { synchronize: false })
export class FigureStayEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @PrimaryColumn('uuid')
  thread_id: string;

  /** The number of the event that began it; 0: it began before the first move that the log has. */
  @PrimaryColumn('bigint')
  seq: string;

  @Column('uuid')
  assistant_id: string;

  /** Null: no stage. */
  @Column('uuid', { nullable: true })
  status_id: string | null;

  @Column('timestamptz')
  entered_at: Date;

  @Column('timestamptz', { nullable: true })
  left_at: Date | null;

  /** Whether the log says that the lead entered. */
  @Column('boolean')
  counted: boolean;

  /** When the lead last entered the same stage before. */
  @Column('timestamptz', { nullable: true })
  earlier_at: Date | null;

  /** Whether the lead entered a stage of kind success later. */
  @Column('boolean', { default: false })
  converted: boolean;
}
