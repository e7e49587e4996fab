import type { TakeoverEnd } from '@app/contracts/lead.words';
import type { OpeningHours } from '@app/contracts/scenario.words';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { And, Equal, MoreThan, type EntityManager, type Repository } from 'typeorm';
import { AuditRepository, type AuditEntryOf, type Changed } from '../audit/audit.repository';
import { Entities } from '../database/entities.service';
import { AccountEntity } from './account.entity';
import { ownerOf, type Reach } from './reach-scope';

export type AccountRow = Omit<AccountEntity, 'created_at' | 'wake_at' | 'erased_before' | 'erasing_until'>;

export interface AccountChange {
  name?: string;
  monthlyMessageQuota?: number | null;
  /** In bytes. */
  mediaQuotaBytes?: number | null;
  automationPaused?: boolean;
  secondFactorRequired?: boolean;
  retentionDays?: number | null;
  /** ISO 3166. */
  defaultCountry?: string | null;
  timezone?: string;
  openingHours?: OpeningHours | null;
  takeoverEnd?: TakeoverEnd;
  transcription?: boolean;
  assignOnReply?: boolean;
  optOutWords?: string[];
  optInWords?: string[];
}

export type NewAccount = AccountChange & { name: string };

/** Tells boards, within the change, that all automation is paused or goes on. Events are beside accounts, which do not know them. */
type HeldRunsNotice = (manager: EntityManager, accountId: string, assistantId: null) => Promise<void>;

/** Accounts, for admins. */
@Injectable()
export class AccountRepository {
  constructor(
    @InjectRepository(AccountEntity) private readonly accounts: Repository<AccountEntity>,
    private readonly entities: Entities,
    private readonly audit: AuditRepository,
  ) {}

  /** In the order of their creation. */
  async list({ accountId }: Reach, afterId: string, limit: number): Promise<AccountRow[]> {
    const id = accountId === null ? MoreThan(afterId) : And(MoreThan(afterId), Equal(accountId));
    return this.entities.useFor(ownerOf({ accountId }), this.accounts, (accounts) =>
      accounts.find({ where: { id }, order: { id: 'ASC' }, take: limit }),
    );
  }

  async find(id: string): Promise<AccountRow | null> {
    return this.entities.useFor(id, this.accounts, (accounts) => accounts.findOneBy({ id }));
  }

  /** The oldest account of a name. */
  async findByName(name: string): Promise<AccountRow | null> {
    return this.entities.useFor(ownerOf({ accountId: null }), this.accounts, (accounts) =>
      accounts.findOne({ where: { name }, order: { id: 'ASC' } }),
    );
  }

  /** With its answer in one transaction, so that no account exists of which no one got the id. */
  async create(
    id: string,
    given: NewAccount,
    entryOf: AuditEntryOf<Changed<AccountRow>>,
  ): Promise<AccountRow> {
    return this.entities.transactFor(ownerOf({ accountId: null }), async (manager) => {
      await manager.insert(AccountEntity, { id, ...columnsOf(given) });
      const after = await manager.findOneByOrFail(AccountEntity, { id });
      await this.audit.append(manager, entryOf({ before: null, after }));
      return after;
    });
  }

  /** Changes the fields that are given. Does nothing when the account does not exist. */
  async change(
    id: string,
    change: AccountChange,
    entryOf: AuditEntryOf<Changed<AccountRow>>,
    tellHeldRuns: HeldRunsNotice,
  ): Promise<void> {
    const given = {
      ...columnsOf(change),
      // What was held goes on.
      ...(change.automationPaused === false && { wake_at: () => 'clock_timestamp()' }),
    };
    if (Object.values(given).every((value) => value === undefined)) return;
    await this.entities.transactFor(id, async (manager) => {
      const lock = { mode: 'for_no_key_update' } as const;
      if (!(await manager.findOne(AccountEntity, { select: { id: true }, where: { id }, lock }))) return;
      const before = await manager.findOneByOrFail(AccountEntity, { id });
      await manager.update(AccountEntity, { id }, given);
      const after = await manager.findOneByOrFail(AccountEntity, { id });
      if (before.automation_paused !== after.automation_paused) await tellHeldRuns(manager, id, null);
      await this.audit.append(manager, entryOf({ before, after }));
    });
  }
}

const columnsOf = (given: AccountChange) => ({
  ...{ name: given.name, monthly_message_quota: given.monthlyMessageQuota },
  media_quota_bytes: given.mediaQuotaBytes,
  automation_paused: given.automationPaused,
  second_factor_required: given.secondFactorRequired,
  retention_days: given.retentionDays,
  default_country: given.defaultCountry,
  timezone: given.timezone,
  opening_hours: given.openingHours,
  takeover_end: given.takeoverEnd,
  transcription: given.transcription,
  assign_on_reply: given.assignOnReply,
  opt_out_words: given.optOutWords,
  opt_in_words: given.optInWords,
});
