import type { AttentionReason, MessageHandler } from '@app/contracts/lead.words';
import { CHANNELS, type Channel } from '@app/contracts/message.words';
import type { RunState } from '@app/contracts/scenario.words';
import type { StageKind } from '@app/contracts/stage.words';
import type { ValuesOf } from '../database/sql.statements';
import { shownState } from './run.statements';
import { agentConducts, isWaiting, needsPerson } from './thread.rules';
import { finds } from './thread-search.statements';

/** The filter of a list of dialogs. What is absent matches any. */
export interface ThreadFilter {
  botId?: string;
  channel?: Channel;
  /** Null: dialogs without a stage. */
  statusId?: string | null;
  /** At one of these stages; null among them: or at none. */
  statusIds?: readonly (string | null)[];
  statusKind?: StageKind;
  messageHandler?: MessageHandler;
  waiting?: boolean;
  unread?: boolean;
  optedOut?: boolean;
  /** Whether an operator is asked for, or for which reason. */
  attention?: boolean | AttentionReason;
  /** In which a person has to come, as a process with a model sees it, or one without. */
  needsPerson?: { hasModel: boolean };
  /** Null: dialogs that are assigned to nobody. */
  assigneeId?: string | null;
  /** A run of this scenario, in this state; both: one run is both. */
  scenarioId?: string;
  runState?: RunState;
  /** What a search is for, as a `tsquery`. */
  query?: string;
  createdAfter?: Date;
  createdBefore?: Date;
  activeAfter?: Date;
  /** Addresses by which dialogs are found. */
  contacts?: readonly string[];
  /** Among these dialogs only. */
  among?: readonly string[];
}

/** The filters as parameters. Each applies alone, or is null. */
export const ASKED = [
  'accountId',
  'assistantIds',
  'botId',
  'channel',
  'hasStatus',
  'statusId',
  'hasStatuses',
  'statusIds',
  'orNoStatus',
  'statusKind',
  'handler',
  'waiting',
  'unread',
  'optedOut',
  'query',
  'createdAfter',
  'createdBefore',
  'activeAfter',
  'attention',
  'attentionReason',
  'needsPerson',
  'hasModel',
  'hasAssignee',
  'assigneeId',
  'hasRun',
  'scenarioId',
  'runState',
  'contacts',
  'among',
] as const;

/** The threads of given addresses. Those of a former version have no rows of addresses, and are found by their columns. */
const LED_TO = `
          SELECT k.thread_id FROM thread_addresses k WHERE k.account_id = :accountId AND k.address = ANY (:contacts)
          UNION SELECT k.id FROM threads k WHERE k.account_id = :accountId AND k.contact = ANY (:contacts)
          UNION SELECT k.id FROM bots b JOIN threads k ON k.account_id = b.account_id AND k.bot_id = b.id
                  AND k.channel IN (${CHANNELS.map((channel) => `'${channel}'`).join(', ')}) AND k.user_id = ANY (:contacts)
                 WHERE b.account_id = :accountId`;

/** The conditions on a thread `h`. Where `hasRun`, one run is of the scenario and in the state. A `statusId` of null counts where `hasStatus` is true. */
export const FILTERED = `
        AND (:botId::uuid IS NULL OR h.bot_id = :botId) AND (:channel::text IS NULL OR h.channel = :channel)
        AND (NOT :hasStatus::boolean OR h.status_id = :statusId::uuid OR (:statusId::uuid IS NULL AND h.status_id IS NULL))
        AND (NOT :hasStatuses::boolean OR h.status_id = ANY (:statusIds::uuid[]) OR (:orNoStatus::boolean AND h.status_id IS NULL))
        AND (:statusKind::text IS NULL
             OR h.status_id IN (SELECT id FROM statuses WHERE account_id = :accountId AND kind = :statusKind))
        AND (:handler::text IS NULL OR ${agentConducts('h', 'clock_timestamp()')} = (:handler = 'AI'))
        AND (:waiting::boolean IS NULL OR ${isWaiting('h')} = :waiting)
        AND (:unread::boolean IS NULL OR (h.unread_count > 0) = :unread)
        AND (:optedOut::boolean IS NULL OR h.opted_out = :optedOut)
        AND (:query::text IS NULL OR EXISTS (
          SELECT 1 FROM thread_search f WHERE f.account_id = :accountId AND f.thread_id = h.id AND ${finds('f', ':query')}))
        AND (:createdAfter::timestamptz IS NULL OR h.created_at >= :createdAfter)
        AND (:createdBefore::timestamptz IS NULL OR h.created_at < :createdBefore)
        AND (:activeAfter::timestamptz IS NULL OR h.last_activity_at >= :activeAfter)
        AND (:attention::boolean IS NULL OR (h.attention IS NOT NULL) = :attention)
        AND (:attentionReason::text IS NULL OR h.attention = :attentionReason)
        AND (NOT :needsPerson::boolean OR ${needsPerson('h', 'clock_timestamp()', ':hasModel::boolean')})
        AND (NOT :hasAssignee::boolean OR h.assignee_id = :assigneeId::uuid OR (:assigneeId::uuid IS NULL AND h.assignee_id IS NULL))
        AND (:contacts::text[] IS NULL OR h.id = ANY (ARRAY(${LED_TO}))) AND (:among::uuid[] IS NULL OR h.id = ANY (:among))
        AND (NOT :hasRun::boolean OR EXISTS (
          SELECT 1 FROM scenario_runs r
           WHERE r.account_id = :accountId AND r.thread_id = h.id AND r.state <> 'due'
             AND (:scenarioId::uuid IS NULL OR r.scenario_id = :scenarioId)
             AND (:runState::text IS NULL OR ${shownState('r', '(SELECT automation_paused FROM accounts WHERE id = :accountId)')} = :runState)))`;

/**
 * Whether few dialogs may match, so that a page is sought among all of the account. A plan for any filter takes up to ten
 * times as long: 2.1 s instead of 0.2 for the dialogs with failed runs among 150,000.
 */
export const readsAll = ({
  attention,
  needsPerson: needed,
  waiting,
  messageHandler,
  statusKind,
  ...rest
}: ThreadFilter): boolean =>
  [attention, needed, waiting, messageHandler, statusKind, rest.unread, rest.optedOut].some(isGiven) ||
  [
    rest.assigneeId,
    rest.statusId,
    rest.statusIds,
    rest.query,
    rest.activeAfter,
    rest.runState,
    rest.among,
  ].some(isGiven);

const isGiven = (filter: unknown): boolean => filter !== undefined;

/** Values of {@link ASKED}. @param of the account, and its agents whose dialogs are listed */
export const filterValues = (
  of: { accountId: string; assistantIds: readonly string[] },
  filter: ThreadFilter,
): ValuesOf<(typeof ASKED)[number]> => ({
  accountId: of.accountId,
  assistantIds: of.assistantIds,
  botId: filter.botId ?? null,
  channel: filter.channel ?? null,
  hasStatus: filter.statusId !== undefined,
  statusId: filter.statusId ?? null,
  hasStatuses: filter.statusIds !== undefined,
  statusIds: (filter.statusIds ?? []).filter((id) => id !== null),
  orNoStatus: filter.statusIds?.includes(null) ?? false,
  statusKind: filter.statusKind ?? null,
  handler: filter.messageHandler ?? null,
  waiting: filter.waiting ?? null,
  unread: filter.unread ?? null,
  optedOut: filter.optedOut ?? null,
  query: filter.query ?? null,
  createdAfter: filter.createdAfter ?? null,
  createdBefore: filter.createdBefore ?? null,
  activeAfter: filter.activeAfter ?? null,
  ...attentionOf(filter),
  needsPerson: filter.needsPerson !== undefined,
  hasModel: filter.needsPerson?.hasModel ?? false,
  hasAssignee: filter.assigneeId !== undefined,
  assigneeId: filter.assigneeId ?? null,
  hasRun: filter.scenarioId !== undefined || filter.runState !== undefined,
  scenarioId: filter.scenarioId ?? null,
  runState: filter.runState ?? null,
  contacts: filter.contacts ?? null,
  among: filter.among ?? null,
});

const attentionOf = ({ attention }: ThreadFilter) =>
  typeof attention === 'string'
    ? { attention: true, attentionReason: attention }
    : { attention: attention ?? null, attentionReason: null };
