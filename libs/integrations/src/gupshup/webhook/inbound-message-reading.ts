import type { MessageBody } from '@app/domain/webhooks/provider-events';
import { addressOf, digitsOf, requireAddress } from '../../webhooks/contact-address';
import type { Reading } from '../../webhooks/item-collector';
import { UnreadableError, type Fields, timeOf } from '../../webhooks/item-fields';
import { smallContent } from '../../webhooks/small-content';
import { commonOf, cardsOf, placeOf } from '../../whatsapp-cloud/webhook/message-body';

const TITLE_LENGTH_MAX = 1024;

/** Who wrote, and by which id: an event has them. */
const OF_ENVELOPE: ReadonlySet<string> = new Set(['id', 'type', 'source', 'sender', 'userId']);

/** A `message`: what a customer wrote (Gupshup: inbound messages). */
export function readInbound(payload: Fields, root: Fields): Reading {
  const messageId = payload.requireId('id');
  const sender = payload.object('sender');
  const digits = digitsOf(payload, 'source') ?? digitsOf(sender, 'phone');
  const userId = sender?.id('userId') ?? payload.id('userId');
  const from = requireAddress(addressOf(digits, userId, sender?.name('name') ?? null), 'sender');
  const body = bodyOf(payload);
  return {
    event: { kind: 'message', number: null, from, messageId, sentAt: timeOf(root, 'timestamp'), body },
  };
}

/** The text and content of a message; `unsupported` where its type is unknown or its content cannot be read. */
function bodyOf(message: Fields): MessageBody {
  const body = kindOf(message);
  const known = {
    ...commonOf(message),
    replies_to_provider_id: message.object('context')?.id('gsId'),
    ...body.content,
  };
  return { ...body, content: smallContent({ ...known, further: message.rest(OF_ENVELOPE) }) };
}

function kindOf(message: Fields): MessageBody {
  const read = KINDS.get(message.word('type') ?? '');
  if (!read) return unsupported(message);
  try {
    return read(message.requireObject('payload'));
  } catch (error) {
    if (error instanceof UnreadableError) return unsupported(message, error.message);
    throw error;
  }
}

function unsupported(message: Fields, unreadable: string | null = null): MessageBody {
  const content = { unsupported_type: message.word('type'), unreadable };
  return { type: 'unsupported', text: '', content, words: [] };
}

type KindReader = (payload: Fields) => MessageBody;

const given = (...words: (string | null)[]): string[] =>
  words.filter((word) => word !== null && word !== '') as string[];

/** A tap on a template's button. Some pages of the documentation call it a text with a type. */
function text(payload: Fields): MessageBody {
  if (payload.value('type') === 'button') return button(payload);
  if (typeof payload.value('text') !== 'string') throw new UnreadableError('"payload.text" is not a text');
  const written = payload.message('text');
  return { type: 'text', text: written, content: {}, words: given(written) };
}

function button(payload: Fields): MessageBody {
  payload.value('type');
  const [label, postback] = [
    payload.text('text', TITLE_LENGTH_MAX),
    payload.text('postbackText', TITLE_LENGTH_MAX),
  ];
  if (label === null && postback === null) throw new UnreadableError('neither text nor postbackText');
  const content = { button: { payload: postback } };
  return { type: 'button', text: label ?? postback ?? '', content, words: given(postback, label) };
}

const media =
  (type: string, isVoice = false): KindReader =>
  (payload) => {
    const url = payload.url('url');
    if (url === null) throw new UnreadableError('"payload.url" is missing or no address');
    const text = payload.message('caption');
    const reference = {
      url,
      mime_type: payload.name('contentType'),
      filename: payload.name('filename') ?? payload.name('name'),
      url_expires_at: timeOf(payload, 'urlExpiry')?.toISOString() ?? null,
      voice: isVoice || null,
    };
    return { type, text, content: { media: reference }, words: given(text) };
  };

/**
 * A choice among the buttons or rows of a message of ours. Its id may be empty; then only the postback identifies it.
 */
const choice =
  (type: string): KindReader =>
  (payload) => {
    const title = payload.text('title', TITLE_LENGTH_MAX);
    const [id, postback] = [
      payload.text('id', TITLE_LENGTH_MAX),
      payload.text('postbackText', TITLE_LENGTH_MAX),
    ];
    if (title === null && postback === null) throw new UnreadableError('neither title nor postbackText');
    const description = payload.text('description', TITLE_LENGTH_MAX);
    const interactive = { type, id: postback ?? id, title, description };
    return {
      type: 'interactive',
      text: title ?? '',
      content: { interactive },
      words: given(postback, id, title),
    };
  };

function location(payload: Fields): MessageBody {
  return { type: 'location', text: '', content: { location: placeOf(payload) }, words: [] };
}

function contacts(payload: Fields): MessageBody {
  if (!Array.isArray(payload.value('contacts')))
    throw new UnreadableError('"payload.contacts" is not a list');
  return { type: 'contacts', text: '', content: { contacts: cardsOf(payload) }, words: [] };
}

function reaction(payload: Fields): MessageBody {
  const emoji = payload.word('emoji');
  const to = { message_id: payload.id('id'), provider_id: payload.id('gsId') };
  if (to.message_id === null && to.provider_id === null) throw new UnreadableError('no message to react to');
  const content = { reaction: { ...to, emoji, removed: emoji === null || null } };
  return { type: 'reaction', text: emoji ?? '', content, words: [] };
}

const KINDS: ReadonlyMap<string, KindReader> = new Map<string, KindReader>([
  ['text', text],
  ['image', media('image')],
  ['video', media('video')],
  ['audio', media('audio')],
  ['voice', media('audio', true)],
  ['sticker', media('sticker')],
  ['file', media('document')],
  ['document', media('document')],
  ['location', location],
  ['contact', contacts],
  ['contacts', contacts],
  ['quick_reply', button],
  ['button', button],
  ['button_reply', choice('button_reply')],
  ['list_reply', choice('list_reply')],
  ['reaction', reaction],
]);
