import type { Assignee } from '@app/contracts/lead.words';
import { MESSAGE_TYPES } from '@app/contracts/board-events';
import { mediaOf, transcriptOf, type MediaRow, type MediaEntity } from '../../media/media.entity';
import { shownContent } from '../../threads/message-kinds';
import type { MessageEntity } from './message.entity';

const PREVIEW_MAX = 500;

/**
 * What a dialog's card shows of its last message, as an expression over the message's text. Every list and every
 * event of the dialog carries it to every board, so it has at most 500 characters; the last one is an ellipsis where
 * there were more.
 */
export const previewOf = (text: string): string =>
  `CASE WHEN length(${text}) > ${PREVIEW_MAX} THEN left(${text}, ${PREVIEW_MAX - 1}) || '…' ELSE ${text} END`;

/** A message as it is shown, of `messages m`. */
export interface MessageRow extends Pick<
  MessageEntity,
  | 'id'
  | 'provider_id'
  | 'thread_id'
  | 'role'
  | 'type'
  | 'text'
  | 'status'
  | 'error_code'
  | 'error_message'
  | 'provider_code'
  | 'created_at'
  | 'pricing'
  | 'edited_at'
  | 'deleted_at'
> {
  /** When the customer wrote it by their own clock; of ours, when the provider took it. */
  shown_sent_at: Date | null;
  /** The person of the account who wrote it. */
  author: Assignee | null;
  media: MediaRow | null;
  /** Of a message that came in: what a reader of webhooks has kept of it. */
  content: MessageEntity['content'];
  quoted: QuotedRow | null;
  /** Our id of the message that a reaction is about; null: we do not have it. */
  reacted_to: MessageEntity['id'] | null;
}

/** The message of the same dialog to which another one replies. It has its content where it has no text. */
export type QuotedRow = Pick<MessageEntity, 'id' | 'role' | 'type' | 'text' | 'content'> & {
  /** What is said in its audio. */
  transcript: MediaEntity['transcript_text'];
};

const QUOTED_CHARACTERS = 200;

/** A message `k` of the dialog of `m` that the messenger, or Gupshup, calls by one of two ids. Each is found by an index. */
const namedBy = (id: string, providerId: string): string => `(
    SELECT q.* FROM (VALUES (${id}), (${providerId})) AS named (reference)
      CROSS JOIN LATERAL (
        SELECT k.* FROM messages k
         WHERE k.account_id = m.account_id AND k.bot_id = m.bot_id AND k.channel = m.channel
           AND ((k.inbound AND k.provider_id = named.reference) OR (NOT k.inbound AND k.provider_id = named.reference)
                OR k.whatsapp_id = named.reference)) q
     WHERE q.thread_id = m.thread_id LIMIT 1)`;

const QUOTED = `CASE WHEN coalesce(m.content ->> 'replies_to', m.content ->> 'replies_to_provider_id') IS NOT NULL THEN (
    SELECT jsonb_build_object('id', q.id, 'role', q.role, 'type', q.type, 'text', left(q.text, ${QUOTED_CHARACTERS}),
                              'content', CASE WHEN q.text = '' THEN ${shownContent('q')} ELSE '{}' END,
                              'transcript', ${transcriptOf('q')})
      FROM ${namedBy(`m.content ->> 'replies_to'`, `m.content ->> 'replies_to_provider_id'`)} q) END`;

const REACTED_TO = `CASE WHEN m.type = 'reaction' THEN (
    SELECT q.id FROM ${namedBy(`m.content -> 'reaction' ->> 'message_id'`, `m.content -> 'reaction' ->> 'provider_id'`)} q) END`;

/** A message as far as it says what was said. */
export type SaidRow = Pick<
  MessageRow,
  'id' | 'role' | 'type' | 'text' | 'content' | 'quoted' | 'reacted_to' | 'deleted_at' | 'media'
>;

/** The columns of {@link SaidRow}. */
export const SAID_COLUMNS = `
  m.id, m.role, m.type, m.text, m.deleted_at, ${shownContent('m')} AS content, ${QUOTED} AS quoted, ${REACTED_TO} AS reacted_to,
  CASE WHEN m.deleted_at IS NULL THEN ${mediaOf('m')} END AS media`;

/** Types of entries of the log that name a message, as a list of SQL. */
export const NAMES_MESSAGE = `(${MESSAGE_TYPES.map((type) => `'${type}'`).join(', ')})`;

/** No table is read for a message of nobody's. */
const AUTHOR = `CASE WHEN m.author_id IS NOT NULL THEN (
    SELECT jsonb_build_object('id', w.id, 'name', w.name) FROM users w WHERE w.account_id = m.account_id AND w.id = m.author_id) END`;

/** The person among the actors, as an id; null: it is none. @param actor as jsonb */
export const personOf = (actor: string): string =>
  `CASE WHEN ${actor} ->> 'type' = 'user' THEN (${actor} ->> 'id')::uuid END`;

/** The columns of {@link MessageRow}. */
export const MESSAGE_COLUMNS = `${SAID_COLUMNS},
  m.provider_id, m.thread_id, m.status, m.error_code, m.error_message, m.provider_code,
  m.created_at, CASE WHEN m.inbound THEN m.sent_at ELSE m.accepted_at END AS shown_sent_at,
  m.pricing, m.edited_at, ${AUTHOR} AS author`;

/** Whether a caller sees the message `m`: a key's bot sent it, or it is in a thread of their agents. */
export const IS_VISIBLE_MESSAGE = `(m.bot_id = ANY (:botIds::uuid[]) AND NOT m.inbound OR EXISTS (
       SELECT 1 FROM threads seen WHERE seen.account_id = m.account_id AND seen.id = m.thread_id
          AND seen.assistant_id = ANY (:assistantIds::uuid[])))`;

/** {@link MessageRow} as jsonb. Its times are text. */
export type MessageValue = {
  [Column in keyof MessageRow]: MessageRow[Column] extends Date | null
    ? string | Extract<MessageRow[Column], null>
    : MessageRow[Column];
};

const dateOrNull = (text: string | null): Date | null => (text === null ? null : new Date(text));

export const messageOf = (value: MessageValue): MessageRow => ({
  ...value,
  created_at: new Date(value.created_at),
  edited_at: dateOrNull(value.edited_at),
  deleted_at: dateOrNull(value.deleted_at),
  shown_sent_at: dateOrNull(value.shown_sent_at),
});
