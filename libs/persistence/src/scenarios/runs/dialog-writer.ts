import type { Transaction } from '../../database/database.service';
import { holderOfAddress } from '../../messages/incoming/address.statements';
import { statement } from '../../database/sql.statements';
import type { ThreadEntity } from '../../threads/thread.entity';
import { takeoverRuns, askForOperator, onlyWhere, set } from '../../threads/thread.rules';
import type { AsNumbers } from '../../database/row-types';
import { PERMITTED_BY, type PermitRow } from '../../work/heartbeat';
import { appendEvents } from '../../threads/thread-log.statements';
import { storeIn } from '../../messages/sending/outbox.repository';
import type { MessageToStore, DialogChanges, DialogTransaction, RunChanges } from './dialog-transaction';

/** The owner of the statements of an account's scenarios, which have slots besides those of the account's calls. */
export const scenariosOf = (accountId: string): string => `scenarios of ${accountId}`;

/** Why a message may not go into another dialog of the customer. */
export class RecipientRefusal extends Error {
  constructor(readonly reason: 'opted_out' | 'takeover') {
    super(reason);
  }
}

interface RecipientDialog extends Pick<ThreadEntity, 'opted_out'> {
  takeover: boolean;
}

/** The lock keeps the dialog as it is, its number included, until the message is stored. */
const LOCK_RECIPIENT = statement('scenario-recipient-lock').takes('accountId', 'botId', 'channel', 'contact')
  .returns<RecipientDialog>(`
  WITH cur AS MATERIALIZED (
    SELECT id, opted_out, takeover_until FROM threads
     WHERE account_id = :accountId AND id = ${holderOfAddress(
       { account: ':accountId::uuid', bot: ':botId::uuid', channel: ':channel::text' },
       ':contact::text',
     )} FOR NO KEY UPDATE),
  timed AS MATERIALIZED (SELECT cur.*, clock_timestamp() AS at FROM cur)
  SELECT t.opted_out, ${takeoverRuns('t', 't.at')} AS takeover FROM timed t`);

/**
 * Locks the dialog into which a message goes by another channel than its run's.
 * @throws RecipientRefusal, which must roll the transaction back
 */
async function requireRecipient(
  tx: Transaction,
  accountId: string,
  { botId, channel, intent, waitsForTakeover }: MessageToStore,
): Promise<void> {
  const [dialog] = await tx.run(LOCK_RECIPIENT, { accountId, botId, channel, contact: intent.contact });
  if (dialog?.opted_out) throw new RecipientRefusal('opted_out');
  if (dialog?.takeover && waitsForTakeover) throw new RecipientRefusal('takeover');
}

/** What becomes of dialogs and their runs, as given; each row is locked by its thread. */
const GIVEN = `
  clock AS MATERIALIZED (SELECT clock_timestamp() AS at),
  dialogs AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset(:dialogs::jsonb)
      AS d (thread_id uuid, has_runs boolean, due_at timestamptz, lease_ms float8, permit_ms float8, entries jsonb,
            attention text, attention_note text, attention_provider_code integer)),
  given AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset(:runs::jsonb)
      AS g (id uuid, state text, reason text, at_step integer, progress jsonb, next_at timestamptz, due_since timestamptz,
            speaks boolean, takes_back boolean, spoke_at timestamptz, last_message_id uuid, detached boolean,
            handed_over boolean, revision integer))`;

const WRITTEN = `
  written AS (
    UPDATE scenario_runs r
       SET state = g.state, reason = g.reason, at_step = g.at_step, progress = g.progress, next_at = g.next_at,
           due_since = g.due_since,
           spoke_at = CASE WHEN g.speaks THEN c.at WHEN g.takes_back THEN g.spoke_at ELSE r.spoke_at END,
           last_message_id = g.last_message_id, revision = g.revision, detached = g.detached, handed_over = g.handed_over,
           finished_at = CASE WHEN g.state IN ('done', 'failed', 'cancelled') THEN coalesce(r.finished_at, c.at) END
      FROM given g CROSS JOIN clock c
     WHERE r.account_id = :accountId AND r.id = ANY (:runIds::uuid[]) AND r.id = g.id),
  not_begun AS (DELETE FROM scenario_runs r WHERE r.account_id = :accountId AND r.id = ANY (:notBegunIds::uuid[]))`;

/** The entries of the dialogs' histories: of their runs, and of a person who is asked for. */
const LOGGED = `
  touched AS (
    UPDATE threads t
       SET version = t.version + jsonb_array_length(d.entries), has_runs = d.has_runs,
           ${set(onlyWhere('d.attention IS NOT NULL', 't', askForOperator('d.attention', 'd.attention_note', 'c.at', 'd.attention_provider_code')))}
      FROM dialogs d CROSS JOIN clock c
     WHERE t.account_id = :accountId AND t.id = ANY (:threadIds::uuid[]) AND t.id = d.thread_id
       AND (jsonb_array_length(d.entries) > 0 OR t.has_runs <> d.has_runs)
    RETURNING t.id, t.assistant_id, t.version - jsonb_array_length(d.entries) AS base, c.at, d.entries),
  entries AS (
    SELECT t.id, t.assistant_id, t.base + e.n AS version, t.at, e.entry
      FROM touched t CROSS JOIN jsonb_array_elements(t.entries) WITH ORDINALITY AS e (entry, n)),
  logged AS (${appendEvents('entries', { by: `'SCENARIO'`, actor: `t.entry -> 'actor'` }, [
    { type: `t.entry ->> 'type'`, body: `t.entry -> 'body'` },
  ])})`;

/** Parameters of what {@link DIALOGS_WRITTEN} reads. */
export const DIALOGS_WRITTEN_TAKES = [
  'accountId',
  'threadIds',
  'dialogs',
  'runIds',
  'runs',
  'notBegunIds',
] as const;

/** Runs and histories of dialogs whose threads are locked. It defines `clock`, `dialogs` and `logged`. */
export const DIALOGS_WRITTEN = `${GIVEN},
  ${WRITTEN},
  ${LOGGED}`;

/**
 * Writes what became of the runs of dialogs that this process serves. `lease_ms` null gives a dialog back; `permit_ms`
 * grants a permit for an effect outside.
 */
export const WRITE = statement('scenario-dialogs-write').takes(...DIALOGS_WRITTEN_TAKES).returns<
  AsNumbers<{ logged: number }> & PermitRow
>(`
  WITH ${DIALOGS_WRITTEN},
  kept AS (
    UPDATE scenario_queues q
       SET due_at = CASE WHEN d.lease_ms IS NULL THEN coalesce(d.due_at, 'infinity') ELSE q.due_at END,
           lease_token = CASE WHEN d.lease_ms IS NOT NULL THEN q.lease_token END,
           lease_until = c.at + make_interval(secs => d.lease_ms / 1000),
           permit_until = c.at + make_interval(secs => d.permit_ms / 1000)
      FROM dialogs d CROSS JOIN clock c
     WHERE q.account_id = :accountId AND q.thread_id = ANY (:threadIds::uuid[]) AND q.thread_id = d.thread_id
       AND d.has_runs),
  left_alone AS (
    DELETE FROM scenario_queues q USING dialogs d
     WHERE q.account_id = :accountId AND q.thread_id = ANY (:threadIds::uuid[]) AND q.thread_id = d.thread_id
       AND NOT d.has_runs)
  SELECT count(*)::float8 AS logged, ${PERMITTED_BY} FROM logged`);

/** What becomes of a dialog; without the rest, of its row of the queue too. */
type WrittenDialog = RunChanges & Partial<DialogChanges>;

/** Dialogs by the ids of their threads, with what became of them. */
type PlayedDialogs = ReadonlyMap<string, DialogTransaction>;

/**
 * Writes what became of dialogs, then the messages that their runs send: so a history tells of a run before it tells
 * of the run's message.
 * @returns what permits effects outside, if it is committed
 * @throws OutboxRefusal, RecipientRefusal, RowBusyError
 */
export async function writeDialogs(
  tx: Transaction,
  accountId: string,
  claimToken: string,
  dialogs: PlayedDialogs,
): Promise<PermitRow[]> {
  const changed = [...dialogs].flatMap(([threadId, { changes }]) =>
    changes ? [[threadId, changes] as const] : [],
  );
  if (changed.length === 0) return [];
  const permits = await tx.run(WRITE, { accountId, ...toWritten(changed) });
  // Last what counts against the quota, at whose row all sends of the account meet.
  const messages = [...dialogs.values()]
    .flatMap((dialog) => dialog.messages)
    .sort((one, other) => Number(one.counts) - Number(other.counts));
  for (const message of messages) if (!message.isOwn) await requireRecipient(tx, accountId, message);
  for (const group of Map.groupBy(messages, wayOf).values()) await store(tx, accountId, claimToken, group);
  return permits;
}

/** Messages that one statement can store. */
const wayOf = ({ botId, channel, assistantId, isOwn, counts }: MessageToStore): string =>
  [botId, channel, assistantId, isOwn, counts].join(' ');

async function store(
  tx: Transaction,
  accountId: string,
  token: string,
  messages: readonly MessageToStore[],
): Promise<void> {
  const [{ botId, channel, assistantId, claimMs, isOwn, counts }] = messages as [MessageToStore];
  await storeIn(tx, {
    sending: { accountId, botId, channel, assistantId, role: 'SYSTEM', actor: null },
    intents: messages.map(({ intent }) => intent),
    batchId: null,
    claim: { token, milliseconds: claimMs },
    idempotency: null,
    isOpen: isOwn,
    counts,
  });
}

/** Values of a statement that writes what became of dialogs. */
export function toWritten(changed: readonly (readonly [threadId: string, changes: WrittenDialog])[]) {
  const runs = changed.flatMap(([, changes]) => changes.runs);
  return {
    threadIds: changed.map(([threadId]) => threadId),
    dialogs: JSON.stringify(changed.map(toRecord)),
    runIds: runs.map(({ id }) => id),
    runs: JSON.stringify(runs),
    notBegunIds: changed.flatMap(([, changes]) => changes.notBegunIds),
  };
}

function toRecord([threadId, changes]: readonly [string, WrittenDialog]) {
  const { entries, hasRuns, dueAt, leaseMs, permitMs } = changes;
  const asking = entries.findLast(({ type }) => type === 'attention');
  return {
    thread_id: threadId,
    entries,
    has_runs: hasRuns,
    due_at: dueAt,
    lease_ms: leaseMs,
    permit_ms: permitMs,
    ...{ attention: asking?.body.to ?? null, attention_note: asking?.body.note ?? null },
    attention_provider_code: asking?.body.provider_code ?? null,
  };
}
