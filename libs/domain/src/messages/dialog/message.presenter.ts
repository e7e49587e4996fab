import { isObject } from '@app/contracts/json-object';
import { type Media, type Transcript, isAudio } from '@app/contracts/media.words';
import {
  type ContactsContent,
  type MessageContent,
  type OrderContent,
  type Referral,
  describe,
} from '@app/contracts/message-content';
import type { MessageRole, Message, Pricing, QuotedMessage } from '@app/contracts/message.words';
import { formatThreadId } from '@app/contracts/uuid.format';
import { isoOrNull } from '@app/contracts/values/iso-time';
import type { MediaRow } from '@app/persistence/media/media.entity';
import type { MessageRow, QuotedRow } from '@app/persistence/messages/dialog/message-columns';

/** @param role of its message; null: it was uploaded */
export function presentMedia(row: MediaRow | null, role: MessageRole | null): Media | null {
  if (!row) return null;
  const { transcript_state: _state, transcript_text: _text, transcript_language: _language, ...shown } = row;
  const transcript = role === 'USER' ? transcriptIn(row) : null;
  return { ...shown, transcript, url: `/api/v1/messages/media/${row.id}` };
}

/** Of audio that does not come there will be none, and none is made of what is no audio after all. */
function transcriptIn(row: MediaRow): Transcript | null {
  if (!isAudio(row.kind)) return null;
  const { transcript_state: kept, transcript_text: text, transcript_language: language } = row;
  const state = row.state === 'failed' && kept === 'pending' ? 'failed' : (kept ?? 'none');
  return { state, text, language };
}

/** A message as it is stored, as far as its content is shown. */
type StoredContent = Pick<MessageRow, 'type' | 'text' | 'content'> & Partial<Pick<MessageRow, 'reacted_to'>>;

type Stored = Readonly<Record<string, unknown>>;

/** Not an answer of the form, but the mark of its sending. */
const FLOW_TOKEN = 'flow_token';

/** What a message has besides its text, of what a reader of webhooks has kept; null for plain text. */
export function contentOf({
  type,
  text,
  content,
  reacted_to: reactedTo = null,
}: StoredContent): MessageContent | null {
  switch (type) {
    case 'location':
      return locationOf(content.location);
    case 'contacts':
      return contactsOf(content.contacts);
    case 'order':
      return orderOf(content.order);
    case 'button': {
      const { payload } = objectOf(content.button);
      return { type: 'choice', id: textOf(payload), title: text || null, description: null };
    }
    case 'interactive':
      return answerOf(objectOf(content.interactive));
    case 'reaction':
      return { type, emoji: textOf(objectOf(content.reaction).emoji), message_id: reactedTo };
    case 'call':
      return { type, outcome: 'missed' };
    case 'unsupported': {
      const [error] = listOf(content.errors);
      const { code, title, details } = error ?? {};
      const kind = title ?? content.unsupported_type;
      return { type, code: numberOf(code), title: textOf(kind), details: textOf(details) };
    }
    default:
      return null;
  }
}

/** The ad or the post by which the customer came. */
export function referralOf({ referral }: Stored): Referral | null {
  if (!isObject(referral)) return null;
  return {
    source_type: textOf(referral.source_type),
    source_id: textOf(referral.source_id),
    source_url: textOf(referral.source_url),
    headline: textOf(referral.headline),
    body: textOf(referral.body),
    click_id: textOf(referral.ctwa_clid),
  };
}

function locationOf(stored: unknown): MessageContent | null {
  const { latitude, longitude, name, address } = objectOf(stored);
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return null;
  return { type: 'location', latitude, longitude, name: textOf(name), address: textOf(address) };
}

const contactsOf = (stored: unknown): ContactsContent => ({
  type: 'contacts',
  contacts: listOf(stored).map(({ name, organization, phones, emails }) => ({
    name: textOf(name),
    organization: textOf(organization),
    phones: listOf(phones).flatMap(({ phone, wa_id, type }) => {
      const number = textOf(phone) ?? (textOf(wa_id) && `+${textOf(wa_id)}`);
      return number === null ? [] : [{ phone: number, label: textOf(type) }];
    }),
    emails: Array.isArray(emails) ? emails.flatMap((email) => textOf(email) ?? []) : [],
  })),
});

function orderOf(stored: unknown): OrderContent {
  const { catalog_id, product_items } = objectOf(stored);
  return {
    type: 'order',
    catalog_id: textOf(catalog_id),
    items: listOf(product_items).map(({ product_retailer_id, quantity, item_price, currency }) => ({
      product_id: textOf(product_retailer_id),
      quantity: numberOf(quantity),
      price: priceOf(item_price),
      currency: textOf(currency),
    })),
  };
}

function answerOf({ type, id, title, description, name, response_json }: Stored): MessageContent | null {
  if (type === 'nfm_reply') return { type: 'form', name: textOf(name), response: responseOf(response_json) };
  if (type !== 'button_reply' && type !== 'list_reply') {
    return { type: 'unsupported', code: null, title: textOf(type), details: null };
  }
  return { type: 'choice', id: textOf(id), title: textOf(title), description: textOf(description) };
}

function responseOf(json: unknown): Record<string, unknown> | null {
  try {
    const response: unknown = JSON.parse(String(json));
    if (!isObject(response)) return null;
    return Object.fromEntries(Object.entries(response).filter(([field]) => field !== FLOW_TOKEN));
  } catch {
    return null;
  }
}

/** Decimal text, without an exponent. Former versions kept numbers. */
function priceOf(value: unknown): string | null {
  const isPlain = typeof value === 'string' && !/^-?[\d.]+e[+-]?\d+$/i.test(value);
  if (isPlain || (typeof value !== 'string' && typeof value !== 'number')) return textOf(value);
  return Number(value).toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 });
}

const objectOf = (value: unknown): Stored => (isObject(value) ? value : {});

const listOf = (value: unknown): Stored[] => (Array.isArray(value) ? value.filter(isObject) : []);

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);

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
