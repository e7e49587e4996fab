import { BATCH_MAX } from '../database/call-batcher';
import type { AsNumbers, OrNull } from '../database/row-types';
import { statement } from '../database/sql.statements';
import { cardJson, type CardJson, cardOf } from '../threads/card-columns';
import { isWaiting } from '../threads/thread.rules';
import type { MoveOutcome } from './lead.statements';
import type { ThreadEntity } from '../threads/thread.entity';
import { appendEvents, changed, type CommittedEvent } from '../threads/thread-log.statements';
import { standsAt, verdictOf } from './move.rules';
import type { Actor, StatusSetBy } from '@app/contracts/lead.words';

/** The outcome of one of the moves, and the thread's version after it; null when it did not move. */
interface TogetherOutcome extends MoveOutcome, OrNull<AsNumbers<Pick<ThreadEntity, 'version'>>> {
  /** The number of the call that it answers, from 1. */
  n: number;
  /** The stage before the move. */
  from_status: ThreadEntity['status_id'];
  /** The thread after the move, where it was asked for and no message waits in it. */
  card: CardJson | null;
}

const ENTRY = appendEvents(
  'moved',
  { by: 't.set_by', actor: 't.actor', request: 't.request_id', account: 't.account_id' },
  [{ type: `'status'`, body: changed('t.from_status', 't.to_status') }],
);

/**
 * Several moves of different dialogs in one statement and one commit, each decided independently. A move costs
 * PostgreSQL 670 µs alone, 230 in fours, 150 in eights (measured; 430 at the bare floor).
 *
 * It handles simple moves only. It skips these, which have no row in the answer and are then made alone: a dialog that
 * is locked, so that no move waits for another's lock; one that enters a stage with a rule or with scenarios; one that
 * has runs; and one that the caller does not see. The rule is read in this statement, and so is whether the stage has
 * scenarios: what is added meanwhile counts either from this move on or from the next.
 *
 * The locking SELECT has one table, what decides about the dialog is in its locked row, and the time is read after
 * the lock. LIMIT tells the planner how few rows there are, or it would read all dialogs.
 *
 * Each parameter has one entry for each move, no two of one dialog. `agents` and `actors` are texts of an array and
 * of JSON, `targets` may be null, `expected` counts where `expecting` is true, and `telling` asks for the card.
 * A card whose message waits is left to the feed: why it waits stands in tables that this statement need not read.
 */
export const MOVE_TOGETHER = statement('lead-move-together').takes(
  'accounts',
  'threads',
  'targets',
  'agents',
  'expecting',
  'expected',
  'setters',
  'actors',
  'requestIds',
  'starting',
  'telling',
).returns<TogetherOutcome>(`
  WITH asked AS MATERIALIZED (
    SELECT q.n, (:accounts::uuid[])[n] AS account_id, (:threads::uuid[])[n] AS thread_id, (:targets::uuid[])[n] AS target_id,
           (:agents::text[])[n]::uuid[] AS agents, (:expecting::boolean[])[n] AS has_expected, (:expected::uuid[])[n] AS expected_id,
           (:setters::text[])[n] AS set_by, (:actors::text[])[n]::jsonb AS actor, (:requestIds::text[])[n] AS request_id,
           (:starting::boolean[])[n] AS starts, (:telling::boolean[])[n] AS tells, s.*
      FROM (SELECT n FROM generate_subscripts(:threads::uuid[], 1) n LIMIT ${BATCH_MAX}) q
      LEFT JOIN LATERAL (
        SELECT id AS stage_id, assistant_id AS stage_of, name AS stage_name, kind AS stage_kind, "order" AS stage_order,
               ai_enabled AS stage_ai_enabled, on_enter, starts_runs
          FROM statuses WHERE account_id = (:accounts::uuid[])[n] AND id = (:targets::uuid[])[n] AND archived_at IS NULL OFFSET 0) s ON true),
  decided AS MATERIALIZED (
    SELECT q.*, t.id, t.assistant_id, t.status_id, clock_timestamp() AS at,
           ${verdictOf('t', {
             target: 'q.target_id',
             targetOf: 'q.stage_of',
             hasExpected: 'q.has_expected',
             expected: 'q.expected_id',
           })} AS verdict
      FROM asked q CROSS JOIN LATERAL (
        SELECT id, assistant_id, status_id FROM threads
         WHERE account_id = q.account_id AND id = q.thread_id AND assistant_id = ANY (q.agents) AND q.on_enter IS NULL
           AND NOT (q.starts AND coalesce(q.starts_runs, false)) AND NOT has_runs
           FOR NO KEY UPDATE SKIP LOCKED) t),
  moved AS (
    UPDATE threads t
       SET ${standsAt('d.target_id', 'd.at', 'd.set_by')},
           version = t.version + 1, last_activity_at = d.at,
           ai_epoch = t.ai_epoch + CASE WHEN d.stage_ai_enabled IS FALSE THEN 1 ELSE 0 END
      FROM decided d WHERE t.account_id = d.account_id AND t.id = d.id AND d.verdict = 'move'
    RETURNING t.account_id, t.id, t.assistant_id, d.status_id AS from_status, t.status_id AS to_status, t.version, d.at,
              d.set_by, d.actor, d.request_id, CASE WHEN d.tells AND NOT ${isWaiting('t')} THEN ${cardJson('t', 'd.at', 'NULL')} END AS card),
  event AS (${ENTRY})
  SELECT d.n, d.verdict, false AS took, NULL::text AS reply_id,
         false AS has_runs, e.seq::float8 AS seq, NULL::text AS hands_to,
         d.stage_id, d.stage_name, d.stage_kind, d.stage_order, d.stage_ai_enabled, m.version::float8 AS version,
         d.status_id AS from_status,
         m.card
    FROM decided d LEFT JOIN moved m ON m.account_id = d.account_id AND m.id = d.id
    LEFT JOIN event e ON e.account_id = d.account_id AND e.thread_id = d.id`);

/** Who moved which thread, and when the statement began. */
interface Mover {
  accountId: string;
  threadId: string;
  setBy: StatusSetBy;
  actor: Actor | null;
  requestId?: string | null;
  begunAt: number;
}

/** The event of a move from what its own statement returned; undefined when the thread did not move. */
export function committedMove(
  row: TogetherOutcome,
  { accountId, threadId, setBy, actor, requestId = null, begunAt }: Mover,
): CommittedEvent | undefined {
  const { seq, version, card: json } = row;
  if (seq === null || version === null) return undefined;
  if (!json) return { seq, accountId, threadId, version, begunAt, told: null };
  const { stage_id: to, stage_name: name, stage_kind: kind, stage_order: order } = row;
  const card = cardOf(json, { status_name: name, status_kind: kind, status_order: order });
  return {
    ...{ seq, accountId, threadId, version, begunAt },
    told: {
      ...{ seq, account_id: accountId, thread_id: threadId, assistant_id: card.assistant_id },
      ...{ event_version: version, type: 'status', at: card.last_activity_at, by: setBy, actor },
      request_id: requestId,
      ...{ from_value: row.from_status, to_value: to, to_name: name, to_kind: kind, to_order: order },
      card,
    },
  };
}
