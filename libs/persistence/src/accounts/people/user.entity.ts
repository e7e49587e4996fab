import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { CLOCK, NUMBER } from '../../database/column-defaults';
import { AccountEntity } from '../account.entity';

/** A person who works in an account. */
@Entity('users')
@ForeignKey(() => AccountEntity, ['account_id'], ['id'])
@Check('users_locale_check', `locale IN ('ru', 'en')`)
@Check('users_role_check', `role IN ('operator', 'admin')`)
@Check('users_secret_with_key', '(second_factor_secret IS NULL) = (second_factor_key_id IS NULL)')
@Index('users_email', ['email_key'], { unique: true })
@Index('users_id', ['id'], { unique: true })
export class UserEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @PrimaryColumn('uuid')
  id: string;

  /** As it was written. */
  @Column('text')
  email: string;

  /** The form in which addresses are compared. */
  @Column('text')
  email_key: string;

  @Column('text')
  name: string;

  @Column('text')
  role: 'operator' | 'admin';

  /** The agents that an operator works with; null: all of the account. An admin sees all of them whatever it says. */
  @Column('uuid', { array: true, nullable: true })
  assistant_ids: string[] | null;

  @Column('text')
  locale: 'ru' | 'en';

  /** By argon2id; null: no invitation was accepted yet. */
  @Column('text', { nullable: true, select: false })
  password_hash: string | null;

  @Column('text', { nullable: true, select: false })
  second_factor_key_id: string | null;

  /** The sealed secret of the second factor, asked for at sign-in once it is enabled. */
  @Column('bytea', { nullable: true, select: false })
  second_factor_secret: Buffer | null;

  @Column('timestamptz', { nullable: true })
  second_factor_enabled_at: Date | null;

  /** The time step of the last code that was used: each is good once. */
  @Column('bigint', { nullable: true, transformer: NUMBER, select: false })
  second_factor_step: number | null;

  @Column('timestamptz', { nullable: true })
  disabled_at: Date | null;

  @Column('timestamptz', { default: CLOCK })
  created_at: Date;

  /** The last call by a session, to a minute. */
  @Column('timestamptz', { nullable: true })
  last_seen_at: Date | null;
}

/** The link by which a person sets a password: the newest one of each person, until it is used. */
@Entity('invitations')
@ForeignKey(() => UserEntity, ['account_id', 'user_id'], ['account_id', 'id'])
@Index('invitations_token', ['token_hash'], { unique: true })
export class InvitationEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @PrimaryColumn('uuid')
  user_id: string;

  /** SHA-256 of the token in the link. */
  @Column('bytea')
  token_hash: Buffer;

  @Column('timestamptz')
  expires_at: Date;
}

/** A code that stands in for the second factor, once. */
@Entity('recovery_codes')
@ForeignKey(() => UserEntity, ['account_id', 'user_id'], ['account_id', 'id'])
export class RecoveryCodeEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @PrimaryColumn('uuid')
  user_id: string;

  /** SHA-256 of the code, which has 120 random bits. */
  @PrimaryColumn('bytea')
  code_hash: Buffer;
}

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
