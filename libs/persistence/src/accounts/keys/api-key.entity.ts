import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, VirtualColumn } from 'typeorm';
import { AccountEntity } from '../account.entity';
import { CLOCK } from '../../database/column-defaults';

/** A key with which a business's programs, or an admin, call the service. */
@Entity('api_keys')
@ForeignKey(() => AccountEntity, ['account_id'], ['id'])
@Check('api_keys_admin_has_no_account', `(account_id IS NULL) = (scopes = ARRAY['admin'])`)
@Check('api_keys_limit_general_check', 'limit_general > 0')
@Check('api_keys_limit_leads_check', 'limit_leads > 0')
@Check('api_keys_old_key_check', '(old_key_hash IS NULL) = (old_key_expires_at IS NULL)')
@Index('api_keys_account', ['account_id', 'id'])
@Index('api_keys_hash', ['key_hash'], { unique: true })
@Index('api_keys_old_hash', ['old_key_hash'], { unique: true, where: 'old_key_hash IS NOT NULL' })
export class ApiKeyEntity {
  /** Null: an admin's key. */
  @Column('uuid', { nullable: true })
  account_id: string | null;

  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  name: string;

  /** The beginning of the key, by which people recognise it. */
  @Column('text')
  prefix: string;

  /** SHA-256 of the key. The key itself is not stored. */
  @Column('bytea', { select: false })
  key_hash: Buffer;

  /** Of the secret before the last rotation. */
  @Column('bytea', { select: false, nullable: true })
  old_key_hash: Buffer | null;

  /** Until then the old secret is good too. */
  @Column('timestamptz', { select: false, nullable: true })
  old_key_expires_at: Date | null;

  @Column('text', { array: true })
  scopes: string[];

  /** The parts of its account that it may use. */
  @Column('uuid', { array: true, default: [] })
  bot_ids: string[];

  @Column('uuid', { array: true, default: [] })
  assistant_ids: string[];

  /** Calls a minute for this key; null: the default limit. */
  @Column('integer', { nullable: true })
  limit_leads: number | null;

  /** Likewise. */
  @Column('integer', { nullable: true })
  limit_general: number | null;

  @Column('timestamptz', { nullable: true })
  expires_at: Date | null;

  @Column('timestamptz', { nullable: true })
  revoked_at: Date | null;

  @Column('timestamptz', { default: CLOCK })
  created_at: Date;

  /** The last accepted call or board connection, the latter to a minute. Refused calls leave no trace. */
  @VirtualColumn('timestamptz', {
    query: (key) => `
      SELECT max(u.at) FROM (
        SELECT w.hits[cardinality(w.hits)] AS at FROM rate_windows w WHERE w.key_id = ${key}.id
        UNION ALL SELECT to_timestamp(b.head) FROM rate_counters b WHERE b.key_id = ${key}.id) u`,
  })
  last_used_at: Date | null;
}

/** A key that is neither revoked nor expired, as its calls and its open sockets need it. */
export type ActiveKey = Pick<
  ApiKeyEntity,
  'id' | 'name' | 'account_id' | 'scopes' | 'bot_ids' | 'assistant_ids'
>;

/** The columns of {@link ActiveKey}, of `api_keys k`. */
export const ACTIVE_KEY_COLUMNS = 'k.id, k.name, k.account_id, k.scopes, k.bot_ids, k.assistant_ids';

/** Whether `api_keys k` is one. */
export const IS_ACTIVE_KEY =
  'k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > clock_timestamp())';

/** A key has one secret, and for a while after a rotation the one before it too. */
export type Secret = 'present' | 'old';

/** Whether a hash, an expression, is that of a good secret of `api_keys k`. */
export const SECRET_IS: Record<Secret, (hash: string) => string> = {
  present: (hash) => `k.key_hash = ${hash}`,
  old: (hash) => `k.old_key_hash = ${hash} AND k.old_key_expires_at > clock_timestamp()`,
};

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
