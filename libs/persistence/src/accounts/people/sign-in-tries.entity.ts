import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** When somebody tried to sign in, by an address, a network, or both. */
@Entity('sign_in_tries')
@Index('sign_in_tries_age', ['last_at'])
export class SignInTriesEntity {
  /** SHA-256 of what is counted. */
  @PrimaryColumn('bytea')
  subject: Buffer;

  /** Those that still count, oldest first. */
  @Column('timestamptz', { array: true })
  tries: Date[];

  @Column('timestamptz')
  last_at: Date;
}
