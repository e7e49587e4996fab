import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.service';
import { statement } from '../database/sql.statement';
import type { ThreadEntity } from '../threads/thread.entity';
import type { FoundDialog } from './erasure.repository';

/** An account with dialogs that have been without activity for too long. */
interface DueAccount extends Pick<ThreadEntity, 'account_id'> {
  /** Dialogs whose last activity was earlier are due. As text, with its microseconds. */
  inactive_before: string;
}

/** Came with a history of before, so it may be older than what was looked at already. The words of the index. */
const IS_PAST = 't.last_activity_at < t.created_at AND t.erased_at IS NULL';

/** One process at a time serves an account: else both would read the same webhooks. */
const CLAIM = statement('retention-claim').takes('leaseMs').returns<DueAccount>(`
  WITH due AS MATERIALIZED (
    SELECT a.id, now() - make_interval(days => a.retention_days) AS before FROM accounts a
     WHERE a.retention_days IS NOT NULL AND (a.erasing_until IS NULL OR a.erasing_until < now())
       AND (EXISTS (
         SELECT 1 FROM assistants s JOIN threads t ON t.account_id = s.account_id AND t.assistant_id = s.id
          WHERE s.account_id = a.id AND t.last_activity_at < now() - make_interval(days => a.retention_days)
            AND t.last_activity_at >= coalesce(a.erased_before, '-infinity') AND t.erased_at IS NULL)
         OR EXISTS (
         SELECT 1 FROM threads t
          WHERE t.account_id = a.id AND ${IS_PAST} AND t.last_activity_at < now() - make_interval(days => a.retention_days)))
     LIMIT 1 FOR NO KEY UPDATE OF a SKIP LOCKED)
  UPDATE accounts a SET erasing_until = clock_timestamp() + make_interval(secs => :leaseMs::float8 / 1000)
    FROM due d WHERE a.id = d.id
  RETURNING a.id AS account_id, d.before::text AS inactive_before`);

const DIALOGS = statement('retention-dialogs').takes('accountId', 'before', 'limit').returns<FoundDialog>(`
  SELECT account_id, id FROM (
    SELECT t.* FROM assistants s CROSS JOIN LATERAL (
      SELECT t.account_id, t.id, t.last_activity_at FROM threads t
       WHERE t.account_id = s.account_id AND t.assistant_id = s.id AND t.last_activity_at < :before::timestamptz
         AND t.last_activity_at >= coalesce((SELECT erased_before FROM accounts WHERE id = :accountId), '-infinity')
         AND t.erased_at IS NULL
       ORDER BY t.last_activity_at LIMIT :limit) t
     WHERE s.account_id = :accountId
    UNION (
      SELECT t.account_id, t.id, t.last_activity_at FROM threads t
       WHERE t.account_id = :accountId AND ${IS_PAST} AND t.last_activity_at < :before::timestamptz
       ORDER BY t.last_activity_at LIMIT :limit)) t
   ORDER BY last_activity_at LIMIT :limit`);

/** `all`: every dialog that was due is erased, and none of them is looked at again. */
const RELEASE = statement('retention-release').takes('accountId', 'before', 'all').returns(`
  UPDATE accounts
     SET erasing_until = NULL,
         erased_before = CASE WHEN :all::boolean THEN greatest(erased_before, :before::timestamptz) ELSE erased_before END
   WHERE id = :accountId`);

/** Dialogs that accounts have erased after some time. */
@Injectable()
export class RetentionRepository {
  constructor(private readonly database: Database) {}

  /** An account of which something is due; nobody else serves it until the lease ends. */
  async claim(leaseMs: number): Promise<DueAccount | null> {
    return (await this.database.run(CLAIM, { leaseMs }))[0] ?? null;
  }

  /** Those that have waited longest. */
  async dialogs(
    { account_id: accountId, inactive_before: before }: DueAccount,
    limit: number,
  ): Promise<FoundDialog[]> {
    return this.database.runFor(accountId, DIALOGS, { accountId, before, limit });
  }

  async release({ account_id: accountId, inactive_before: before }: DueAccount, all: boolean): Promise<void> {
    await this.database.runFor(accountId, RELEASE, { accountId, before, all });
  }
}
