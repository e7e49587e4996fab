import { mediaOf, type MediaRow } from '../media/media.columns';
import type { MessageEntity } from './message.entity';

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
> {
  /** When the customer wrote it by their own clock; of ours, when the provider took it. */
  shown_sent_at: Date | null;
  media: MediaRow | null;
  quoted: QuotedRow | null;
}

/** The message of the same dialog to which another one replies. */
export type QuotedRow = Pick<MessageEntity, 'id' | 'role' | 'type' | 'text'>;

const QUOTED_CHARACTERS = 200;

/** A customer names it by the messenger's id, and Gupshup by its own one too. Each is found by an index. */
const QUOTED = `CASE WHEN coalesce(m.content ->> 'replies_to', m.content ->> 'replies_to_provider_id') IS NOT NULL THEN (
    SELECT jsonb_build_object('id', q.id, 'role', q.role, 'type', q.type, 'text', left(q.text, ${QUOTED_CHARACTERS}))
      FROM (VALUES (m.content ->> 'replies_to'), (m.content ->> 'replies_to_provider_id')) AS named (reference)
      CROSS JOIN LATERAL (
        SELECT k.* FROM messages k
         WHERE k.account_id = m.account_id AND k.bot_id = m.bot_id AND k.channel = m.channel
           AND ((k.inbound AND k.provider_id = named.reference) OR (NOT k.inbound AND k.provider_id = named.reference)
                OR k.whatsapp_id = named.reference)) q
     WHERE q.thread_id = m.thread_id LIMIT 1) END`;

/** The columns of {@link MessageRow}. */
export const MESSAGE_COLUMNS = `
  m.id, m.provider_id, m.thread_id, m.role, m.type, m.text, m.status, m.error_code, m.error_message, m.provider_code,
  m.created_at, CASE WHEN m.inbound THEN m.sent_at ELSE m.accepted_at END AS shown_sent_at,
  ${mediaOf('m')} AS media, ${QUOTED} AS quoted`;

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

export const messageOf = (value: MessageValue): MessageRow => ({
  ...value,
  created_at: new Date(value.created_at),
  shown_sent_at: value.shown_sent_at === null ? null : new Date(value.shown_sent_at),
});
