import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The window of a key with a raised limit, or of a person: how many calls had been counted by the end of each second. */
@Entity('rate_counters')
export class RateCounterEntity {
  @PrimaryColumn('uuid')
  key_id: string;

  /** Which counter of a key; `user` for a person. */
  @PrimaryColumn('text')
  scope: string;

  /** The second of the last call, since 1970. */
  @Column('bigint')
  head: string;

  /** By the end of 62 seconds, `head` being the last of them. */
  @Column('bigint', { array: true })
  sums: string[];
}
