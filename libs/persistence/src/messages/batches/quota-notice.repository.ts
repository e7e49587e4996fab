import { Injectable } from '@nestjs/common';
import type { QuotaUsageEntity } from '../../accounts/account.entity';
import { WorkDatabase } from '../../database/database.service';
import type { CamelCased } from '../../database/row-types';
import { statement } from '../../database/sql.statements';
import { appendAccountEvents } from '../../events/event.statements';

type AccountOfQuota = CamelCased<Pick<QuotaUsageEntity, 'account_id'>>;

/** This month, and the one that ended within the hour. */
const MONTHS = `ARRAY[date_trunc('month', now() AT TIME ZONE 'UTC')::date,
                      date_trunc('month', now() AT TIME ZONE 'UTC' - interval '1 hour')::date]`;

const REACHES_A_MARK = `
  q.month = ANY (${MONTHS}) AND q.told_percent < 100 AND a.monthly_message_quota > 0
  AND q.used::bigint * 100 >= a.monthly_message_quota::bigint * CASE WHEN q.told_percent < 80 THEN 80 ELSE 100 END`;

/** Of all accounts, by their keys. */
const REACHED = statement('quota-notice-reached').returns<AccountOfQuota>(`
  SELECT a.id AS "accountId" FROM accounts a
   CROSS JOIN LATERAL (SELECT 1 FROM quota_usage q WHERE q.account_id = a.id AND ${REACHES_A_MARK} LIMIT 1) r`);

/**
 * Marks and tells what an account has reached of its quota. A row that a send holds is looked at again by the next call. The mark
 * is kept with the month, so each is told once.
 */
const TELL = statement('quota-notice-tell').takes('accountId').returns<{ told: number }>(`
  WITH reached AS MATERIALIZED (
    SELECT q.account_id, q.month, q.used, a.monthly_message_quota AS most, q.told_percent AS told,
           CASE WHEN q.used >= a.monthly_message_quota THEN 100 ELSE 80 END AS percent
      FROM quota_usage q JOIN accounts a ON a.id = q.account_id
     WHERE q.account_id = :accountId AND a.id = :accountId AND ${REACHES_A_MARK}
     ORDER BY q.account_id, q.month FOR NO KEY UPDATE OF q SKIP LOCKED),
  marked AS (
    UPDATE quota_usage q SET told_percent = r.percent FROM reached r
     WHERE q.account_id = r.account_id AND q.month = r.month
    RETURNING r.*),
  marks AS (
    SELECT m.account_id, NULL::uuid AS assistant_id, jsonb_build_object(
             'month', to_char(m.month, 'YYYY-MM'), 'limit', m.most, 'used', m.used, 'percent', p.percent) AS body
      FROM marked m JOIN (VALUES (80), (100)) p (percent) ON p.percent > m.told AND p.percent <= m.percent
     ORDER BY m.account_id, p.percent),
  told AS (${appendAccountEvents('marks', `'quota_low'`)})
  SELECT count(*)::int AS told FROM told`);

/** Accounts whose messages of a month run out, of all of them. */
@Injectable()
export class QuotaNoticeRepository {
  constructor(private readonly work: WorkDatabase) {}

  /** Tells once a month that 80 %, and once that all of an account's messages are used. @returns how many were told */
  async tell(): Promise<number> {
    let count = 0;
    for (const { accountId } of await this.work.run(REACHED)) {
      const [row] = await this.work.run(TELL, { accountId });
      count += row?.told ?? 0;
    }
    return count;
  }
}
