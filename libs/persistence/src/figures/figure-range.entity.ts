import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { FigureRangeKind, RangeCount } from './range-counts';

/**
 * What was counted of the stays or messages of a range of time, kept so that they need not be read again. Whoever changes
 * one of them forgets the range in the same transaction.
 */
@Entity('figure_ranges')
@Index('figure_ranges_due', ['account_id', 'assistant_id'], { where: 'counted IS NULL' })
export class FigureRangeEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  /** The agent, or of templates the bot. */
  @PrimaryColumn('uuid')
  subject_id: string;

  @PrimaryColumn('text')
  kind: FigureRangeKind;

  @PrimaryColumn('timestamptz')
  from_at: Date;

  /** Not part of it. */
  @PrimaryColumn('timestamptz')
  until_at: Date;

  /** The agent for which it is counted. */
  @Column('uuid')
  assistant_id: string;

  /** Null: it was forgotten, or is not counted yet. */
  @Column('json', { nullable: true })
  counted: RangeCount[FigureRangeKind] | null;
}
