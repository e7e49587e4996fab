import { Injectable } from '@nestjs/common';
import { Database, type PreparedStatement } from '../database/database.service';

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
const CREATE: PreparedStatement = {
  name: 'account-create',
  text: `WITH a AS (INSERT INTO accounts (id, name, monthly_message_quota) VALUES ($1, $2, $3)
                    RETURNING id, name, monthly_message_quota)
         SELECT ${COLUMNS} FROM a ${USAGE}`,
};
const CHANGE: PreparedStatement = {
  name: 'account-change',
  text: `WITH a AS (UPDATE accounts SET name = coalesce($2, name),
                           monthly_message_quota = CASE WHEN $3 THEN $4::int ELSE monthly_message_quota END
                     WHERE id = $1 RETURNING id, name, monthly_message_quota)
         SELECT ${COLUMNS} FROM a ${USAGE}`,
};

/** Accounts as the installation's admin governs them. */
@Injectable()
export class AccountRepository {
  constructor(private readonly database: Database) {}

  async list(afterId: string, limit: number): Promise<AccountRow[]> {
    return this.database.run<AccountRow>(LIST, [afterId, limit]);
  }

  async find(id: string): Promise<AccountRow | null> {
    const [account] = await this.database.run<AccountRow>(FIND, [id]);
    return account ?? null;
  }

  async create(id: string, name: string, monthlyMessageQuota: number | null): Promise<AccountRow> {
    const [account] = await this.database.run<AccountRow>(CREATE, [id, name, monthlyMessageQuota]);
    if (!account) throw new Error('an insert returned no row');
    return account;
  }

  async change(id: string, { name, monthlyMessageQuota }: AccountChange): Promise<AccountRow | null> {
    const quotaGiven = monthlyMessageQuota !== undefined;
    const values = [id, name ?? null, quotaGiven, monthlyMessageQuota ?? null];
    const [account] = await this.database.run<AccountRow>(CHANGE, values);
    return account ?? null;
  }
}
