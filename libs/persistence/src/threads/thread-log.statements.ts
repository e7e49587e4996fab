import type { StageEntity } from '../assistants/assistant.entity';
import type { EventBody, EventEntity } from '../events/event.entity';
import type { AsNumbers, CamelCased, OrNull, Prefixed } from '../database/row-types';
import type { CardRow } from './card-columns';

/** An entry of a thread's log. Each part is an expression over the changed thread `t`. */
export interface Entry {
  type: string;
  /** Its data besides who did it, as jsonb. */
  body?: string;
  /** Its distance from the thread's first new version. */
  step?: string;
  /** Whether the entry is written; default: it is. */
  when?: string;
}

/** The data of an entry about a change. */
export const changed = (from: string, to: string): string =>
  `jsonb_build_object('from', ${from}, 'to', ${to})`;

/** The entries that several statements write. Each statement adds `step` and `when`. Arguments are expressions. */
export const ENTRIES = {
  opened: { type: `'opened'` },
  /** A change that only cards show. */
  card: { type: `'card'` },
  message: (id: string): Entry => ({ type: `'message'`, body: `jsonb_build_object('message_id', ${id})` }),
  /** @param former the state before; the same where only something else of the message is new */
  messageState: (id: string, state: string, former = 'NULL::text'): Entry => ({
    type: `'message_state'`,
    body: `jsonb_strip_nulls(jsonb_build_object('message_id', ${id}, 'from', ${former}, 'to', ${state}))`,
  }),
  /** An operator conducts the thread from now on. */
  handedToPerson: { type: `'handler'`, body: `'{"from": "AI", "to": "OPERATOR"}'::jsonb` },
  /** The agent conducts it again. */
  handedToAgent: { type: `'handler'`, body: `'{"from": "OPERATOR", "to": "AI"}'::jsonb` },
  /** An operator is asked for; a note may be null. */
  attention: (reason: string, note: string): Entry => ({
    type: `'attention'`,
    body: `${changed('NULL', reason)} || CASE WHEN ${note} IS NULL THEN '{}' ELSE jsonb_build_object('note', ${note}) END`,
  }),
  /** What the model itself said of its failure; null: no entry. */
  modelError: (words: string): Entry => ({
    type: `'model_error'`,
    body: `jsonb_build_object('from', NULL, 'to', NULL, 'note', ${words})`,
    step: '1',
    when: `${words} IS NOT NULL`,
  }),
  switchedOff: { type: `'ai'`, body: `'{"from": true, "to": false}'::jsonb` },
  switchedOn: { type: `'ai'`, body: `'{"from": false, "to": true}'::jsonb` },
  optedOut: { type: `'opt_out'`, body: `'{"from": false, "to": true}'::jsonb` },
  optedIn: { type: `'opt_out'`, body: `'{"from": true, "to": false}'::jsonb` },
} as const satisfies Record<string, Entry | ((...expressions: string[]) => Entry)>;

const selectEntry = ({ type, body = `'{}'::jsonb`, step = '0', when }: Entry): string =>
  `SELECT ${step} AS step, ${type} AS type, ${body} AS body${when === undefined ? '' : ` WHERE ${when}`}`;

/** The agent of a thread as histories and boards show it. */
export const agentAsActor = (row: string, account: string): string => `(
  SELECT jsonb_build_object('type', 'agent', 'id', g.id, 'name', g.name) FROM assistants g
   WHERE g.account_id = ${account} AND g.id = ${row}.assistant_id)`;

/**
 * Appends entries to the logs of threads, which are the history and the feed of the boards. No other statement
 * inserts a thread's events. Returns `account_id`, `thread_id` and `seq` of each entry.
 * @param threads rows of the changed threads: id, assistant_id, at, and the version of their first entry
 * @param of by: who did it, in the history's words; actor: as jsonb, or NULL; request: the id of the call, where one may have caused it;
 * account: a parameter, or `t.account_id` where the rows are of several accounts. Expressions over `t`.
 */
export const appendEvents = (
  threads: string,
  {
    by,
    actor = 'NULL',
    request,
    account = ':accountId',
  }: { by: string; actor?: string; request?: string; account?: string },
  entries: readonly Entry[],
): string => `
    INSERT INTO events (account_id, thread_id, assistant_id, version, type, at, body)
    SELECT ${account}, t.id, t.assistant_id, t.version + e.step, e.type, t.at,
           jsonb_build_object('by', ${by}, 'actor', ${actor}${request ? `, 'request_id', ${request}` : ''}) || e.body
      FROM ${threads} t CROSS JOIN LATERAL (
        ${entries.map(selectEntry).join('\n        UNION ALL ')}) e
     ORDER BY t.id, t.version, e.step
    RETURNING account_id, thread_id, seq`;

/** An event of the log, with what boards show besides. */
export type ThreadEvent = Pick<EventEntity, 'account_id' | 'thread_id' | 'assistant_id' | 'type' | 'at'> &
  Required<Pick<EventBody, 'by' | 'actor' | 'request_id'>> &
  AsNumbers<Pick<EventEntity, 'seq'> & Prefixed<'event_', Pick<EventEntity, 'version'>>> &
  OrNull<Prefixed<'to_', Pick<StageEntity, 'name' | 'kind' | 'order'>>> & {
    from_value: string | boolean | null;
    to_value: string | boolean | null;
    /** The thread as it was read with the event; null when no board of this process asked for it. */
    card: CardRow | null;
  };

/** An event that a statement of this process appended and committed. */
export interface CommittedEvent
  extends
    AsNumbers<Pick<EventEntity, 'seq' | 'version'>>,
    CamelCased<Pick<EventEntity, 'account_id' | 'thread_id'>> {
  /** When its statement began, by `performance.now()`: it may not know what was committed later. */
  begunAt: number;
  /** What boards get; null where the caller did not ask for it. */
  told: ThreadEvent | null;
}
