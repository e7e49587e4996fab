import { randomUUIDv7 } from 'node:crypto';
import { NIL_ID } from '@app/contracts/uuid.format';
import {
  AccountRepository,
  type AccountChange,
  type NewAccount,
} from '@app/persistence/accounts/account.repository';
import { tellBoardsOfHeldRuns } from '@app/persistence/events/event.statements';
import { Injectable } from '@nestjs/common';
import { AccountNotFoundError, ForbiddenError } from './account.errors';
import { Audit } from '../audit/audit.service';
import { AUDITED_ACCOUNT } from './account-audit';
import { presentAccount, type Account } from './account.presenter';
import { untilEarlierPermitsAreVoid } from './void-permits';
import { reachOf, requireConfirmed, type Principal } from './principal.rules';
import { reaches } from './reach.rules';

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
