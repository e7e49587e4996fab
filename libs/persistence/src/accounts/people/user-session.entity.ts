import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { CLOCK } from '../../database/column-defaults';
import { UserEntity } from './user.entity';

/** A session of a person who has signed in. Ended ones are kept a while: they tell from where a person works. */
@Entity('user_sessions')
@ForeignKey(() => UserEntity, ['account_id', 'user_id'], ['account_id', 'id'])
@Index('user_sessions_age', ['created_at'])
@Index('user_sessions_token', ['token_hash'], { unique: true })
@Index('user_sessions_user', ['account_id', 'user_id'])
export class UserSessionEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid')
  user_id: string;

  /** SHA-256 of the session's id in the cookie, which is not stored. */
  @Column('bytea', { select: false })
  token_hash: Buffer;

  /** The network of the address, as tries to sign in are counted by it. */
  @Column('text')
  network: string;

  @Column('text')
  ip: string;

  @Column('text')
  user_agent: string;

  @Column('timestamptz', { default: CLOCK })
  created_at: Date;

  /** The last call, to a minute. */
  @Column('timestamptz', { default: CLOCK })
  last_seen_at: Date;

  /** When the password was last given again. */
  @Column('timestamptz', { nullable: true })
  confirmed_at: Date | null;

  @Column('timestamptz', { nullable: true })
  ended_at: Date | null;
}
