import { isoOrNull } from '@app/contracts/iso.time';
import type { Message } from '@app/contracts/message.words';
import { formatThreadId } from '@app/contracts/thread-id.format';
import type { MessageRow } from '@app/persistence/messages/message.columns';
import { presentMedia } from './media.presenter';

export function presentMessage(row: MessageRow): Message {
  const { error_code: code, error_message: message, provider_code: providerCode } = row;
  return {
    id: row.id,
    message_id: row.provider_id,
    thread_id: formatThreadId(row.thread_id),
    role: row.role,
    type: row.type,
    text: row.text,
    status: row.status,
    error: code === null ? null : { code, message: message ?? '', provider_code: providerCode },
    created_at: row.created_at.toISOString(),
    sent_at: isoOrNull(row.shown_sent_at),
    media: presentMedia(row.media),
    ...(row.quoted && { replies_to: row.quoted }),
  };
}
