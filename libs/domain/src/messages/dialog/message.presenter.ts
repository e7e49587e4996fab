import { isoOrNull } from '@app/contracts/values/iso-time';
import { describe } from '@app/contracts/message-content';
import type { Message, Pricing, QuotedMessage } from '@app/contracts/message.words';
import { formatThreadId } from '@app/contracts/uuid.format';
import type { MessageRow, QuotedRow } from '@app/persistence/messages/dialog/message-columns';
import { presentMedia } from './media.presenter';
import { contentOf, referralOf } from './message-content';

const UNKNOWN_PRICING: Pricing = { billable: null, category: null, type: null, model: null };

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
    author: row.author,
    media: presentMedia(row.media, row.role),
    content: row.deleted_at === null ? contentOf(row) : null,
    quoted: row.quoted && presentQuoted(row.quoted),
    referral: referralOf(row.content),
    pricing: row.pricing && { ...UNKNOWN_PRICING, ...row.pricing },
    edited_at: isoOrNull(row.edited_at),
    deleted_at: isoOrNull(row.deleted_at),
  };
}

/** Its text, or what it is where it has none. */
function presentQuoted({ id, role, type, text, content, transcript }: QuotedRow): QuotedMessage {
  if (text !== '') return { id, role, text };
  const media = { transcript: { text: transcript } };
  const message = { type, text, content: contentOf({ type, text, content }), media };
  const lines = { en: describe(message, 'en'), ru: describe(message, 'ru') };
  return { id, role, text: lines.en, ...(lines.en !== '' && { lines }) };
}
