import type { AssistantEntity, StageEntity } from '../assistants/assistant.entity';
import type { FigureMessageEntity, FigurePositionEntity } from './figure.entity';
import type { AsNumbers, CamelCased } from '../database/row-types';
import { statement } from '../database/sql.statements';
import type { EventEntity } from '../events/event.entity';
import { OLDEST_XID } from '../events/event.statements';
import { countBacklog, type WorkBacklog } from '../work/work.statements';

/** An agent of an account. */
export type AgentRow = CamelCased<Pick<AssistantEntity, 'account_id'>> & Pick<AssistantEntity, 'id'>;

const SUCCESS_IDS = `
  coalesce((SELECT array_agg(id ORDER BY id) FROM statuses
             WHERE account_id = :accountId AND assistant_id = :assistantId AND kind = 'success'), '{}')`;

/** Agents whose log has events that are not counted yet, of all accounts. */
export const BEHIND = statement('figures-behind').takes('limit').returns<AgentRow>(`
  SELECT a.account_id AS "accountId", a.id FROM assistants a
    LEFT JOIN figure_positions p ON p.account_id = a.account_id AND p.assistant_id = a.id
   WHERE p.redone_to IS NOT NULL OR EXISTS (
     SELECT 1 FROM events e WHERE e.account_id = a.account_id AND e.assistant_id = a.id AND e.seq > coalesce(p.seq, 0))
   ORDER BY a.account_id, a.id LIMIT :limit`);

/** Each agent is looked up by its own index, whatever its log is. Nothing fails for good: it is counted by the next sweep. */
export const BACKLOG = statement('figures-backlog')
  .takes('accountId')
  .returns<WorkBacklog>(
    countBacklog(
      `SELECT a.account_id, e.at AS due_at, false AS held FROM assistants a
       LEFT JOIN figure_positions p ON p.account_id = a.account_id AND p.assistant_id = a.id
      CROSS JOIN LATERAL (
        SELECT at FROM events
         WHERE account_id = a.account_id AND assistant_id = a.id AND seq > coalesce(p.seq, 0) ORDER BY seq LIMIT 1) e`,
      'SELECT NULL::uuid AS account_id WHERE false',
    ),
  );

/** Of an agent that the account has. */
export const BEGIN = statement('figures-begin').takes('accountId', 'assistantId').returns(`
  INSERT INTO figure_positions (account_id, assistant_id, success_ids)
  SELECT account_id, id, ${SUCCESS_IDS} FROM assistants WHERE account_id = :accountId AND id = :assistantId
  ON CONFLICT (account_id, assistant_id) DO NOTHING`);

/** The agent's newest number that is visible. A range of agents with one in it: only the agent's own index has that order. */
export const NEWEST = statement('figures-newest').takes('accountId', 'assistantId').returns<
  AsNumbers<Pick<EventEntity, 'seq'>>
>(`
  SELECT coalesce((SELECT seq FROM events WHERE account_id = :accountId AND assistant_id = :assistantId
                    ORDER BY assistant_id DESC, seq DESC LIMIT 1), 0)::float8 AS seq`);

/**
 * Chooses up to which number events are counted next. A transaction that is newer than the current one belongs to a
 * database from which this one was restored.
 */
export const CHOOSE_NEXT = statement('figures-choose-next').takes('accountId', 'assistantId', 'seq', 'xid')
  .returns(`
  UPDATE figure_positions SET next_seq = :seq, next_xid = :xid
   WHERE account_id = :accountId AND assistant_id = :assistantId AND seq < :seq::bigint
     AND (next_seq IS NULL OR next_xid > :xid::bigint)`);

/** A position, with what is known of it now. */
export interface LockedPosition extends AsNumbers<Pick<FigurePositionEntity, 'seq' | 'next_seq'>> {
  /** Whether no event up to `next_seq` can become visible any more. */
  passed: boolean;
  redone_to: FigurePositionEntity['redone_to'];
  /** The agent's stages of kind success now, and whether they are others than before. */
  success_ids: FigurePositionEntity['success_ids'];
  changed: boolean;
}

const LOCK_TEXT = (lock: string): string => `
  SELECT p.seq::float8 AS seq, p.next_seq::float8 AS next_seq, p.redone_to, s.ids::text[] AS success_ids,
         p.success_ids <> s.ids AS changed,
         coalesce(${OLDEST_XID}::bigint >= p.next_xid, false) AS passed
    FROM (SELECT seq, next_seq, next_xid, redone_to, success_ids FROM figure_positions
           WHERE account_id = :accountId AND assistant_id = :assistantId FOR UPDATE ${lock}) p
    CROSS JOIN (SELECT ${SUCCESS_IDS} AS ids) s`;

/** Waits for whoever counts for the agent. */
export const LOCK = statement('figures-lock')
  .takes('accountId', 'assistantId')
  .returns<LockedPosition>(LOCK_TEXT(''));

/** Finds nothing where somebody counts for the agent. */
export const LOCK_IF_FREE = statement('figures-lock-if-free')
  .takes('accountId', 'assistantId')
  .returns<LockedPosition>(LOCK_TEXT('SKIP LOCKED'));

/** An event that figures are made of. */
export interface FigureEvent extends AsNumbers<Pick<EventEntity, 'seq'>>, Pick<EventEntity, 'thread_id'> {
  /** Of a move or an opening: the stage; else null. */
  to_id: StageEntity['id'] | null;
  /** Of a message; else null. */
  message_id: FigureMessageEntity['message_id'] | null;
}

/** The agent's next events that figures are made of. */
export const NEXT_EVENTS = statement('figures-next-events').takes(
  'accountId',
  'assistantId',
  'after',
  'upTo',
  'limit',
).returns<FigureEvent>(`
  SELECT e.seq::float8 AS seq, e.thread_id, e.body ->> 'to' AS to_id, e.body ->> 'message_id' AS message_id
    FROM events e
   WHERE e.account_id = :accountId AND e.assistant_id <= :assistantId
     AND (e.assistant_id, e.seq) > (:assistantId::uuid, :after::bigint)
     AND e.seq <= coalesce(:upTo::bigint, 9223372036854775807)
     AND e.type IN ('opened', 'status', 'message', 'message_state')
   ORDER BY e.assistant_id, e.seq LIMIT :limit`);

/** Every event up to the number is counted for good. */
export const ADVANCE = statement('figures-advance').takes('accountId', 'assistantId', 'seq').returns(`
  UPDATE figure_positions
     SET seq = :seq, next_seq = CASE WHEN next_seq > :seq::bigint THEN next_seq END,
         next_xid = CASE WHEN next_seq > :seq::bigint THEN next_xid END
   WHERE account_id = :accountId AND assistant_id = :assistantId`);

/** Other stages are of kind success now, so that `converted` is to be decided anew for every dialog. */
export const CHANGE_SUCCESS = statement('figures-change-success').takes(
  'accountId',
  'assistantId',
  'successIds',
).returns(`
  UPDATE figure_positions SET success_ids = :successIds::uuid[], redone_to = '00000000-0000-0000-0000-000000000000'
   WHERE account_id = :accountId AND assistant_id = :assistantId`);
