import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The counter of a key with a raised limit: how many calls in each of the last 61 seconds. */
@Entity('rate_buckets')
export class RateBucketEntity {
  @PrimaryColumn('uuid')
  key_id: string;

  /** Which of the two counters. */
  @PrimaryColumn('text')
  scope: string;

  /** The last of these seconds, since 1970. */
  @Column('bigint')
  head: string;

  @Column('integer', { array: true })
  counts: number[];
}
