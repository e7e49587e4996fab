import type { MessageError, MessageRole, MessageStatus } from '@app/contracts/message.words';

/** A message as it is shown, of `messages m`. */
export interface MessageRow {
  id: string;
  provider_id: string | null;
  thread_id: string;
  role: MessageRole;
  type: string;
  text: string;
  status: MessageStatus;
  error_code: MessageError['code'] | null;
  error_message: string | null;
  provider_code: number | null;
  created_at: Date;
  /** When a customer wrote it; for ours, when the provider accepted it. */
  shown_sent_at: Date | null;
}

/** The columns of {@link MessageRow}. */
export const MESSAGE_COLUMNS = `
  m.id, m.provider_id, m.thread_id, m.role, m.type, m.text, m.status, m.error_code, m.error_message, m.provider_code,
  m.created_at, CASE WHEN m.inbound THEN m.sent_at ELSE m.accepted_at END AS shown_sent_at`;

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
