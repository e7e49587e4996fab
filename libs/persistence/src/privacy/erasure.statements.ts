import { RUN_REASONS } from '@app/contracts/scenario.words';
import { hasAny } from '../audit/audit-erasure.repository';
import type { NotNull } from '../database/row-types';
import { statement } from '../database/sql.statements';
import type { UnnamedFile } from '../media/media-file.repository';
import type { MediaEntity } from '../media/media.entity';
import { erasedMessageMark, optOutMark } from '../messages/dialog/erased.statements';
import { HIDDEN_KEYS, hiddenKey } from '../messages/sending/idempotency.repository';
import type { ThreadEntity } from '../threads/thread.entity';
import { uuidV7 } from '../threads/run.statements';
import { ASK_FOR_NOBODY, set } from '../threads/thread.rules';
import { appendEvents, ENTRIES } from '../threads/thread-log.statements';
import { SKIPPED } from '../webhooks-out/new-delivery.statements';

/** In the place of a text that must not be null. */
export const ERASED = 'erased';

/** In the place of what the provider said of an error: callers are told a sentence. */
const ERASED_ERROR = 'What the provider said was erased with its customer.';

/** Providers repeat a webhook for a week. Marks of webhooks are kept for twice as long. */
const REPEATED_FOR = `interval '14 days'`;

const OF_DIALOG = 'account_id = :accountId AND thread_id = :threadId';
const ITS = ['accountId', 'threadId'] as const;

/** A dialog with what names its customer. */
export type LockedDialog = Pick<ThreadEntity, 'id' | 'erased_at' | 'has_runs'> & {
  /** A message of it is on its way to the provider. */
  is_sending: boolean;
  messages: number;
};

/** Locked before all else but rows of imports. The customer's address is part of a unique key, so the lock is the strongest. */
export const LOCK = statement('erasure-lock').takes(...ITS).returns<LockedDialog>(`
  WITH cur AS MATERIALIZED (
    SELECT id, erased_at, has_runs FROM threads WHERE account_id = :accountId AND id = :threadId FOR UPDATE)
  SELECT c.*, m.* FROM cur c CROSS JOIN LATERAL (
    SELECT count(*)::int AS messages, coalesce(bool_or(status = 'sending' AND claim_until > now()), false) AS is_sending
      FROM messages WHERE ${OF_DIALOG}) m`);

/** Whether nothing has happened in a dialog since a time. */
export const IS_UNUSED = statement('erasure-is-unused').takes(...ITS, 'since').returns<{ unused: number }>(`
  SELECT 1 AS unused FROM threads WHERE account_id = :accountId AND id = :threadId AND last_activity_at < :since::timestamptz`);

/** What names the customer: addresses at the provider, and names. */
export interface CustomerWords {
  addresses: string[];
  names: string[];
}

/** A former address is not theirs any more where another dialog has it. */
export const CUSTOMER = statement('erasure-customer').takes(...ITS).returns<CustomerWords>(`
  WITH t AS MATERIALIZED (
    SELECT * FROM threads WHERE account_id = :accountId AND id = :threadId AND erased_at IS NULL),
  former AS (
    SELECT unnest(former_addresses) AS address FROM t
    UNION SELECT k.address FROM t JOIN thread_addresses k ON k.account_id = t.account_id AND k.thread_id = t.id
    UNION SELECT m.recipient FROM t JOIN messages m ON m.account_id = t.account_id AND m.thread_id = t.id)
  SELECT ARRAY(
           SELECT contact FROM t UNION SELECT phone FROM t UNION SELECT user_id FROM t UNION SELECT wa_id FROM t
           UNION SELECT f.address FROM former f WHERE NOT EXISTS (
             SELECT 1 FROM threads o WHERE o.account_id = :accountId AND o.contact IN (f.address, '+' || f.address)
                AND o.id <> :threadId) AND NOT EXISTS (
             SELECT 1 FROM t JOIN bots b ON b.account_id = t.account_id
               JOIN threads o ON o.account_id = b.account_id AND o.bot_id = b.id AND o.user_id = f.address AND o.id <> t.id)
           EXCEPT SELECT NULL) AS addresses,
         ARRAY(
           SELECT customer_name FROM t UNION SELECT name_override FROM t
           UNION SELECT n.name FROM t JOIN events e ON e.account_id = t.account_id AND e.thread_id = t.id AND e.type = 'name'
             CROSS JOIN LATERAL (VALUES (e.body ->> 'from'), (e.body ->> 'to')) n (name)
           EXCEPT SELECT NULL) AS names`);

/**
 * Before providers' ids go: a webhook that comes again is known by these, and a late report. A message of a history came
 * long after it was written; when it came says its id.
 */
export const MARK_MESSAGES = statement('erasure-mark-messages').takes(...ITS).returns(`
  INSERT INTO webhook_marks (account_id, mark)
  SELECT DISTINCT m.account_id, ${erasedMessageMark('m.bot_id', 'm.channel', 'i.id')}
    FROM messages m CROSS JOIN LATERAL (VALUES (m.provider_id), (m.whatsapp_id)) i (id)
   WHERE m.account_id = :accountId AND m.thread_id = :threadId AND i.id IS NOT NULL
     AND (m.created_at > now() - ${REPEATED_FOR} OR m.id > (SELECT ${uuidV7(`(now() - ${REPEATED_FOR})`)}))
  ON CONFLICT DO NOTHING`);

/**
 * Messages keep who wrote, when, of which kind, and what became of them. What a killed process was sending is unknown, and
 * its late answer is not written: it names the customer.
 */
export const EMPTY_MESSAGES = statement('erasure-empty-messages').takes(...ITS).returns(`
  UPDATE messages
     SET text = '', content = '{}', recipient = CASE WHEN recipient IS NOT NULL THEN '${ERASED}' END,
         provider_id = NULL, whatsapp_id = NULL, provider_response = NULL,
         error_message = CASE WHEN error_code IS NOT NULL THEN '${ERASED_ERROR}' END,
         status = CASE WHEN status = 'sending' THEN 'unknown' ELSE status END,
         error_code = CASE WHEN status = 'sending' THEN 'PROVIDER_ERROR' ELSE error_code END,
         due_at = NULL, claim_token = NULL, claim_until = NULL
   WHERE ${OF_DIALOG}`);

/** The files of its messages are gone, but for those that other dialogs show too. Returns which bytes it had. */
export const EMPTY_MEDIA = statement('erasure-empty-media').takes(...ITS).returns<
  Pick<MediaEntity, 'sha256'>
>(`
  WITH its AS MATERIALIZED (
    SELECT DISTINCT media_id AS id FROM messages WHERE ${OF_DIALOG} AND media_id IS NOT NULL),
  shared AS MATERIALIZED (
    SELECT i.id FROM its i WHERE EXISTS (
      SELECT 1 FROM messages o WHERE o.account_id = :accountId AND o.media_id = i.id AND o.thread_id <> :threadId)),
  locked AS MATERIALIZED (
    SELECT x.id, x.sha256 FROM media x
     WHERE x.account_id = :accountId AND x.id IN (SELECT id FROM its EXCEPT SELECT id FROM shared) ORDER BY x.id FOR UPDATE),
  gone AS (
    UPDATE media x
       SET state = 'gone', sha256 = NULL, size = NULL, mime_type = NULL, file_name = NULL, width = NULL, height = NULL,
           seconds = NULL, provider_ref = NULL, error = NULL, due_at = NULL, lease_token = NULL, lease_until = NULL,
           transcript_state = NULL, transcript_text = NULL, transcript_language = NULL, transcript_due_at = NULL,
           ended_at = clock_timestamp()
      FROM locked l WHERE x.account_id = :accountId AND x.id = l.id),
  loosened AS (
    UPDATE messages SET media_id = NULL WHERE ${OF_DIALOG} AND media_id IN (SELECT id FROM shared))
  SELECT sha256 FROM locked`);

export const LOCK_FILES = statement('erasure-lock-files').takes('accountId', 'files').returns<
  Pick<UnnamedFile, 'sha256'>
>(`
  SELECT sha256 FROM media_files WHERE account_id = :accountId AND sha256 = ANY (:files::text[]) ORDER BY sha256 FOR UPDATE`);

/**
 * Has bytes deleted that nothing names any more, whatever claims there are: whoever writes the same bytes finds them marked
 * when naming them, and writes them again. The files are locked.
 */
export const TAKE_FILES = statement('erasure-take-files').takes('accountId', 'files', 'leaseMs')
  .returns<UnnamedFile>(`
  UPDATE media_files f
     SET is_removed = true, claim_until = clock_timestamp() + make_interval(secs => :leaseMs::float8 / 1000)
   WHERE f.account_id = :accountId AND f.sha256 = ANY (:files::text[]) AND NOT EXISTS (
     SELECT 1 FROM media m WHERE m.account_id = f.account_id AND m.sha256 = f.sha256)
  RETURNING f.account_id, f.sha256`);

/**
 * Keys of its messages and keys that name the customer are hidden: they still forbid a second send. Those of lists have
 * others' messages too, so they are locked in one order.
 */
export const HIDE_KEYS = statement('erasure-hide-keys').takes(...ITS, 'patterns').returns(`
  WITH its AS MATERIALIZED (SELECT id, batch_id FROM messages WHERE ${OF_DIALOG}),
  keys AS MATERIALIZED (
    SELECT k.operation, k.key,
           k.message_id IN (SELECT id FROM its) OR k.batch_id IN (SELECT batch_id FROM its) AS is_its
      FROM idempotency_keys k
     WHERE k.account_id = :accountId AND k.key NOT LIKE ${HIDDEN_KEYS} AND (
           k.message_id IN (SELECT id FROM its) OR k.batch_id IN (SELECT batch_id FROM its)
        OR ${hasAny('k.key', ':patterns::text[]')})
     ORDER BY k.operation, k.key FOR UPDATE OF k),
  gone AS (
    DELETE FROM idempotency_keys k USING keys y
     WHERE k.account_id = :accountId AND k.operation = y.operation AND k.key = y.key
    RETURNING k.*, CASE WHEN y.is_its THEN NULL ELSE k.answer END AS left_answer)
  INSERT INTO idempotency_keys (account_id, operation, key, fingerprint, message_id, batch_id, answer, created_at)
  SELECT account_id, operation, ${hiddenKey('key')}, fingerprint, message_id, batch_id, left_answer, created_at FROM gone
  ON CONFLICT (account_id, operation, key) DO UPDATE
    SET fingerprint = excluded.fingerprint, message_id = excluded.message_id, batch_id = excluded.batch_id,
        answer = excluded.answer, created_at = excluded.created_at`);

const HIDDEN_ID = `'{"request_id": "${ERASED}"}'::jsonb`;

/** Entries whose values are a name or a text. */
const HAS_WORDS = `type IN ('name', 'message_edited', 'message_deleted')`;

/** The history keeps who did what and when; names, free texts and ids of calls that name the customer go. */
export const EMPTY_EVENTS = statement('erasure-empty-events').takes(...ITS, 'patterns').returns(`
  UPDATE events
     SET body = (body - 'note') || CASE WHEN ${HAS_WORDS} THEN '{"from": null, "to": null}' ELSE '{}' END::jsonb
           || CASE WHEN type = 'scenario' AND body ->> 'note' IN (${RUN_REASONS.map((word) => `'${word}'`).join(', ')})
                   THEN jsonb_build_object('note', body -> 'note') ELSE '{}' END
           || CASE WHEN ${hasAny(`body ->> 'request_id'`, ':patterns::text[]')} THEN ${HIDDEN_ID} ELSE '{}' END
   WHERE ${OF_DIALOG} AND (${HAS_WORDS} OR body ? 'note' OR ${hasAny(`body ->> 'request_id'`, ':patterns::text[]')})`);

/** Runs end, which the history tells of each that had begun, and keep their steps with their states. */
export const EMPTY_RUNS = statement('erasure-empty-runs').takes(...ITS, 'patterns').returns(`
  WITH open AS MATERIALIZED (
    SELECT jsonb_build_object('type', 'scenario', 'id', s.id, 'name', s.name, 'run_id', r.id) AS actor,
           row_number() OVER (ORDER BY r.id) AS place
      FROM scenario_runs r JOIN scenarios s ON s.account_id = r.account_id AND s.id = r.scenario_id
     WHERE r.account_id = :accountId AND r.thread_id = :threadId AND r.finished_at IS NULL AND r.state <> 'due'),
  clock AS MATERIALIZED (SELECT clock_timestamp() AS at),
  touched AS (
    UPDATE threads t SET version = t.version + (SELECT count(*) FROM open)
     WHERE t.account_id = :accountId AND t.id = :threadId AND EXISTS (SELECT 1 FROM open)
    RETURNING t.id, t.assistant_id, t.version - (SELECT count(*) FROM open) AS base),
  entries AS (
    SELECT t.id, t.assistant_id, t.base + o.place AS version, c.at, o.actor
      FROM touched t CROSS JOIN open o CROSS JOIN clock c),
  logged AS (${appendEvents('entries', { by: `'SCENARIO'`, actor: 't.actor' }, [
    { type: `'scenario'`, body: `'{"from": null, "to": "cancelled", "note": "person"}'::jsonb` },
  ])})
  UPDATE scenario_runs r
     SET state = CASE WHEN r.finished_at IS NULL THEN 'cancelled' ELSE r.state END,
         reason = CASE WHEN r.finished_at IS NULL THEN 'person' ELSE r.reason END,
         finished_at = coalesce(r.finished_at, clock_timestamp()), next_at = NULL,
         cause = r.cause || CASE WHEN ${hasAny(`r.cause ->> 'request_id'`, ':patterns::text[]')} THEN ${HIDDEN_ID} ELSE '{}' END,
         progress = (
           SELECT coalesce(jsonb_agg(
                    CASE WHEN jsonb_typeof(p.step -> 'error') = 'object'
                         THEN jsonb_set(p.step, '{error,message}', '"${ERASED}"') ELSE p.step END ORDER BY p.n), '[]')
             FROM jsonb_array_elements(r.progress) WITH ORDINALITY p (step, n))
   WHERE r.account_id = :accountId AND r.thread_id = :threadId`);

export const DROP_QUEUE = statement('erasure-drop-queue')
  .takes(...ITS)
  .returns(`DELETE FROM scenario_queues WHERE ${OF_DIALOG}`);

export const DISCARD_REPLIES = statement('erasure-discard-replies').takes(...ITS).returns(`
  UPDATE replies SET state = 'discarded', lease_token = NULL, lease_until = NULL WHERE ${OF_DIALOG} AND state = 'due'`);

/** What was still to be told of it to endpoints of the account. */
export const SKIP_DELIVERIES = statement('erasure-skip-deliveries').takes(...ITS).returns(`
  WITH its AS MATERIALIZED (
    SELECT d.id FROM webhook_endpoints e
      JOIN endpoint_deliveries d ON d.account_id = e.account_id AND d.endpoint_id = e.id
     WHERE e.account_id = :accountId AND d.thread_id = :threadId AND d.state = 'pending'
     ORDER BY d.endpoint_id, d.seq FOR UPDATE OF d)
  UPDATE endpoint_deliveries d SET ${SKIPPED}
    FROM its i WHERE d.account_id = :accountId AND d.id = i.id`);

/** Reports that wait for a message of it. */
export const DROP_PARKED = statement('erasure-drop-parked').takes(...ITS).returns(`
  DELETE FROM parked_states p USING messages m
   WHERE m.account_id = :accountId AND m.thread_id = :threadId AND p.account_id = m.account_id AND p.bot_id = m.bot_id
     AND p.channel = m.channel AND p.provider_id IN (m.provider_id, m.whatsapp_id)`);

export const DROP_WORDS = statement('erasure-drop-words').takes(...ITS).returns(`
  WITH asked AS (DELETE FROM search_queue WHERE ${OF_DIALOG})
  DELETE FROM thread_search WHERE ${OF_DIALOG}`);

const NUMBER = { account: 't.account_id', bot: 't.bot_id', channel: 't.channel' };

/** By each address that leads to it. */
const MARKS = `SELECT ${optOutMark(NUMBER, 'a.address')} AS mark FROM (
             SELECT t.contact AS address UNION SELECT t.user_id
             UNION SELECT k.address FROM thread_addresses k WHERE k.account_id = t.account_id AND k.thread_id = t.id) a`;

/** An opt-out holds for the next dialog of the customer, and a START of this dialog takes an earlier one back. */
export const KEEP_OPT_OUT = statement('erasure-keep-opt-out').takes(...ITS).returns(`
  WITH marks AS MATERIALIZED (
    SELECT t.account_id, t.opted_out, m.mark FROM threads t CROSS JOIN LATERAL (${MARKS}) m
     WHERE t.account_id = :accountId AND t.id = :threadId AND t.erased_at IS NULL AND m.mark IS NOT NULL),
  taken_back AS (
    DELETE FROM kept_opt_outs o USING marks k WHERE o.account_id = k.account_id AND o.mark = k.mark AND NOT k.opted_out)
  INSERT INTO kept_opt_outs (account_id, mark) SELECT DISTINCT account_id, mark FROM marks WHERE opted_out
  ON CONFLICT DO NOTHING`);

/** Nothing leads to it any more, and no other dialog of the customer names it. */
export const DROP_ADDRESSES = statement('erasure-drop-addresses').takes(...ITS).returns(`
  WITH dropped AS (DELETE FROM thread_addresses WHERE ${OF_DIALOG}),
  others AS MATERIALIZED (
    SELECT id FROM threads WHERE account_id = :accountId AND id IN (
      SELECT unnest(same_customer) FROM threads WHERE account_id = :accountId AND id = :threadId) ORDER BY id FOR NO KEY UPDATE),
  parted AS (
    UPDATE threads t SET same_customer = nullif(array_remove(t.same_customer, :threadId::uuid), '{}'), version = t.version + 1
      FROM others o WHERE t.account_id = :accountId AND t.id = o.id
    RETURNING t.id, t.assistant_id, t.version, clock_timestamp() AS at)
  ${appendEvents('parted', { by: `'SYSTEM'` }, [ENTRIES.card])}`);

/**
 * The skeleton: the stage, the times and the counts. Its address is free for another dialog, and it is closed as one whose
 * customer has opted out: nobody writes there.
 */
export const EMPTY_DIALOG = statement('erasure-empty-dialog').takes(...ITS, 'by', 'actor', 'requestId')
  .returns<NotNull<Pick<ThreadEntity, 'erased_at'>>>(`
  WITH was AS MATERIALIZED (SELECT id, erased_at FROM threads WHERE account_id = :accountId AND id = :threadId),
  clock AS MATERIALIZED (SELECT clock_timestamp() AS at),
  emptied AS (
    UPDATE threads t
       SET contact = '${ERASED}:' || t.id, phone = NULL, user_id = NULL, wa_id = NULL, former_addresses = NULL, customer_name = NULL,
           username = NULL, phone_proven = false, same_customer = NULL,
           name_override = NULL, last_message_text = CASE WHEN t.last_message_text IS NOT NULL THEN '' END,
           last_message_lines = NULL,
           unread_count = 0, waiting_message_id = NULL, waiting_at = NULL, waiting_since = NULL, burst_started_at = NULL,
           ${set(ASK_FOR_NOBODY)}, takeover_until = NULL, ai_enabled = false, opted_out = true, ai_epoch = t.ai_epoch + 1,
           has_runs = false, erased_at = coalesce(t.erased_at, c.at), version = t.version + (w.erased_at IS NULL)::int
      FROM was w CROSS JOIN clock c WHERE t.account_id = :accountId AND t.id = w.id
    RETURNING t.id, t.assistant_id, t.version, c.at, t.erased_at, w.erased_at IS NULL AS is_new),
  logged AS (${appendEvents(
    'emptied',
    { by: ':by::text', actor: ':actor::jsonb', request: ':requestId::text' },
    [{ type: `'erased'`, when: 't.is_new' }],
  )})
  SELECT erased_at FROM emptied`);
