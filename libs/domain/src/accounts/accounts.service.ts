import { randomUUIDv7 } from 'node:crypto';
import type { TakeoverEnd } from '@app/contracts/lead.words';
import type { OpeningHours } from '@app/contracts/scenario.words';
import { NIL_ID } from '@app/contracts/uuid.format';
import {
  type AccountRow,
  AccountRepository,
  type AccountChange,
  type NewAccount,
} from '@app/persistence/accounts/account.repository';
import { tellBoardsOfHeldRuns } from '@app/persistence/events/event.statements';
import { Injectable } from '@nestjs/common';
import { Audit } from '../audit/audit.service';
import type { AuditedThing } from '../audit/audited-thing';
import { AccountNotFoundError, ForbiddenError } from './account.errors';
import { reachOf, requireConfirmed, type Principal, reaches } from './principal.rules';
import { untilEarlierPermitsAreVoid } from './void-permits';

const AUDITED_ACCOUNT: AuditedThing<AccountRow> = {
  type: 'account',
  subjectOf: ({ id, name }) => ({ accountId: id, id, name }),
  shown: [
    'name',
    'monthly_message_quota',
    'media_quota_bytes',
    'automation_paused',
    'second_factor_required',
    'retention_days',
    'default_country',
    'timezone',
    'opening_hours',
    'takeover_end',
    'transcription',
    'assign_on_reply',
    'opt_out_words',
    'opt_in_words',
  ],
};

/** An account as admins see it. */
interface Account {
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

function presentAccount(row: AccountRow): Account {
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

export type { AccountChange };

/** Accounts. Only an admin may use it. */
@Injectable()
export class AccountsService {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly audit: Audit,
  ) {}

  /** Accounts in the order of their creation. */
  async list(by: Principal, afterId: string | null, limit: number): Promise<Account[]> {
    const reach = reachOf(by);
    return (await this.accounts.list(reach, afterId ?? NIL_ID, limit)).map(presentAccount);
  }

  /** @throws AccountNotFoundError */
  async get(by: Principal, id: string): Promise<Account> {
    const account = reaches(reachOf(by), id) ? await this.accounts.find(id) : null;
    if (!account) throw new AccountNotFoundError();
    return presentAccount(account);
  }

  async create(by: Principal, given: NewAccount): Promise<Account> {
    reachOf(by);
    const made = await this.audit.change(by, 'account.create', AUDITED_ACCOUNT, (entryOf) =>
      this.accounts.create(randomUUIDv7(), given, entryOf),
    );
    return presentAccount(made);
  }

  /** The account of a name, made where there is none. Of several, the oldest. */
  async findOrCreate(by: Principal, name: string): Promise<{ accountId: string; isNew: boolean }> {
    const found = await this.accounts.findByName(name);
    if (found) return { accountId: found.id, isNew: false };
    return { accountId: (await this.create(by, { name })).id, isNew: true };
  }

  /**
   * Changes the fields that are given. Once it has paused the automation, nothing that scenarios or agents send begins.
   * @throws AccountNotFoundError, ForbiddenError for an admin of the account who names a quota, or ConfirmRequiredError
   */
  async change(by: Principal, id: string, change: AccountChange): Promise<Account> {
    const reach = reachOf(by);
    if (reach.accountId !== null && namesQuota(change)) throw ForbiddenError.ofPerson(null);
    if (isGrave(change)) requireConfirmed(by);
    if (reaches(reach, id)) {
      await this.audit.change(by, 'account.update', AUDITED_ACCOUNT, (entryOf) =>
        this.accounts.change(id, change, entryOf, tellBoardsOfHeldRuns),
      );
    }
    const account = await this.get(by, id);
    if (change.automationPaused) await untilEarlierPermitsAreVoid();
    return account;
  }
}

/** It may erase dialogs, or weaken or demand what people sign in with. An emergency stop must not wait for a password. */
const isGrave = ({ retentionDays, secondFactorRequired }: AccountChange): boolean =>
  retentionDays !== undefined || secondFactorRequired !== undefined;

/** Quotas are the installation's to set: an account's admin changes neither. */
const namesQuota = ({ monthlyMessageQuota, mediaQuotaBytes }: AccountChange): boolean =>
  monthlyMessageQuota !== undefined || mediaQuotaBytes !== undefined;
