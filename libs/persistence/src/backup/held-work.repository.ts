import { Injectable } from '@nestjs/common';
import type { CamelCased } from '../database/row-types';
import { statement } from '../database/sql.statements';
import type { ImportEntity } from '../transfer/import.entity';
import { SKIPPED } from '../webhooks-out/new-delivery.statements';
import { Database } from '../database/database.service';
import type { StoppedBy } from '../scenarios/definition/scenario.repository';

/** What is held, of all accounts. */
export interface HeldCounts {
  /** Messages that wait to be sent. */
  messages: number;
  /** Those of them that were due before sending was held: they may have been sent already. */
  messages_due: number;
  /** Messages whose sending had begun when the backup was taken. */
  sending: number;
  /** Replies that are due. */
  replies: number;
  /** Runs of scenarios that have not ended. */
  runs: number;
  /** Events that are on their way to endpoints. */
  webhooks: number;
  /** Imports of leads that have rows left. */
  imports: number;
}

/** Messages whose sending had begun when the backup was taken. */
const COUNT_SENDING = statement('held-work-count-sending').returns<Pick<HeldCounts, 'sending'>>(
  `SELECT count(*)::int AS sending FROM messages WHERE status = 'sending'`,
);

const COUNT_HELD = statement('held-work-count').returns<HeldCounts>(`
  SELECT (SELECT count(*)::int FROM messages WHERE status = 'queued') AS messages,
         (SELECT count(*)::int FROM messages
           WHERE status = 'queued' AND due_at <= (SELECT held_since FROM sending_holds)) AS messages_due,
         (SELECT count(*)::int FROM messages WHERE status = 'sending') AS sending,
         (SELECT count(*)::int FROM replies WHERE state = 'due') AS replies,
         (SELECT count(*)::int FROM scenario_runs WHERE finished_at IS NULL) AS runs,
         (SELECT count(*)::int FROM endpoint_deliveries WHERE state = 'pending') AS webhooks,
         (SELECT count(*)::int FROM imports WHERE state = 'running') AS imports`);

/** A reply that is being made has a lease; while sending is held there is none. */
const DISCARD_REPLIES = statement('held-work-discard-replies').takes('limit').returns(`
  WITH due AS MATERIALIZED (
    SELECT account_id, id FROM replies WHERE state = 'due' LIMIT :limit FOR NO KEY UPDATE)
  UPDATE replies r SET state = 'discarded', lease_token = NULL, lease_until = NULL
    FROM due WHERE r.account_id = due.account_id AND r.id = due.id
  RETURNING 1 AS one`);

/** The worker of scenarios ends them at its first look, before any step. */
const CANCEL_RUNS = statement('held-work-cancel-runs').takes('stoppedBy').returns(`
  UPDATE scenarios s SET cancel_before = c.at, wake_at = c.at, stopped_by = :stoppedBy::jsonb
    FROM (SELECT clock_timestamp() AS at) c
   WHERE EXISTS (SELECT 1 FROM scenario_runs r
                  WHERE r.account_id = s.account_id AND r.scenario_id = s.id AND r.finished_at IS NULL)
  RETURNING 1 AS one`);

/** A process that is held has no endpoint in hand. */
const SKIP_DELIVERIES = statement('held-work-skip-deliveries').takes('limit').returns(`
  WITH pending AS MATERIALIZED (
    SELECT account_id, id FROM endpoint_deliveries WHERE state = 'pending' LIMIT :limit FOR NO KEY UPDATE)
  UPDATE endpoint_deliveries d SET ${SKIPPED}
    FROM pending p WHERE d.account_id = p.account_id AND d.id = p.id
  RETURNING 1 AS one`);

/** Imports with rows left. */
const RUNNING_IMPORTS = statement('held-work-running-imports')
  .takes('limit')
  .returns<CamelCased<Pick<ImportEntity, 'account_id' | 'id' | 'rows'>>>(
    `SELECT account_id AS "accountId", id, rows FROM imports WHERE state = 'running' LIMIT :limit`,
  );

/** Nothing of the log until now is for any endpoint. */
const PASS_OVER_LOG = statement('held-work-pass-over-log').returns(`
  UPDATE endpoint_queues SET due_at = NULL, seq = greatest(seq, (SELECT coalesce(max(seq), 0) FROM events))`);

/** The days without an attempt do not count towards those after which an endpoint is disabled. */
const ENDPOINTS_BEGIN_ANEW = statement('held-work-endpoints-begin-anew').returns(
  'UPDATE endpoint_queues SET passed_at = c.at FROM (SELECT clock_timestamp() AS at) c',
);

const END_HOLD = statement('held-work-end-hold').returns('DELETE FROM sending_holds');

/** One statement's share, well within its time limit. */
const AT_ONCE = 1_000;

/** What a restore holds, of all accounts on purpose: it is the whole installation that is held. */
@Injectable()
export class HeldWorkRepository {
  constructor(private readonly database: Database) {}

  /** @throws DatabaseUnavailableError */
  async count(): Promise<HeldCounts> {
    const [row] = await this.database.run(COUNT_HELD);
    if (!row) throw new Error('a count has one row');
    return row;
  }

  /** How many messages are as ones that are being sent. */
  async countSending(): Promise<number> {
    return (await this.database.run(COUNT_SENDING))[0]?.sending ?? 0;
  }

  /** Discards the replies that are due, a bounded number at once. @returns how many; 0: none is left */
  async discardReplies(): Promise<number> {
    return (await this.database.run(DISCARD_REPLIES, { limit: AT_ONCE })).length;
  }

  /** Skips deliveries to endpoints that are pending, a bounded number at once. @returns how many; 0: none is left */
  async skipDeliveries(): Promise<number> {
    return (await this.database.run(SKIP_DELIVERIES, { limit: AT_ONCE })).length;
  }

  /** Imports with rows left, a bounded number of them. */
  async runningImports(): Promise<{ accountId: string; id: string; rows: number | null }[]> {
    return this.database.run(RUNNING_IMPORTS, { limit: AT_ONCE });
  }

  /** Events of the log until now go to no endpoint. */
  async passOverLog(): Promise<void> {
    await this.database.run(PASS_OVER_LOG);
  }

  /** Has all open runs end where they are. @param by who stopped them, as their histories show it */
  async cancelRuns(by: StoppedBy): Promise<void> {
    await this.database.run(CANCEL_RUNS, { stoppedBy: JSON.stringify(by) });
  }

  /** From the next second on every process acts on the outside again. */
  async endHold(): Promise<void> {
    await this.database.run(ENDPOINTS_BEGIN_ANEW);
    await this.database.run(END_HOLD);
  }
}
