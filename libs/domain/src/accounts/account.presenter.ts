import type { TakeoverEnd } from '@app/contracts/lead.words';
import type { OpeningHours } from '@app/contracts/scenario.words';
import type { AccountRow } from '@app/persistence/accounts/account.repository';

/** An account as admins see it. */
export interface Account {
  id: string;
  name: string;
  /** Recipients a calendar month; null is unlimited. */
  monthly_message_quota: number | null;
  quota_used: number;
  quota_reset_at: string;
  /** Bytes of files that it may store; null is unlimited. */
  media_quota_bytes: number | null;
  media_used_bytes: number;
  /** Neither scenarios nor agents write to customers. */
  automation_paused: boolean;
  /** Its people may do nothing before they have enabled a second factor. */
  second_factor_required: boolean;
  /** A dialog without activity for so many days is erased; null: none is. */
  retention_days: number | null;
  /** In which phones are read that do not say theirs; null: in that of the bot's number. */
  default_country: string | null;
  /** Whose clock its agents know: a name of the IANA database. */
  timezone: string;
  /** When it is open, by its clock; null: not set. */
  opening_hours: OpeningHours | null;
  /** What becomes of a customer who still waits when a takeover is over. */
  takeover_end: TakeoverEnd;
  /** Whether what its customers say in voice notes is written down. */
  transcription: boolean;
  /** A person who answers a dialog that is assigned to nobody becomes its assignee. */
  assign_on_reply: boolean;
  /** By which its customers opt out, beside those that everybody knows. */
  opt_out_words: string[];
  /** By which they opt in again. */
  opt_in_words: string[];
}

export function presentAccount(row: AccountRow): Account {
  const { id, name, monthly_message_quota, quota_used, quota_reset_at: resetAt, automation_paused } = row;
  return {
    ...{ id, name, monthly_message_quota, quota_used, quota_reset_at: resetAt.toISOString() },
    ...{ media_quota_bytes: row.media_quota_bytes, media_used_bytes: row.media_used_bytes },
    automation_paused,
    second_factor_required: row.second_factor_required,
    retention_days: row.retention_days,
    default_country: row.default_country,
    ...{ timezone: row.timezone, opening_hours: row.opening_hours },
    ...{ takeover_end: row.takeover_end, transcription: row.transcription },
    assign_on_reply: row.assign_on_reply,
    ...{ opt_out_words: row.opt_out_words, opt_in_words: row.opt_in_words },
  };
}
