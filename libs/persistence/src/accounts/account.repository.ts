import { Injectable } from '@nestjs/common';
import { Database, Entities, type PreparedStatement } from '../database/database.service';
import { AccountEntity } from './account.entity';

export interface AccountRow {
  id: string;
  name: string;
  monthly_message_quota: number | null;
  quota_used: number;
  quota_reset_at: Date;
}

export interface AccountChange {
  name?: string;
  monthlyMessageQuota?: number | null;
}

const MONTH = `date_trunc('month', clock_timestamp() AT TIME ZONE 'UTC')`;
const COLUMNS = `a.id, a.name, a.monthly_message_quota, coalesce(u.used, 0) AS quota_used,
  (${MONTH} + interval '1 month') AT TIME ZONE 'UTC' AS quota_reset_at`;
const USAGE = `LEFT JOIN quota_usage u ON u.account_id = a.id AND u.month = ${MONTH}::date`;

const LIST: PreparedStatement = {
  name: 'account-list',
  text: `SELECT ${COLUMNS} FROM accounts a ${USAGE} WHERE a.id > $1 ORDER BY a.id LIMIT $2`,
};
const FIND: PreparedStatement = {
  name: 'account-find',
  text: `SELECT ${COLUMNS} FROM accounts a ${USAGE} WHERE a.id = $1`,
};

/** With its answer, so that no account is made of which nobody is told. */
const CREATE: PreparedStatement = {
  name: 'account-create',
  text: `WITH a AS (INSERT INTO accounts (id, name, monthly_message_quota) VALUES ($1, $2, $3)
           RETURNING id, name, monthly_message_quota)
         SELECT ${COLUMNS} FROM a ${USAGE}`,
};

/** Accounts as the installation's admin governs them. */
@Injectable()
export class AccountRepository {
  constructor(
    private readonly database: Database,
    private readonly entities: Entities,
  ) {}

  async list(afterId: string, limit: number): Promise<AccountRow[]> {
    return this.database.run<AccountRow>(LIST, [afterId, limit]);
  }

  async find(id: string): Promise<AccountRow | null> {
    const [account] = await this.database.run<AccountRow>(FIND, [id]);
    return account ?? null;
  }

  async create(id: string, name: string, monthlyMessageQuota: number | null): Promise<AccountRow | null> {
    const [account] = await this.database.run<AccountRow>(CREATE, [id, name, monthlyMessageQuota]);
    return account ?? null;
  }

  /** Changes what is given; an account that does not exist stays so. */
  async change(id: string, change: AccountChange): Promise<void> {
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    if (Object.keys(given).length === 0) return;
    await this.entities.use((manager) => manager.update(AccountEntity, { id }, given));
  }
}
