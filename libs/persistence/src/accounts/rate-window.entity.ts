import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The times of the calls that still count against one limit of a key. */
@Entity('rate_windows')
export class RateWindowEntity {
  @PrimaryColumn('uuid')
  key_id: string;

  /** Which of the two counters. */
  @PrimaryColumn('text')
  scope: string;

  @Column('timestamptz', { array: true })
  hits: Date[];
}
