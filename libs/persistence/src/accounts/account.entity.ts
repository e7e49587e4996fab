import type { TakeoverEnd } from '@app/contracts/lead.words';
import type { OpeningHours } from '@app/contracts/scenario.words';
import { Check, Column, Entity, Index, PrimaryColumn, VirtualColumn, ForeignKey } from 'typeorm';
import { CLOCK, NUMBER } from '../database/column-defaults';

const MONTH = `date_trunc('month', clock_timestamp() AT TIME ZONE 'UTC')`;

/** A business that uses the service. Everything that belongs to it carries its id. */
@Entity('accounts')
@Check('accounts_default_country_check', `default_country ~ '^[A-Z]{2}$'`)
@Check('accounts_media_quota_bytes_check', 'media_quota_bytes >= 0')
@Check('accounts_retention_days_check', 'retention_days > 0')
@Check('accounts_takeover_end_check', `takeover_end IN ('ask', 'answer', 'keep')`)
@Check('accounts_monthly_message_quota_check', 'monthly_message_quota >= 0')
@Index('accounts_wakes', ['wake_at'], { where: 'wake_at IS NOT NULL' })
export class AccountEntity {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  name: string;

  /** Recipients in a calendar month; null: unlimited. */
  @Column('integer', { nullable: true })
  monthly_message_quota: number | null;

  @Column('timestamptz', { default: CLOCK })
  created_at: Date;

  /** Neither scenarios nor agents write to customers. */
  @Column('boolean', { default: false })
  automation_paused: boolean;

  /** Its people sign in with a second factor. */
  @Column('boolean', { default: false })
  second_factor_required: boolean;

  /** Its automation was resumed, and its dialogs with runs are looked at from then on; null: all were. */
  @Column('timestamptz', { nullable: true })
  wake_at: Date | null;

  /** How many bytes of files it may store; null: unlimited. */
  @Column('bigint', { nullable: true, transformer: NUMBER })
  media_quota_bytes: number | null;

  /** A dialog without activity for so many days is erased; null: none is. */
  @Column('integer', { nullable: true })
  retention_days: number | null;

  /**
   * Dialogs whose last activity was earlier are erased, but for those that are put off, and those that came later with a
   * history of before.
   */
  @Column('timestamptz', { nullable: true })
  erased_before: Date | null;

  /** Until then a process erases dialogs of it; in the past: when it was served last. */
  @Column('timestamptz', { nullable: true })
  erasing_until: Date | null;

  /** In which phones are read that do not say theirs; null: in that of the bot's number. ISO 3166. */
  @Column('text', { nullable: true })
  default_country: string | null;

  /** Whose clock its agents know. A name of the IANA database. */
  @Column('text', { default: 'UTC' })
  timezone: string;

  /** When it is open, by its clock, which its agents know; null: not set. */
  @Column('jsonb', { nullable: true })
  opening_hours: OpeningHours | null;

  /** What becomes of a customer who still waits when a takeover is over. */
  @Column('text', { default: 'ask' })
  takeover_end: TakeoverEnd;

  /** Whether what its customers say in voice notes is written down, where the installation has a model for it. */
  @Column('boolean', { default: true })
  transcription: boolean;

  /** A person who answers a dialog that is assigned to nobody becomes its assignee. */
  @Column('boolean', { default: true })
  assign_on_reply: boolean;

  /** By which its customers opt out, beside those that everybody knows. */
  @Column('text', { array: true, default: () => `'{}'` })
  opt_out_words: string[];

  /** By which they opt in again. */
  @Column('text', { array: true, default: () => `'{}'` })
  opt_in_words: string[];

  /** Bytes of files that it stores. */
  @VirtualColumn('float8', {
    query: (account) =>
      `coalesce((SELECT m.bytes::float8 FROM media_usage m WHERE m.account_id = ${account}.id), 0)`,
  })
  media_used_bytes: number;

  /** Recipients of this calendar month, in UTC. */
  @VirtualColumn('integer', {
    query: (account) =>
      `coalesce((SELECT u.used FROM quota_usage u WHERE u.account_id = ${account}.id AND u.month = ${MONTH}::date), 0)`,
  })
  quota_used: number;

  /** The beginning of the next calendar month. */
  @VirtualColumn('timestamptz', {
    query: () => `(${MONTH} + interval '1 month') AT TIME ZONE 'UTC'`,
  })
  quota_reset_at: Date;
}

/** How many recipients an account has written to in a calendar month. */
@Entity('quota_usage')
@ForeignKey(() => AccountEntity, ['account_id'], ['id'])
@Check('quota_usage_used_check', 'used >= 0')
@Check('quota_usage_told_percent_check', 'told_percent IN (0, 80, 100)')
export class QuotaUsageEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  /** Its first day, in UTC. */
  @PrimaryColumn('date')
  month: string;

  @Column('integer')
  used: number;

  /** The highest mark of the quota that was told, in percent; 0: none. */
  @Column('integer', { default: 0 })
  told_percent: number;
}

/**
 * Whether the automation of an account is paused, as far as the statement's snapshot tells: it may be older than a lock
 * that the statement waited for. A permit that it grants by then is void for its holder.
 */
export const automationIsPaused = (account: string): string =>
  `EXISTS (SELECT 1 FROM accounts o WHERE o.id = ${account} AND o.automation_paused)`;
