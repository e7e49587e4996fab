import type { Actor } from '@app/contracts/lead.words';
import { Injectable } from '@nestjs/common';
import { stageLetsAnswer, turnFor } from '../agent/reply-turn.parts';
import { Database, type PreparedStatement } from '../database/database.service';
import type { Visibility } from '../leads/lead.repository';
import { takeoverRuns } from '../threads/card.columns';

export interface SwitchRequest {
  threadId: string;
  aiEnabled: boolean;
  actor: Actor | null;
  /** The word of the history for who did it. */
  by: string;
}

export interface SwitchOutcome {
  verdict: 'switch' | 'same' | 'opted_out';
  /** The reply to the waiting message that is durably under way; null: none. */
  turn_id: string | null;
  seq: number | null;
}

/**
 * The switch, in one statement, by the same rules as a move: the thread row alone is locked and holds every fact of
 * the dialog. The state compared is the pair of the permanent switch and the takeover. Whether the stage lets the
 * agent answer is a fact of the funnel, looked up by the locked row's stage; a stage younger than the statement
 * counts as mute, so that nothing is sent by mistake.
 * $1 account $2 thread $3 agents $4 wanted $5 by $6 actor
 */
const SWITCH: PreparedStatement = {
  name: 'ai-switch',
  text: `
  WITH cur AS MATERIALIZED (
    SELECT id, assistant_id, status_id, version, ai_enabled, takeover_until, ai_epoch, opted_out,
           waiting_message_id, waiting_at
      FROM threads WHERE account_id = $1 AND id = $2 AND assistant_id = ANY ($3::uuid[]) FOR NO KEY UPDATE),
  timed AS MATERIALIZED (SELECT cur.*, clock_timestamp() AS at FROM cur),
  decided AS MATERIALIZED (
    SELECT t.*,
           CASE WHEN $4 AND t.opted_out THEN 'opted_out'
                WHEN $4 AND t.ai_enabled AND NOT ${takeoverRuns('t', 't.at')} THEN 'same'
                WHEN NOT $4 AND NOT t.ai_enabled THEN 'same'
                ELSE 'switch' END AS verdict FROM timed t),
  turn AS (${turnFor(`
    SELECT d.id, d.waiting_message_id, d.ai_epoch + 1 AS ai_epoch, d.at AS due_at FROM decided d
     WHERE d.verdict = 'switch' AND $4 AND d.waiting_message_id IS NOT NULL
       AND d.waiting_at > d.at - interval '24 hours'
       AND ${stageLetsAnswer('d')}`)}),
  switched AS (
    UPDATE threads t
       SET ai_enabled = $4, takeover_until = NULL, ai_epoch = t.ai_epoch + 1, version = t.version + 1,
           last_activity_at = d.at
      FROM decided d WHERE t.account_id = $1 AND t.id = d.id AND d.verdict = 'switch'
    RETURNING t.id, t.assistant_id, t.version, d.at, d.ai_enabled AS was_enabled),
  event AS (
    INSERT INTO events (account_id, thread_id, assistant_id, version, type, at, body)
    SELECT $1, id, assistant_id, version, kind.type, at,
           jsonb_build_object('by', $5::text, 'actor', $6::jsonb) || kind.change
      FROM switched s CROSS JOIN LATERAL (
        SELECT 'ai' AS type, jsonb_build_object('from', s.was_enabled, 'to', $4::boolean) AS change
         WHERE s.was_enabled <> $4
        UNION ALL
        SELECT 'handler', jsonb_build_object('from', 'OPERATOR', 'to', 'AI') WHERE s.was_enabled = $4) kind
    RETURNING seq)
  SELECT d.verdict, (SELECT id FROM turn)::text AS turn_id, (SELECT seq FROM event)::float8 AS seq FROM decided d`,
};

@Injectable()
export class AiSwitchRepository {
  constructor(private readonly database: Database) {}

  /**
   * Switches the agent of one dialog on or off for good.
   * @returns null when the caller sees no such dialog.
   */
  async switchAi(of: Visibility, request: SwitchRequest): Promise<SwitchOutcome | null> {
    const [outcome] = await this.database.runFor<SwitchOutcome>(of.accountId, SWITCH, [
      of.accountId,
      request.threadId,
      of.assistantIds,
      request.aiEnabled,
      request.by,
      request.actor && JSON.stringify(request.actor),
    ]);
    return outcome ?? null;
  }
}
