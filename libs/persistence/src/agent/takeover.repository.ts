import { Injectable } from '@nestjs/common';
import { Database, type PreparedStatement } from '../database/database.service';
import type { HeldReply } from './reply.repository';

/**
 * Takeovers whose time is over, the first of them: the agent is back. What waited is not answered, and a switch that is
 * off stays off. $1 how many at once
 */
const RETURN: PreparedStatement = {
  name: 'takeovers-return',
  text: `
  WITH over AS MATERIALIZED (
    SELECT account_id, id FROM threads WHERE takeover_until <= clock_timestamp()
     ORDER BY takeover_until LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED),
  back AS (
    UPDATE threads t SET takeover_until = NULL, version = t.version + 1
      FROM over o WHERE t.account_id = o.account_id AND t.id = o.id AND t.takeover_until <= clock_timestamp()
    RETURNING t.account_id, t.id, t.assistant_id, t.version, t.ai_enabled)
  INSERT INTO events (account_id, thread_id, assistant_id, version, type, at, body)
  SELECT account_id, id, assistant_id, version, CASE WHEN ai_enabled THEN 'handler' ELSE 'card' END, clock_timestamp(),
         jsonb_build_object('by', 'SYSTEM', 'actor', null, 'from', 'OPERATOR', 'to', 'AI')
    FROM back
  RETURNING 1 AS told`,
};

/**
 * The agent hands the dialog over to a person: a takeover begins, and an operator is asked for.
 * $1 account $2 thread $3 reply $4 token $5 the model's reason, or null
 */
const HAND_OVER: PreparedStatement = {
  name: 'agent-hand-over',
  text: `
  WITH cur AS MATERIALIZED (
    SELECT t.id, t.assistant_id, t.version FROM threads t
     WHERE t.account_id = $1 AND t.id = $2 AND t.ai_enabled
       AND EXISTS (SELECT 1 FROM replies r WHERE r.account_id = $1 AND r.id = $3::bigint AND r.lease_token = $4
                      AND r.epoch = t.ai_epoch)
       FOR NO KEY UPDATE),
  timed AS MATERIALIZED (SELECT cur.*, clock_timestamp() AS at FROM cur),
  touched AS (
    UPDATE threads t
       SET version = t.version + 2, ai_epoch = t.ai_epoch + 1, attention = 'hand_over', last_activity_at = d.at,
           takeover_until = d.at + make_interval(mins => (
             SELECT a.auto_return_minutes FROM assistants a WHERE a.account_id = $1 AND a.id = t.assistant_id))
      FROM timed d WHERE t.account_id = $1 AND t.id = d.id
    RETURNING t.id, t.assistant_id, t.ai_epoch, d.version, d.at),
  told AS (
    INSERT INTO events (account_id, thread_id, assistant_id, version, type, at, body)
    SELECT $1, t.id, t.assistant_id, t.version + e.step, e.type, t.at,
           jsonb_build_object('by', 'AI', 'actor', null, 'from', e.was, 'to', e.is_now)
             || CASE WHEN e.note IS NULL THEN '{}' ELSE jsonb_build_object('note', e.note) END
      FROM touched t CROSS JOIN LATERAL (
        VALUES (1, 'handler', 'AI', 'OPERATOR', NULL), (2, 'attention', NULL, 'hand_over', $5::text))
           e (step, type, was, is_now, note)
     ORDER BY e.step)
  SELECT ai_epoch::float8 AS epoch FROM touched`,
};

/** Beginnings and ends of takeovers that no person causes. */
@Injectable()
export class TakeoverRepository {
  constructor(private readonly database: Database) {}

  /** @returns how many dialogs went back to their agents. */
  async returnDue(most: number): Promise<number> {
    return (await this.database.run(RETURN, [most])).length;
  }

  /**
   * @param reason of the model, in its own words
   * @returns the epoch that the dialog has from then on; null when the agent may not speak there any more.
   */
  async handOver(
    { accountId, replyId, token }: HeldReply,
    threadId: string,
    reason: string,
  ): Promise<number | null> {
    const values = [accountId, threadId, replyId, token, reason || null];
    const [row] = await this.database.run<{ epoch: number }>(HAND_OVER, values);
    return row?.epoch ?? null;
  }
}
