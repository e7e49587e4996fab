import type { MessageHandler } from '@app/contracts/lead.words';
import type { StageEntity } from '../assistants/assistant.entity';
import type { AsNumbers, OrNull, Prefixed } from '../database/row-types';
import { statement } from '../database/sql.statements';
import type { EventEntity } from '../events/event.entity';
import type { ThreadEntity } from '../threads/thread.entity';
import { LEAD_COLUMNS, type LeadRow } from '../threads/card-columns';
import { canBeTakenUp, endTakeover, mayBeAnswered, replyCanCome, takeUp } from '../threads/thread.rules';
import { appendEvents } from '../threads/thread-log.statements';
import { queueRuns, startRuns } from '../threads/run.statements';
import { handsTo, MOVE_ENTRIES, standsAt, takeoverByRule, verdictOf, type MoveVerdict } from './move.rules';

/** What became of a move, the number of its last event, the stage that was asked for, and whether there are runs now. */
export interface MoveOutcome
  extends
    OrNull<AsNumbers<Pick<EventEntity, 'seq'>>>,
    OrNull<Prefixed<'stage_', Pick<StageEntity, 'id' | 'name' | 'kind' | 'order' | 'ai_enabled'>>>,
    Pick<ThreadEntity, 'has_runs'> {
  verdict: MoveVerdict;
  /** Whether a reply to the waiting message is durably under way. */
  took: boolean;
  /** That reply's id, as text. */
  reply_id: string | null;
  /** Who gets the dialog by the stage's rule; null where that changes nothing. */
  hands_to: MessageHandler | null;
}

export interface StatusCandidates {
  /** Stages of the dialog's funnel that have the name. */
  status_ids: StageEntity['id'][];
}

const TARGET = `
  target AS MATERIALIZED (
    SELECT id, assistant_id, name, kind, "order", ai_enabled, on_enter, starts_runs FROM statuses
     WHERE account_id = :accountId AND id = :statusId::uuid AND archived_at IS NULL)`;

/**
 * The lead's row, the only row that is locked. A preview takes no lock, and sees the row as earlier moves would have
 * left it.
 */
const current = (
  lock: 'FOR NO KEY UPDATE' | '',
  { statusId = 'status_id', epoch = 'ai_epoch', takeover = 'takeover_until' } = {},
): string => `
  cur AS MATERIALIZED (
    SELECT id, assistant_id, ${statusId}, version, ai_enabled, ${takeover}, ${epoch}, opted_out, conducted_elsewhere,
           waiting_message_id, waiting_at, answer_count, bot_id, channel, has_runs
      FROM threads WHERE account_id = :accountId AND id = :threadId AND assistant_id = ANY (:assistantIds::uuid[]) ${lock})`;

const DECIDED = `
  decided AS MATERIALIZED (
    SELECT cur.*, clock_timestamp() AS at, ${verdictOf('cur', {
      target: ':statusId::uuid',
      targetOf: '(SELECT assistant_id FROM target)',
      hasExpected: ':hasExpected',
      expected: ':expectedStatusId::uuid',
    })} AS verdict FROM cur)`;

/**
 * The waiting message is answered only by the flag, whatever the stage's rule, and not where an operator gets the
 * dialog.
 */
const ANSWERABLE = `
  answerable AS MATERIALIZED (
    SELECT d.id, d.waiting_message_id, d.ai_epoch, d.at FROM decided d
     WHERE d.verdict IN ('move', 'same') AND :answer
       AND ${mayBeAnswered('d', 'd.at', '(SELECT ai_enabled FROM target)')} AND ${replyCanCome('d')}
       AND (d.verdict = 'same' OR (SELECT on_enter FROM target) IS DISTINCT FROM 'operator'))`;

const HANDS_TO = handsTo('d', '(SELECT on_enter FROM target)');

const MOVED = `
  ruled AS MATERIALIZED (
    SELECT d.*, t.on_enter, ${HANDS_TO} AS hands_to, coalesce(t.starts_runs, false) AND :startScenarios AS starts
      FROM decided d LEFT JOIN target t ON true),
  moved AS (
    UPDATE threads t
       SET ${standsAt(':statusId::uuid', 'd.at', ':setBy::text')},
           version = t.version + 1 + (d.hands_to IS NOT NULL)::int, last_activity_at = d.at,
           takeover_until = ${takeoverByRule('t', 'd', 'd.on_enter')}, has_runs = d.has_runs OR d.starts,
           ai_epoch = t.ai_epoch + CASE WHEN d.hands_to = 'OPERATOR' OR (SELECT ai_enabled FROM target) IS FALSE THEN 1 ELSE 0 END
      FROM ruled d WHERE t.account_id = :accountId AND t.id = d.id AND d.verdict = 'move'
       AND d.ai_epoch = coalesce(:ifEpoch::bigint, d.ai_epoch)
    RETURNING t.account_id, t.id, t.assistant_id, d.status_id AS from_status, t.status_id AS to_status,
              t.version - (d.hands_to IS NOT NULL)::int AS version, d.at, d.hands_to, d.starts, t.has_runs)`;

/** Runs of the entered stage, and of the left one, which must hear of it. A person's move may be undone for ten seconds. */
const RUNS = `
  starting AS (SELECT * FROM moved WHERE starts),
  runs AS (${startRuns('starting', {
    ...{ cause: ':cause::jsonb', trace: ':trace::text', depth: ':depth', byRun: ':byRun::uuid' },
    customerAfter: `CASE WHEN :setBy = 'OPERATOR_MANUAL' THEN m.at + interval '10 s' END`,
  })}),
  queued AS (${queueRuns('SELECT account_id, id, at FROM moved WHERE has_runs')})`;

const ENTRIES = appendEvents(
  'moved',
  { by: ':setBy::text', actor: ':actor::jsonb', request: ':requestId::text' },
  MOVE_ENTRIES,
);

const STAGE = `target.id AS stage_id, target.name AS stage_name, target.kind AS stage_kind,
  target."order" AS stage_order, target.ai_enabled AS stage_ai_enabled`;

/** The thread and the request. `answer` is the flag, `cipherKeyId` may be null without it; `hasExpected` says that `expectedStatusId` counts. */
const ASKED = [
  'accountId',
  'threadId',
  'statusId',
  'assistantIds',
  'answer',
  'cipherKeyId',
  'hasExpected',
  'expectedStatusId',
] as const;

/** Who moves, and what may follow. `cause` is of the runs, null for the agent's; `depth` and `byRun` are those of a run's move. `trace` is of what follows. */
const MOVING = [
  'setBy',
  'actor',
  'requestId',
  'startScenarios',
  'ifEpoch',
  'cause',
  'depth',
  'byRun',
  'trace',
] as const;

/**
 * The move, in one statement: locks only the thread row, compares, updates, appends the event, and inserts what must
 * follow. Every fact that decides about the thread is a column of the locked row, because a row of another table may
 * be older than the lock.
 *
 * Three forms look right and are wrong: a join in the locking SELECT, `from` read in RETURNING, and `now()` for `at`.
 * Tests plant each of them. `ifEpoch` is the epoch that the thread must still have, or null. With it, an agent that
 * was just silenced moves no lead.
 */
export const MOVE = statement('lead-move').takes(...ASKED, ...MOVING).returns<MoveOutcome>(`
  WITH ${TARGET}, ${current('FOR NO KEY UPDATE')}, ${DECIDED}, ${ANSWERABLE},
  reply AS (${takeUp('SELECT id, waiting_message_id, ai_epoch, at AS due_at FROM answerable', { trace: ':trace::text' })}),
  ${MOVED}, ${RUNS},
  event AS (${ENTRIES})
  SELECT d.verdict, EXISTS (SELECT 1 FROM reply) AS took, (SELECT id FROM reply)::text AS reply_id,
         d.has_runs OR coalesce((SELECT has_runs FROM moved), false) AS has_runs,
         (SELECT max(seq) FROM event)::float8 AS seq, (SELECT hands_to FROM moved) AS hands_to, ${STAGE}
    FROM decided d LEFT JOIN target ON true`);

/**
 * What the move would answer now, without making it, also after earlier previewed moves of the same thread.
 * `hasEarlier`: there are such moves. `earlierStatusId`: where they lead. `epochRise`: how often they raise the
 * epoch. `tookAtRise`: how often until one of them answers the waiting message, or null. `handsTo`: who gets the
 * dialog from the last of them that hands it over, or null.
 */
export const PREVIEW = statement('lead-move-preview').takes(
  ...ASKED,
  'hasEarlier',
  'earlierStatusId',
  'epochRise',
  'tookAtRise',
  'handsTo',
).returns<MoveOutcome>(`
  WITH ${TARGET},
  ${current('', {
    statusId: 'CASE WHEN :hasEarlier THEN :earlierStatusId::uuid ELSE status_id END AS status_id',
    epoch: 'ai_epoch + :epochRise::int AS ai_epoch',
    takeover: `CASE :handsTo::text WHEN 'OPERATOR' THEN 'infinity' WHEN 'AI' THEN ${endTakeover}
                ELSE takeover_until END AS takeover_until`,
  })}, ${DECIDED}, ${ANSWERABLE}
  SELECT d.verdict,
         EXISTS (SELECT 1 FROM answerable a WHERE coalesce(:tookAtRise::int < :epochRise, true) AND ${canBeTakenUp('a')}) AS took,
         NULL::text AS reply_id, d.has_runs, NULL::float8 AS seq,
         CASE WHEN d.verdict = 'move' THEN ${HANDS_TO} END AS hands_to, ${STAGE}
    FROM decided d LEFT JOIN target ON true`);

export const CANDIDATES = statement('lead-status-candidates').takes(
  'accountId',
  'threadId',
  'assistantIds',
  'nameFolded',
).returns<StatusCandidates>(`
  SELECT array(SELECT s.id FROM statuses s WHERE s.account_id = :accountId AND s.assistant_id = t.assistant_id
                  AND s.name_folded = :nameFolded AND s.archived_at IS NULL ORDER BY s."order" LIMIT 2)::text[] AS status_ids
    FROM threads t WHERE t.account_id = :accountId AND t.id = :threadId AND t.assistant_id = ANY (:assistantIds::uuid[])`);

export const FIND = statement('lead-find').takes('accountId', 'threadId', 'assistantIds').returns<LeadRow>(`
  SELECT ${LEAD_COLUMNS}
    FROM threads t LEFT JOIN statuses s ON s.account_id = t.account_id AND s.id = t.status_id
   WHERE t.account_id = :accountId AND t.id = :threadId AND t.assistant_id = ANY (:assistantIds::uuid[])`);

/**
 * The same for several calls, each with its account and agents; an array is passed as text. OFFSET makes every lead
 * be found by its index. Subscripts are used instead of unnest because of the planner: it takes unnest's length into
 * account, finds a plan for each call cheaper than a kept one, and plans for longer than it reads.
 */
export const FIND_MANY = statement('lead-find-many').takes('accountIds', 'threadIds', 'assistantIds').returns<
  LeadRow & { n: number }
>(`
  SELECT n, lead.*
    FROM generate_subscripts(:threadIds::uuid[], 1) n
    CROSS JOIN LATERAL (
      SELECT ${LEAD_COLUMNS}
        FROM threads t
        LEFT JOIN LATERAL (SELECT name, kind, "order" FROM statuses
                            WHERE account_id = t.account_id AND id = t.status_id OFFSET 0) s ON true
       WHERE t.account_id = (:accountIds::uuid[])[n] AND t.id = (:threadIds::uuid[])[n]
         AND t.assistant_id = ANY ((:assistantIds::text[])[n]::uuid[])
      OFFSET 0) lead`);
