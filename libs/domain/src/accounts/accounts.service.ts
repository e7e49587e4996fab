import { randomUUIDv7 } from 'node:crypto';
import { isUuid } from '@app/contracts/thread-id.format';
import {
  AccountRepository,
  type AccountChange,
  type AccountRow,
} from '@app/persistence/accounts/account.repository';
import { Injectable } from '@nestjs/common';
import { AccountNotFoundError } from './account.errors';

const BEFORE_ALL_IDS = '00000000-0000-0000-0000-000000000000';

@Injectable()
export class AccountsService {
  constructor(private readonly accounts: AccountRepository) {}

  /** Accounts in the order of their making. */
  async list(afterId: string | null, limit: number): Promise<AccountRow[]> {
    return this.accounts.list(afterId ?? BEFORE_ALL_IDS, limit);
  }

  /** @throws AccountNotFoundError */
  async get(id: string): Promise<AccountRow> {
    const account = isUuid(id) ? await this.accounts.find(id) : null;
    if (!account) throw new AccountNotFoundError();
    return account;
  }

  async create(name: string, monthlyMessageQuota: number | null): Promise<AccountRow> {
    const id = randomUUIDv7();
    await this.accounts.create(id, name, monthlyMessageQuota);
    return this.get(id);
  }

  /** @throws AccountNotFoundError */
  async change(id: string, change: AccountChange): Promise<AccountRow> {
    if (isUuid(id)) await this.accounts.change(id, change);
    return this.get(id);
  }
}
