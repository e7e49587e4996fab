import { isUuid } from '@app/contracts/thread-id.format';
import {
  AccountRepository,
  type AccountChange,
  type AccountRow,
} from '@app/persistence/accounts/account.repository';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
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
    return found(isUuid(id) ? await this.accounts.find(id) : null);
  }

  async create(name: string, monthlyMessageQuota: number | null): Promise<AccountRow> {
    return this.accounts.create(uuidv7(), name, monthlyMessageQuota);
  }

  /** @throws AccountNotFoundError */
  async change(id: string, change: AccountChange): Promise<AccountRow> {
    return found(isUuid(id) ? await this.accounts.change(id, change) : null);
  }
}

function found(account: AccountRow | null): AccountRow {
  if (!account) throw new AccountNotFoundError();
  return account;
}
