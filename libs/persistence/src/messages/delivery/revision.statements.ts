import { QUIET_TYPES } from '@app/contracts/message.words';
import { statement } from '../../database/sql.statements';
import type { EventEntity } from '../../events/event.entity';
import { isSaid } from '../../threads/message-kinds';
import type { ThreadEntity } from '../../threads/thread.entity';
import { findAgain } from '../../threads/thread-search.statements';
import { countsAsAnswer, isWaiting, mayBeAnswered, takeUp } from '../../threads/thread.rules';
import { appendEvents } from '../../threads/thread-log.statements';
import type { MediaEntity } from '../../media/media.entity';
import { threadIdOf, type AddressColumns } from '../incoming/address.statements';
import { insertFiles } from '../incoming/incoming-kind';
import type { CamelCased } from '../../database/row-types';
import { arrivalTime, isHeld } from '../incoming/arrival-time';
import type { ParkedStateEntity, MessageEntity } from '../dialog/message.entity';
import { erasedMessageMark } from '../dialog/erased.statements';
import { previewOf } from '../dialog/message-columns';

const AT_NUMBER = ['accountId', 'botId', 'channel'] as const;
const NAMED_CUSTOMER: AddressColumns = {
  ...{ account: ':accountId::uuid', bot: ':botId::uuid', channel: ':channel::text' },
  ...{ contact: ':contact::text', userId: ':userId::text' },
};

/** The message that a revision names, or null where it is not here; and whether it is one of an erased customer. */
export type NamedMessage = { [Column in 'id' | 'thread_id']: MessageEntity[Column] | null } & {
  is_erased: boolean;
};

/**
 * By the messenger's id of it, in the dialogs of the customer who is named beside it, maybe by an address that was given up
 * since. Whoever wrote a message may revise it, and nobody else.
 */
export const FIND_NAMED = statement('revision-find').takes(
  ...AT_NUMBER,
  'originalId',
  'revisionId',
  'byCustomer',
  'contact',
  'userId',
).returns<NamedMessage>(`
  SELECT m.id, m.thread_id, EXISTS (
           SELECT 1 FROM webhook_marks w WHERE w.account_id = :accountId
              AND w.mark IN (${erasedMessageMark(':botId::uuid', ':channel::text', ':originalId::text')},
                             ${erasedMessageMark(':botId::uuid', ':channel::text', ':revisionId::text')})) AS is_erased
    FROM (SELECT ${threadIdOf(NAMED_CUSTOMER)} AS dialog) its LEFT JOIN LATERAL (
      SELECT k.id, k.thread_id FROM messages k JOIN threads t ON t.account_id = k.account_id AND t.id = k.thread_id
       WHERE k.account_id = :accountId AND k.bot_id = :botId AND k.channel = :channel AND (k.role = 'USER') = :byCustomer::boolean
         AND (its.dialog = ANY (array_append(t.same_customer, t.id)) OR t.former_addresses && ARRAY[:contact::text, :userId::text])
         AND ((k.inbound AND k.provider_id = :originalId) OR (NOT k.inbound AND k.provider_id = :originalId)
              OR k.whatsapp_id = :originalId)
       LIMIT 1) m ON true`);

/** A row of `parked_states` that is a revision, not a state. */
export const IS_REVISION = `state LIKE 'revision %'`;

/**
 * Keeps a revision until its message comes. Erasing its customer takes the webhook away, which is locked: whoever takes it
 * finds the revision after it.
 */
export const PARK_REVISION = statement('revision-park').takes(
  ...AT_NUMBER,
  ...(['originalId', 'revisionId', 'revision', 'deletes', 'webhook', 'heldBy'] as const),
).returns(`
  INSERT INTO parked_states (account_id, bot_id, channel, provider_id, state, body, next_check_at)
  SELECT :accountId::uuid, :botId::uuid, :channel::text, :originalId::text, 'revision ' || :revisionId::text, :revision::jsonb,
         CASE WHEN :deletes::boolean THEN clock_timestamp() + interval '1 second' END
   WHERE ${isHeld(':webhook::bigint', ':heldBy::uuid', 'FOR SHARE')}
  ON CONFLICT (account_id, bot_id, channel, provider_id, state) DO NOTHING`);

type ParkedRow = Pick<ParkedStateEntity, 'id' | 'body'>;

export const PARKED_REVISIONS = statement('revision-parked').takes(...AT_NUMBER, 'originalId')
  .returns<ParkedRow>(`
  SELECT id::text AS id, body FROM parked_states
   WHERE account_id = :accountId AND bot_id = :botId AND channel = :channel AND provider_id = :originalId AND ${IS_REVISION} ORDER BY id`);

export const UNPARK_REVISION = statement('revision-unpark').takes(...AT_NUMBER, 'originalId', 'revisionId')
  .returns<Pick<ParkedRow, 'id'>>(`
  DELETE FROM parked_states
   WHERE account_id = :accountId AND bot_id = :botId AND channel = :channel AND provider_id = :originalId
     AND state = 'revision ' || :revisionId::text
  RETURNING id::text AS id`);

/**
 * Deletions whose message may have been stored by a statement that did not see them, or by a process of the former version,
 * which knows none. Of all accounts.
 */
export const CHECK_DELETIONS = statement('revision-check-deletions').takes('limit').returns<
  ParkedRow & CamelCased<Pick<ParkedStateEntity, 'account_id' | 'bot_id' | 'channel'>>
>(`
  WITH due AS MATERIALIZED (
    SELECT * FROM parked_states WHERE next_check_at <= now() AND ${IS_REVISION}
     ORDER BY next_check_at LIMIT :limit FOR UPDATE SKIP LOCKED),
  checked AS (
    UPDATE parked_states p
       SET next_check_at = CASE WHEN p.created_at > now() - interval '15 minutes' THEN now() + interval '5 seconds' END
      FROM due d WHERE p.account_id = d.account_id AND p.id = d.id)
  SELECT account_id AS "accountId", bot_id AS "botId", channel, id::text AS id, body FROM due`);

/** What a message said before the edit as which it was stored. */
export const TELL_FORMER = statement('revision-tell-former').takes(
  ...(['accountId', 'threadId', 'messageId', 'former', 'text', 'by'] as const),
).returns<Pick<EventEntity, 'seq'>>(`
  WITH changed AS (
    UPDATE threads t SET version = t.version + 1 WHERE t.account_id = :accountId AND t.id = :threadId
    RETURNING t.*, clock_timestamp() AS at)
  ${appendEvents('changed', { by: ':by::text' }, [
    {
      type: `'message_edited'`,
      body: `jsonb_build_object('message_id', :messageId::uuid, 'from', :former::text, 'to', :text::text)`,
    },
  ])}`);

/**
 * A message that was stored as its edit gets what the original has besides: its type, its file unless the edit has its own,
 * and what the edit does not say. @returns the file that is to be fetched
 */
export const COMPLETE = statement('revision-complete').takes(
  ...(['accountId', 'messageId', 'type', 'content', 'file'] as const),
).returns<Pick<MediaEntity, 'id'>>(`
  WITH completed AS (
    UPDATE messages m
       SET type = :type::text, content = :content::jsonb || m.content, media_id = coalesce(m.media_id, (:file::jsonb ->> 'id')::uuid)
     WHERE m.account_id = :accountId AND m.id = :messageId AND m.inbound AND m.deleted_at IS NULL
    RETURNING m.account_id, m.bot_id, m.channel, clock_timestamp() AS at,
              CASE WHEN m.media_id = (:file::jsonb ->> 'id')::uuid THEN :file::jsonb END AS file)
  ${insertFiles('completed')} RETURNING id`);

/** The statement that follows sees all that was committed before the lock was free. */
export const LOCK_THREAD = statement('revision-lock').takes('accountId', 'threadId').returns<
  Pick<ThreadEntity, 'id'>
>(`
  SELECT id FROM threads WHERE account_id = :accountId AND id = :threadId AND erased_at IS NULL FOR NO KEY UPDATE`);

const QUIET = QUIET_TYPES.map((type) => `'${type}'`).join(', ');

/** The card shows the message `m`: nothing that was said is newer. */
export const IS_LAST = `m.type NOT IN (${QUIET}) AND NOT EXISTS (
             SELECT 1 FROM messages n
              WHERE n.account_id = m.account_id AND n.thread_id = m.thread_id AND (n.created_at, n.id) > (m.created_at, m.id)
                AND ${isSaid('n')} AND n.type NOT IN (${QUIET}))`;

/** A message of the customer to which a reply is in the making, of which nothing has gone out yet. */
const IS_BEING_ANSWERED = `(m.role = 'USER' AND ${isWaiting('t')} AND EXISTS (
             SELECT 1 FROM replies r WHERE r.account_id = t.account_id AND r.message_id = t.waiting_message_id
                AND r.epoch = t.ai_epoch AND r.state = 'due' AND NOT r.part_sent)
           AND NOT EXISTS (
             SELECT 1 FROM messages n
              WHERE n.account_id = m.account_id AND n.thread_id = m.thread_id AND n.created_at > m.created_at
                AND NOT n.inbound AND ${isSaid('n')} AND ${countsAsAnswer('n.status')}))`;

/**
 * Changes or empties a message in its locked thread. A revision that is known, an edit older than the last one and one of
 * what was deleted change nothing; no row comes back then, nor of an edit into what the message says, as which it was stored. A reply in the making begins anew, after the quiet time.
 */
export const REVISE = statement('revision-apply').takes(
  'accountId',
  'threadId',
  'messageId',
  'revisionId',
  'deletes',
  'text',
  'content',
  'lines',
  'by',
  ...(['writtenAt', 'receivedAt', 'position', 'quietMs'] as const),
).returns<Pick<EventEntity, 'seq'>>(`
  WITH given AS MATERIALIZED (
    SELECT least(coalesce(:writtenAt::timestamptz, ${arrivalTime(':receivedAt', ':position')}),
                 ${arrivalTime(':receivedAt', ':position')}) AS written_at, clock_timestamp() AS at),
  was AS MATERIALIZED (
    SELECT m.id, m.text, :deletes OR m.text <> :text::text AS is_told, m.inbound, g.at, g.written_at, ${IS_LAST} AS is_last, ${IS_BEING_ANSWERED} AS is_being_answered,
           make_interval(secs => coalesce((SELECT s.reply_delay_ms FROM assistants s
             WHERE s.account_id = t.account_id AND s.id = t.assistant_id), :quietMs::int) / 1000.0) AS pause
      FROM given g CROSS JOIN messages m JOIN threads t ON t.account_id = m.account_id AND t.id = m.thread_id
     WHERE m.account_id = :accountId AND m.id = :messageId AND m.thread_id = :threadId AND m.deleted_at IS NULL
       AND NOT coalesce(m.content -> 'revisions' ? :revisionId::text, false)
       AND (:deletes::boolean OR coalesce(m.edited_at <= g.written_at, true))),
  revised AS (
    UPDATE messages m
       SET text = CASE WHEN :deletes THEN '' ELSE :text::text END,
           content = CASE WHEN :deletes THEN jsonb_build_object('deleted', jsonb_build_object('text', m.text, 'content', m.content))
                          ELSE m.content || CASE WHEN m.inbound THEN :content::jsonb ELSE '{}' END || jsonb_build_object('revisions',
                            coalesce(m.content -> 'revisions', '[]') || to_jsonb(:revisionId::text)) END,
           edited_at = CASE WHEN :deletes THEN m.edited_at ELSE w.written_at END,
           deleted_at = CASE WHEN :deletes THEN w.written_at END
      FROM was w WHERE m.account_id = :accountId AND m.id = w.id),
  changed AS (
    UPDATE threads t
       SET version = t.version + w.is_told::int, last_activity_at = w.at, ai_epoch = t.ai_epoch + w.is_being_answered::int,
           last_message_text = CASE WHEN NOT w.is_last THEN t.last_message_text WHEN :deletes THEN ''
                                    ELSE ${previewOf(`coalesce(:lines::jsonb ->> 'en', :text::text)`)} END,
           last_message_lines = CASE WHEN NOT w.is_last THEN t.last_message_lines WHEN :deletes THEN NULL ELSE :lines::jsonb END
      FROM was w WHERE t.account_id = :accountId AND t.id = :threadId
    RETURNING t.*, w.at, w.text AS former, w.is_told, w.is_being_answered, w.pause),
  taken_up AS (${takeUp(`
    SELECT c.id, c.waiting_message_id, c.ai_epoch, c.at + c.pause AS due_at FROM changed c
     WHERE c.is_being_answered AND :quietMs::int IS NOT NULL AND ${mayBeAnswered('c', 'c.at')}`)}),
  forgotten AS (
    DELETE FROM thread_search s USING changed c WHERE s.account_id = c.account_id AND s.thread_id = c.id),
  ${findAgain('changed')}
  ${appendEvents('changed', { by: ':by::text' }, [
    {
      type: `CASE WHEN :deletes THEN 'message_deleted' ELSE 'message_edited' END`,
      body: `jsonb_build_object('message_id', :messageId::uuid) || CASE WHEN :deletes THEN '{"from": null, "to": null}'
             ELSE jsonb_build_object('from', t.former, 'to', :text::text) END`,
      when: 't.is_told',
    },
  ])}`);
