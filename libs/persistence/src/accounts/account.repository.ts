import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { And, Equal, MoreThan, type Repository } from 'typeorm';
import { Entities } from '../database/entities.service';
import { AccountEntity } from './account.entity';
import type { Reach } from './reach.scope';

export type AccountRow = Omit<AccountEntity, 'created_at' | 'wake_at'>;

export interface AccountChange {
  name?: string;
  monthlyMessageQuota?: number | null;
  /** In bytes. */
  mediaQuotaBytes?: number | null;
  automationPaused?: boolean;
}

/** Accounts, for admins. */
@Injectable()
export class AccountRepository {
  constructor(
    @InjectRepository(AccountEntity) private readonly accounts: Repository<AccountEntity>,
    private readonly entities: Entities,
  ) {}

  /** In the order of their creation. */
  async list({ accountId }: Reach, afterId: string, limit: number): Promise<AccountRow[]> {
    const id = accountId === null ? MoreThan(afterId) : And(MoreThan(afterId), Equal(accountId));
    return this.entities.use(this.accounts, (accounts) =>
      accounts.find({ where: { id }, order: { id: 'ASC' }, take: limit }),
    );
  }

  async find(id: string): Promise<AccountRow | null> {
    return this.entities.use(this.accounts, (accounts) => accounts.findOneBy({ id }));
  }

  /** With its answer in one transaction, so that no account exists of which no one got the id. */
  async create(id: string, name: string, monthlyMessageQuota: number | null): Promise<AccountRow> {
    return this.entities.transact(async (manager) => {
      await manager.insert(AccountEntity, { id, name, monthly_message_quota: monthlyMessageQuota });
      return manager.findOneByOrFail(AccountEntity, { id });
    });
  }

  /** Changes the fields that are given. Does nothing when the account does not exist. */
  async change(id: string, change: AccountChange): Promise<void> {
    const given = {
      ...{ name: change.name, monthly_message_quota: change.monthlyMessageQuota },
      media_quota_bytes: change.mediaQuotaBytes,
      automation_paused: change.automationPaused,
      // What was held goes on.
      ...(change.automationPaused === false && { wake_at: () => 'clock_timestamp()' }),
    };
    if (Object.values(given).every((value) => value === undefined)) return;
    await this.entities.use(this.accounts, (accounts) => accounts.update({ id }, given));
  }
}
