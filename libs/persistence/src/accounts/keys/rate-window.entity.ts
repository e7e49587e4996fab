import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The times of the calls that still count against one limit of a key, and when it had a board open. */
@Entity('rate_windows')
export class RateWindowEntity {
  @PrimaryColumn('uuid')
  key_id: string;

  /** Which of the two counters; `board` for the last time that it was seen with a board, which no limit counts. */
  @PrimaryColumn('text')
  scope: string;

  @Column('timestamptz', { array: true })
  hits: Date[];
}
