import { AccountRepository } from '@app/persistence/accounts/account.repository';
import { UserRepository } from '@app/persistence/accounts/people/user.repository';
import { Injectable } from '@nestjs/common';
import { UnauthorizedError } from '../account.errors';
import type { Person } from '../principal.rules';
import { presentUser, type User } from './user.presenter';

/** What a page needs to begin: who is signed in, where, and with which agents. */
export interface Workplace {
  user: User;
  account: { id: string; name: string; second_factor_required: boolean };
  assistants: { id: string; name: string }[];
}

@Injectable()
export class WorkplaceService {
  constructor(
    private readonly users: UserRepository,
    private readonly accounts: AccountRepository,
  ) {}

  /** @throws UnauthorizedError when the person is gone. */
  async of({ accountId, id, assistantIds }: Person): Promise<Workplace> {
    const [user, account, assistants] = await Promise.all([
      this.users.find(accountId, id),
      this.accounts.find(accountId),
      this.users.assistantNames(accountId, assistantIds),
    ]);
    if (!user || !account) throw new UnauthorizedError();
    const { name, second_factor_required } = account;
    return { user: presentUser(user), account: { id: accountId, name, second_factor_required }, assistants };
  }
}
