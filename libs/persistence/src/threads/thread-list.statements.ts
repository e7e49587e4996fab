import type { ThreadEntity } from './thread.entity';
import { statement } from '../database/sql.statement';
import { CARD_COLUMNS, type CardRow } from './card.columns';
import { shownState } from './run.fragments';
import { agentConducts, isWaiting, shownName } from './thread.rules';

/** The caller whose threads are listed, and the filters. Each filter applies alone, or is null. */
export const ASKED = [
  'accountId',
  'assistantIds',
  'botId',
  'channel',
  'hasStatus',
  'statusId',
  'statusKind',
  'handler',
  'waiting',
  'pattern',
  'digits',
  'createdAfter',
  'createdBefore',
  'activeAfter',
  'attention',
  'attentionReason',
  'hasRun',
  'scenarioId',
  'runState',
] as const;

/** The conditions on a thread `h`. Where `hasRun`, one run is of the scenario and in the state. A `statusId` of null counts where `hasStatus` is true. */
const FILTERED = `
        AND (:botId::uuid IS NULL OR h.bot_id = :botId) AND (:channel::text IS NULL OR h.channel = :channel)
        AND (NOT :hasStatus::boolean OR h.status_id IS NOT DISTINCT FROM :statusId::uuid)
        AND (:statusKind::text IS NULL
             OR h.status_id IN (SELECT id FROM statuses WHERE account_id = :accountId AND kind = :statusKind))
        AND (:handler::text IS NULL OR ${agentConducts('h', 'clock_timestamp()')} = (:handler = 'AI'))
        AND (:waiting::boolean IS NULL OR ${isWaiting('h')} = :waiting)
        AND (:pattern::text IS NULL OR ${shownName('h')} ~ :pattern OR h.last_message_text ~ :pattern
             OR position(:digits::text IN h.phone) > 0)
        AND (:createdAfter::timestamptz IS NULL OR h.created_at >= :createdAfter)
        AND (:createdBefore::timestamptz IS NULL OR h.created_at < :createdBefore)
        AND (:activeAfter::timestamptz IS NULL OR h.last_activity_at >= :activeAfter)
        AND (:attention::boolean IS NULL OR (h.attention IS NOT NULL) = :attention)
        AND (:attentionReason::text IS NULL OR h.attention = :attentionReason)
        AND (NOT :hasRun::boolean OR EXISTS (
          SELECT 1 FROM scenario_runs r
           WHERE r.account_id = :accountId AND r.thread_id = h.id AND r.state <> 'due'
             AND (:scenarioId::uuid IS NULL OR r.scenario_id = :scenarioId)
             AND (:runState::text IS NULL OR ${shownState('r', '(SELECT automation_paused FROM accounts WHERE id = :accountId)')} = :runState)))`;

const SHOWN = (rows: string): string => `
  SELECT ${CARD_COLUMNS}
    FROM (${rows}) t
    LEFT JOIN statuses s ON s.account_id = t.account_id AND s.id = t.status_id
   ORDER BY t.id DESC`;

/** After the thread that the page follows; null: from the newest. */
const BEHIND = `h.id < coalesce(:before::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')`;

/**
 * A page, in the order of the ids. Ids never change, so no move takes a thread from one page to another. Each
 * assistant is read along one index, so that reading ends with the page however many threads it has.
 */
export const PAGE = statement('thread-page')
  .takes(...ASKED, 'before', 'limit')
  .returns<CardRow>(
    SHOWN(`
    SELECT h.* FROM unnest(:assistantIds::uuid[]) a (id) CROSS JOIN LATERAL (
      SELECT h.* FROM threads h
       WHERE h.account_id = :accountId AND h.assistant_id = a.id AND ${BEHIND} ${FILTERED}
       ORDER BY h.id DESC LIMIT :limit) h
     ORDER BY h.id DESC LIMIT :limit`),
  );

/** IS TRUE keeps the planner from the index by assistants, along which it would read all of their threads. */
const OF_CONTACTS = `
      SELECT h.* FROM threads h
       WHERE h.account_id = :accountId AND h.contact = ANY (:contacts::text[])
         AND (h.assistant_id = ANY (:assistantIds::uuid[])) IS TRUE ${FILTERED}`;

/** The same for threads of given addresses, which are found by these. */
export const PAGE_OF_CONTACTS = statement('thread-page-contacts')
  .takes(...ASKED, 'contacts', 'before', 'limit')
  .returns<CardRow>(SHOWN(`${OF_CONTACTS} AND ${BEHIND} ORDER BY h.id DESC LIMIT :limit`));

export const MISSING = statement('thread-contacts-missing').takes(...ASKED, 'contacts').returns<
  Pick<ThreadEntity, 'contact'>
>(`
  SELECT unnest(:contacts::text[]) AS contact EXCEPT SELECT contact FROM (${OF_CONTACTS}) h`);

export const STAGE_EXISTS = statement('thread-stage-exists').takes('accountId', 'assistantIds', 'statusId')
  .returns(`
  SELECT 1 FROM statuses WHERE account_id = :accountId AND id = :statusId AND assistant_id = ANY (:assistantIds::uuid[])`);

export const SCENARIO_EXISTS = statement('thread-scenario-exists').takes(
  'accountId',
  'assistantIds',
  'scenarioId',
).returns(`
  SELECT 1 FROM scenarios WHERE account_id = :accountId AND id = :scenarioId AND assistant_id = ANY (:assistantIds::uuid[])`);
