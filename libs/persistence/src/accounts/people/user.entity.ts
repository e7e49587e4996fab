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
