import type { RowFault } from '@app/contracts/transfer.words';
import type { BotEntity } from '../bots/bot.entity';
import type { StageEntity } from '../assistants/assistant.entity';
import type { UserEntity } from '../accounts/people/user.entity';
import { SEES_ASSISTANT } from '../accounts/people/session.statements';
import { statement } from '../database/sql.statements';
import type { Prefixed } from '../database/row-types';
import { holderOfAddress } from '../messages/incoming/address.statements';
import { shownName } from '../threads/thread.rules';
import type { ThreadEntity } from '../threads/thread.entity';
import { appendAccountEvents } from '../events/event.statements';
import { leaseFor } from '../work/work.statements';
import type { ImportChunkEntity, ImportEntity } from './import.entity';

/** Parameters that name an import. */
export const OF_IMPORT = ['accountId', 'id'] as const;

const ITS = 'i.account_id = :accountId AND i.id = :id';

/** An import whose next chunk is taken in. */
export interface HeldImport
  extends
    Pick<ImportEntity, 'assistant_id' | 'bot_id' | 'channel' | 'start_scenarios'>,
    Pick<ImportEntity, 'set_by' | 'actor' | 'request_id'>,
    Prefixed<'bot_', Pick<BotEntity, 'assistant_id'>> {}

/**
 * Locks an import for as long as a chunk of it is taken in, and renews its lease. No row: somebody else has it, or it has
 * ended. Whoever cancels it waits for the chunk.
 */
export const HOLD = statement('import-hold').takes(...OF_IMPORT, 'token', 'leaseMs').returns<HeldImport>(`
  WITH locked AS MATERIALIZED (
    SELECT i.id FROM imports i WHERE ${ITS} AND i.lease_token = :token AND i.state = 'running' FOR NO KEY UPDATE),
  leased AS MATERIALIZED (SELECT l.id, ${leaseFor(':leaseMs')} AS until FROM locked l)
  UPDATE imports i SET lease_until = l.until
    FROM leased l, bots b
   WHERE i.account_id = :accountId AND i.id = l.id AND b.account_id = :accountId AND b.id = i.bot_id
  RETURNING i.assistant_id, i.bot_id, i.channel, i.start_scenarios, i.set_by, i.actor, i.request_id,
            b.assistant_id AS bot_assistant_id`);

type NextChunk = Pick<ImportChunkEntity, 'first_row'> & { rows: NonNullable<ImportChunkEntity['rows']> };

const NEXT = `
  SELECT first_row, rows FROM import_chunks
   WHERE account_id = :accountId AND import_id = :id AND rows IS NOT NULL ORDER BY first_row LIMIT 1`;

/** The next rows. */
export const NEXT_CHUNK = statement('import-next-chunk')
  .takes(...OF_IMPORT)
  .returns<NextChunk>(NEXT);

/** The next rows, to be taken in. Whoever erases a customer takes them out of rows that nobody has locked. */
export const LOCK_CHUNK = statement('import-lock-chunk')
  .takes(...OF_IMPORT)
  .returns<NextChunk>(`${NEXT} FOR UPDATE`);

export type FunnelName = Pick<StageEntity, 'id' | 'name_folded'>;

export const FUNNEL = statement('import-funnel').takes('accountId', 'assistantId').returns<FunnelName>(`
  SELECT id, name_folded FROM statuses
   WHERE account_id = :accountId AND assistant_id = :assistantId AND archived_at IS NULL`);

export interface KnownPerson extends Pick<UserEntity, 'id' | 'name' | 'email'> {
  disabled: boolean;
  /** Whether they see the agent's dialogs. */
  sees: boolean;
}

/** The people of an agent's account. */
export const PEOPLE = statement('import-people').takes('accountId', 'assistantId').returns<KnownPerson>(`
  SELECT u.id, u.name, u.email, u.disabled_at IS NOT NULL AS disabled, ${SEES_ASSISTANT('u', ':assistantId::uuid')} AS sees
    FROM users u WHERE u.account_id = :accountId`);

/** What rows name: the stages of the agent, and the people of the account. */
export interface NamedInRows {
  funnel: readonly FunnelName[];
  people: readonly KnownPerson[];
}

/** A lead as it is now, by the address of its dialog. */
export interface PresentLead
  extends
    Pick<ThreadEntity, 'id' | 'contact' | 'assistant_id' | 'status_id' | 'assignee_id'>,
    Pick<ThreadEntity, 'customer_name'> {}

/** For an import that changes nothing. `customer_name` is the one that is shown. */
export const PRESENT_LEADS = statement('import-present-leads').takes(
  ...(['accountId', 'botId', 'channel', 'contacts'] as const),
).returns<PresentLead>(`
  SELECT t.id, c.contact, t.assistant_id, t.status_id, t.assignee_id, ${shownName('t')} AS customer_name
    FROM unnest(:contacts::text[]) c (contact) JOIN threads t ON t.account_id = :accountId AND t.id = ${holderOfAddress(
      { account: ':accountId::uuid', bot: ':botId::uuid', channel: ':channel::text' },
      'c.contact',
    )}`);

/** Its rows are gone. What was wrong with them stays for as long as the import. No row: somebody was quicker. */
export const END_CHUNK = statement('import-chunk-end').takes(...OF_IMPORT, 'firstRow', 'faults').returns<{
  ended: number;
}>(`
  WITH kept AS (
    UPDATE import_chunks SET rows = NULL, faults = :faults::jsonb
     WHERE account_id = :accountId AND import_id = :id AND first_row = :firstRow AND rows IS NOT NULL AND :faults::jsonb IS NOT NULL
    RETURNING 1),
  dropped AS (
    DELETE FROM import_chunks
     WHERE account_id = :accountId AND import_id = :id AND first_row = :firstRow AND rows IS NOT NULL AND :faults::jsonb IS NULL
    RETURNING 1)
  SELECT 1 AS ended FROM (TABLE kept UNION ALL TABLE dropped) e`);

/** Tells that an import has ended, which is `ended`. One that changes nothing tells nobody. */
const TELL_END = `
  noted AS (
    SELECT e.account_id, e.assistant_id, jsonb_build_object(
             'by', e.set_by, 'actor', e.actor, 'request_id', e.request_id, 'bot_id', e.bot_id, 'channel', e.channel,
             'import_id', e.id, 'state', e.state, 'rows', e.rows, 'created', e.created_rows, 'moved', e.moved_rows,
             'unchanged', e.unchanged_rows, 'faults', e.faulty_rows) AS body
      FROM ended e WHERE NOT e.dry_run AND e.finished_at IS NOT NULL),
  told AS (${appendAccountEvents('noted', `'import'`)})`;

/** Adds what became of a chunk. With the last one the import is done. */
export const ADVANCE = statement('import-advance').takes(
  ...OF_IMPORT,
  ...(['created', 'moved', 'unchanged', 'faulty', 'wouldRun', 'wouldSend'] as const),
).returns<Pick<ImportEntity, 'state'>>(`
  WITH clock AS MATERIALIZED (SELECT clock_timestamp() AS at),
  counted AS MATERIALIZED (SELECT :created::int + :moved::int + :unchanged::int + :faulty::int AS rows),
  ended AS (
    UPDATE imports i
       SET done = i.done + n.rows, created_rows = i.created_rows + :created::int, moved_rows = i.moved_rows + :moved::int,
           unchanged_rows = i.unchanged_rows + :unchanged::int, faulty_rows = i.faulty_rows + :faulty::int,
           would_run = i.would_run + :wouldRun::int, would_send = i.would_send + :wouldSend::int, failures = 0,
           due_at = c.at, state = CASE WHEN i.done + n.rows >= i.rows THEN 'done' ELSE i.state END,
           finished_at = CASE WHEN i.done + n.rows >= i.rows THEN c.at END
      FROM clock c, counted n WHERE ${ITS}
    RETURNING i.*),
  ${TELL_END}
  SELECT state FROM ended`);

/** Ends an import that is under way, before its last row. What was to be taken in is gone. */
export const STOP = statement('import-stop').takes(...OF_IMPORT, 'state', 'failure').returns<
  Pick<ImportEntity, 'id' | 'done'>
>(`
  WITH clock AS MATERIALIZED (SELECT clock_timestamp() AS at),
  ended AS (
    UPDATE imports i
       SET state = :state, failure = :failure, finished_at = c.at, lease_token = NULL, lease_until = NULL
      FROM clock c WHERE ${ITS} AND i.state = 'running'
    RETURNING i.*),
  dropped AS (
    DELETE FROM import_chunks k USING ended e
     WHERE k.account_id = :accountId AND k.import_id = e.id AND k.rows IS NOT NULL),
  ${TELL_END}
  SELECT id, done FROM ended`);

/** Whether the rows of an import are not whole, and whoever stored them is gone by now. */
export const isAbandoned = (i: string): string =>
  `${i}.state = 'loading' AND ${i}.created_at < now() - interval '10 minutes'`;

/** All rows are stored. From here on it is taken in. */
export const BEGIN = statement('import-begin').takes(...OF_IMPORT, 'rows').returns<
  Pick<ImportEntity, 'state'>
>(`
  WITH clock AS MATERIALIZED (SELECT clock_timestamp() AS at),
  ended AS (
    UPDATE imports i
       SET state = CASE WHEN :rows::int = 0 THEN 'done' ELSE 'running' END, rows = :rows::int, due_at = c.at,
           finished_at = CASE WHEN :rows::int = 0 THEN c.at END
      FROM clock c WHERE ${ITS} AND i.state = 'loading' AND NOT (${isAbandoned('i')})
    RETURNING i.*),
  ${TELL_END}
  SELECT state FROM ended`);

const ERASED: RowFault = 'erased';

/** What is left of a row whose customer was erased before it was taken in. */
const ERASED_ROW = `jsonb_build_object('row', r -> 'row', 'faults', jsonb_build_array(jsonb_build_object(
             'column', NULL, 'reason', '${ERASED}', 'values', '{}'::jsonb,
             'message', 'was not taken in: its customer was erased meanwhile')))`;

/**
 * Takes the customer of a thread out of files that are being imported for the thread's bot: an import that was asked for before
 * opens no dialog afterwards. Run before the thread is locked: whoever takes rows in locks them first, and the threads then.
 */
export const TAKE_OUT_OF_IMPORTS = statement('import-take-out').takes('accountId', 'threadId').returns(`
  WITH customer AS MATERIALIZED (
    SELECT t.bot_id, t.channel, ARRAY(
             SELECT a FROM unnest(ARRAY[t.contact, t.phone] || t.former_addresses) a
             UNION SELECT '+' || a FROM unnest(t.former_addresses) a EXCEPT SELECT NULL) AS addresses
      FROM threads t WHERE t.account_id = :accountId AND t.id = :threadId AND t.erased_at IS NULL)
  UPDATE import_chunks k
     SET rows = (SELECT jsonb_agg(
                          CASE WHEN r ->> 'contact' = ANY (c.addresses) OR r ->> 'phone' = ANY (c.addresses)
                               THEN ${ERASED_ROW} ELSE r END ORDER BY e.place)
                   FROM jsonb_array_elements(k.rows) WITH ORDINALITY e (r, place))
    FROM customer c, imports i
   WHERE i.account_id = :accountId AND i.bot_id = c.bot_id AND i.channel = c.channel
     AND k.account_id = :accountId AND k.import_id = i.id AND k.rows IS NOT NULL
     AND EXISTS (SELECT 1 FROM unnest(c.addresses) a
                  WHERE k.rows @> jsonb_build_array(jsonb_build_object('contact', a))
                     OR k.rows @> jsonb_build_array(jsonb_build_object('phone', a)))`);
