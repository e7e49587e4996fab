import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.service';
import { statement } from '../database/sql.statements';
import type { ThreadEntity } from '../threads/thread.entity';
import { leaseFor } from '../work/work.statements';
import type { FoundDialog } from './erasure.repository';

/** An account with dialogs that have been without activity for too long. */
export interface DueAccount extends Pick<ThreadEntity, 'account_id'> {
  /** Dialogs whose last activity was earlier are due. As text, with its microseconds. */
  inactive_before: string;
  /** The end of the claim, which is its token too: each ends later than the one before. As text, with its microseconds. */
  claimed_until: string;
}

export interface DueDialog extends FoundDialog {
  /** Its last activity. As text, with its microseconds. */
  inactive_since: string;
}

/** What has become of an account's dialogs in one round. */
export interface RetentionRound {
  /** Dialogs whose last activity was earlier are erased or put off; null: that is not known of more than before. */
  doneBefore: string | null;
  /** Those that were erased, or are used again. */
  settledIds: readonly string[];
}

/** Those that could not be erased are due at a time of their own. */
const IS_NOT_PUT_OFF = `NOT EXISTS (
         SELECT 1 FROM erasure_retries r WHERE r.account_id = t.account_id AND r.thread_id = t.id)`;

/**
 * The dialogs of an account that are due: those that were not looked at yet, those that came later with a history of before,
 * and those that are tried again. Each kind has an index, and of each come the first few.
 * @param account a row of accounts
 */
const dueDialogs = (account: string, before: string, limit: string): readonly string[] => [
  `SELECT t.* FROM assistants s CROSS JOIN LATERAL (
      SELECT t.account_id, t.id, t.last_activity_at FROM threads t
       WHERE t.account_id = s.account_id AND t.assistant_id = s.id AND t.last_activity_at < ${before}
         AND t.last_activity_at >= coalesce(${account}.erased_before, '-infinity')
         AND t.erased_at IS NULL AND ${IS_NOT_PUT_OFF}
       ORDER BY t.last_activity_at LIMIT ${limit}) t
     WHERE s.account_id = ${account}.id`,
  `SELECT t.account_id, t.id, t.last_activity_at FROM threads t
       WHERE t.account_id = ${account}.id AND t.last_activity_at < t.created_at AND t.erased_at IS NULL
         AND t.last_activity_at < ${before} AND ${IS_NOT_PUT_OFF}
       ORDER BY t.last_activity_at LIMIT ${limit}`,
  `SELECT t.account_id, t.id, t.last_activity_at
        FROM erasure_retries r JOIN threads t ON t.account_id = r.account_id AND t.id = r.thread_id
       WHERE r.account_id = ${account}.id AND r.due_at <= now() AND t.last_activity_at < ${before} AND t.erased_at IS NULL
       ORDER BY r.due_at LIMIT ${limit}`,
];

/**
 * The account that was served longest ago. One process at a time serves an account: else both would read the same webhooks.
 * What is released keeps the time, so it goes behind the others.
 */
export const CLAIM = statement('retention-claim').takes('leaseMs').returns<DueAccount>(`
  WITH due AS MATERIALIZED (
    SELECT a.id, b.before FROM accounts a CROSS JOIN LATERAL (
      SELECT now() - make_interval(days => a.retention_days) AS before) b
     WHERE a.retention_days IS NOT NULL AND (a.erasing_until IS NULL OR a.erasing_until < clock_timestamp())
       AND (${dueDialogs('a', 'b.before', '1')
         .map((kind) => `EXISTS (${kind})`)
         .join(' OR ')})
     ORDER BY a.erasing_until NULLS FIRST LIMIT 1 FOR NO KEY UPDATE OF a SKIP LOCKED)
  UPDATE accounts a SET erasing_until = ${leaseFor(':leaseMs')} FROM due d WHERE a.id = d.id
  RETURNING a.id AS account_id, d.before::text AS inactive_before, a.erasing_until::text AS claimed_until`);

const DIALOGS = statement('retention-dialogs').takes('accountId', 'before', 'limit').returns<DueDialog>(`
  SELECT d.account_id, d.id, d.last_activity_at::text AS inactive_since
    FROM accounts a CROSS JOIN LATERAL (
      ${dueDialogs('a', ':before::timestamptz', ':limit')
        .map((kind) => `(${kind})`)
        .join(' UNION ')}) d
   WHERE a.id = :accountId ORDER BY d.last_activity_at LIMIT :limit`);

const PUT_OFF = statement('retention-put-off').takes('accountId', 'threadId', 'milliseconds').returns(`
  INSERT INTO erasure_retries AS r (account_id, thread_id, due_at)
  VALUES (:accountId, :threadId, ${leaseFor(':milliseconds')})
  ON CONFLICT (account_id, thread_id) DO UPDATE SET due_at = excluded.due_at`);

/** Whoever was too slow has lost its claim. The one who has it now may have put off what the former one settled. */
const RELEASE = statement('retention-release').takes('accountId', 'claimedUntil', 'doneBefore', 'settledIds')
  .returns(`
  WITH released AS (
    UPDATE accounts
       SET erasing_until = clock_timestamp(), erased_before = greatest(erased_before, :doneBefore::timestamptz)
     WHERE id = :accountId AND erasing_until = :claimedUntil::timestamptz
    RETURNING id)
  DELETE FROM erasure_retries r USING released a WHERE r.account_id = a.id AND r.thread_id = ANY (:settledIds::uuid[])`);

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
  ): Promise<DueDialog[]> {
    return this.database.runFor(accountId, DIALOGS, { accountId, before, limit });
  }

  /** A dialog that could not be erased is due again after some time, and is in nobody's way until then. */
  async putOff({ account_id: accountId, id: threadId }: DueDialog, milliseconds: number): Promise<void> {
    await this.database.runFor(accountId, PUT_OFF, { accountId, threadId, milliseconds });
  }

  /** Does nothing when the claim has ended, and another process has the account. */
  async release(
    { account_id: accountId, claimed_until: claimedUntil }: DueAccount,
    round: RetentionRound,
  ): Promise<void> {
    await this.database.runFor(accountId, RELEASE, { accountId, claimedUntil, ...round });
  }
}
