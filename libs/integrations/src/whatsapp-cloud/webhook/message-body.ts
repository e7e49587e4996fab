import type { MessageBody } from '@app/domain/webhooks/provider-events';
import { UnreadableError, type Fields } from '../../webhooks/item-fields';
import { smallContent } from '../../webhooks/small-content';

/** The content of one type of message, before the fields of all types are added. */
type KindReader = (message: Fields) => MessageBody;

const PAYLOAD_LENGTH_MAX = 1024;
const TITLE_LENGTH_MAX = 1024;
const FORM_LENGTH_MAX = 20_000;
const CARD_LENGTH_MAX = 2048;
const PRICE_LENGTH_MAX = 32;

const given = (...words: (string | null)[]): string[] =>
  words.filter((word) => word !== null && word !== '') as string[];

/** A file that stays at the provider: what is needed to fetch and to show it. */
function media(type: string, name: string): KindReader {
  return (message) => {
    const file = message.requireObject(name);
    const text = file.message('caption');
    const reference = {
      id: file.id('id'),
      mime_type: file.name('mime_type'),
      sha256: file.id('sha256'),
      filename: file.name('filename'),
      url: file.url('url'),
      voice: file.isTrue('voice') || name === 'voice' || null,
      animated: file.isTrue('animated') || null,
    };
    if (reference.id === null && reference.url === null) throw new UnreadableError(`"${name}" names no file`);
    return { type, text, content: { media: reference }, words: given(text) };
  };
}

function text(message: Fields): MessageBody {
  const body = message.requireObject('text');
  if (typeof body.value('body') !== 'string') throw new UnreadableError('"text.body" is not a text');
  const written = body.message('body');
  return { type: 'text', text: written, content: {}, words: given(written) };
}

/**
 * @throws UnreadableError for coordinates out of range
 */
export function placeOf(place: Fields): Record<string, unknown> {
  const [latitude, longitude] = [place.number('latitude'), place.number('longitude')];
  if (latitude === null || longitude === null || Math.abs(latitude) > 90 || Math.abs(longitude) > 180) {
    throw new UnreadableError('latitude or longitude is missing or impossible');
  }
  return {
    latitude,
    longitude,
    name: place.name('name'),
    address: place.text('address', TITLE_LENGTH_MAX),
    url: place.url('url'),
  };
}

function location(message: Fields): MessageBody {
  const content = { location: placeOf(message.requireObject('location')) };
  return { type: 'location', text: '', content, words: [] };
}

const listOrNull = (words: string[]): string[] | null => (words.length > 0 ? words : null);

/** Business cards that a customer sent. */
export function cardsOf(message: Fields): Record<string, unknown>[] {
  return message.objects('contacts').map((card) => ({
    name: card.object('name')?.name('formatted_name') ?? null,
    organization: card.object('org')?.name('company') ?? null,
    phones: card.objects('phones').map((phone) => ({
      phone: phone.text('phone', 64),
      wa_id: phone.id('wa_id'),
      type: phone.word('type'),
    })),
    emails: listOrNull(given(...card.objects('emails').map((email) => email.name('email')))),
    origin: card.word('origin'),
    vcard: card.text('vcard', CARD_LENGTH_MAX),
  }));
}

function contacts(message: Fields): MessageBody {
  if (!Array.isArray(message.value('contacts'))) throw new UnreadableError('"contacts" is not a list');
  return { type: 'contacts', text: '', content: { contacts: cardsOf(message) }, words: [] };
}

/** Without an emoji: the customer removed the reaction. */
function reaction(message: Fields): MessageBody {
  const given = message.requireObject('reaction');
  const emoji = given.word('emoji');
  const content = {
    reaction: { message_id: given.requireId('message_id'), emoji, removed: emoji === null || null },
  };
  return { type: 'reaction', text: emoji ?? '', content, words: [] };
}

/** A quick reply of a template. */
function button(message: Fields): MessageBody {
  const pressed = message.requireObject('button');
  const label = pressed.text('text', TITLE_LENGTH_MAX);
  const payload = pressed.text('payload', PAYLOAD_LENGTH_MAX);
  if (label === null && payload === null) throw new UnreadableError('"button" has neither text nor payload');
  return {
    type: 'button',
    text: label ?? payload ?? '',
    content: { button: { payload } },
    words: given(payload, label),
  };
}

function interactive(message: Fields): MessageBody {
  const answer = message.requireObject('interactive');
  const type = answer.word('type');
  if (type === null) throw new UnreadableError('"interactive.type" is missing');
  if (type === 'button_reply' || type === 'list_reply') {
    const reply = answer.requireObject(type);
    const [id, title] = [reply.text('id', PAYLOAD_LENGTH_MAX), reply.text('title', TITLE_LENGTH_MAX)];
    if (id === null && title === null) throw new UnreadableError(`"${type}" has neither title nor id`);
    const content = {
      interactive: { type, id, title, description: reply.text('description', TITLE_LENGTH_MAX) },
    };
    return { type: 'interactive', text: title ?? id ?? '', content, words: given(id, title) };
  }
  if (type === 'nfm_reply') {
    const form = answer.requireObject(type);
    const response = { name: form.name('name'), response_json: form.text('response_json', FORM_LENGTH_MAX) };
    const text = form.message('body');
    if (text === '' && response.response_json === null)
      throw new UnreadableError('"nfm_reply" has neither body nor response_json');
    return { type: 'interactive', text, content: { interactive: { type, ...response } }, words: [] };
  }
  return { type: 'interactive', text: '', content: { interactive: { type } }, words: [] };
}

function order(message: Fields): MessageBody {
  const bought = message.requireObject('order');
  const items = bought.objects('product_items').map((item) => ({
    product_retailer_id: item.text('product_retailer_id', PAYLOAD_LENGTH_MAX),
    quantity: item.number('quantity'),
    item_price: item.text('item_price', PRICE_LENGTH_MAX),
    currency: item.text('currency', 8),
  }));
  const content = { order: { catalog_id: bought.id('catalog_id'), product_items: items } };
  const note = bought.message('text');
  return { type: 'order', text: note, content, words: given(note) };
}

/** A message by WhatsApp itself. A change of number or user id is an event instead. */
function system(message: Fields): MessageBody {
  const said = message.requireObject('system');
  const content = { system: { type: said.word('type') } };
  return { type: 'system', text: said.message('body'), content, words: [] };
}

function revoke(message: Fields): MessageBody {
  const original = message.requireObject('revoke').requireId('original_message_id');
  return { type: 'revoke', text: '', content: { original_message_id: original }, words: [] };
}

/** Every type of message except edits, which contain one of these. */
const KINDS: ReadonlyMap<string, KindReader> = new Map<string, KindReader>([
  ['text', text],
  ['image', media('image', 'image')],
  ['video', media('video', 'video')],
  ['audio', media('audio', 'audio')],
  ['voice', media('audio', 'voice')],
  ['document', media('document', 'document')],
  ['sticker', media('sticker', 'sticker')],
  ['location', location],
  ['contacts', contacts],
  ['reaction', reaction],
  ['button', button],
  ['interactive', interactive],
  ['order', order],
  ['system', system],
  ['revoke', revoke],
]);

const LINE_LENGTH_MAX = 1024;
const ERRORS_MAX = 5;

/** Who wrote when to whom, and by which id: an event has them. */
const OF_ENVELOPE: ReadonlySet<string> = new Set([
  ...['id', 'type', 'timestamp', 'from', 'to', 'from_user_id', 'from_parent_user_id', 'to_user_id'],
  ...['to_parent_user_id', 'from_me', 'group_id', 'history_context', 'errors'],
]);

/**
 * The text and content of a message. One of an unknown type, or whose content cannot be read, becomes `unsupported`,
 * with the reason where it is known, so that the customer is not lost. Never throws.
 * @param around may hold the message's errors beside its content
 */
export function bodyOf(message: Fields, around: Fields | null = null): MessageBody {
  const body = kindOf(message, around);
  const known = { ...commonOf(message), ...body.content };
  return { ...body, content: smallContent({ ...known, further: message.rest(OF_ENVELOPE) }) };
}

function kindOf(message: Fields, around: Fields | null): MessageBody {
  const type = message.word('type');
  const errors = errorsOf(message).length > 0 ? errorsOf(message) : around ? errorsOf(around) : [];
  const read = type === 'edit' ? edited : KINDS.get(type ?? '');
  if (!read) return unsupported(message, { errors });
  try {
    return read(message);
  } catch (error) {
    if (error instanceof UnreadableError) return unsupported(message, { errors, unreadable: error.message });
    throw error;
  }
}

function unsupported(message: Fields, why: Record<string, unknown>): MessageBody {
  const type = message.word('type');
  const named = type === 'unsupported' || type === 'unknown' ? null : type;
  const inner = message.object('unsupported')?.word('type') ?? named;
  return { type: 'unsupported', text: '', content: { unsupported_type: inner, ...why }, words: [] };
}

/**
 * The message with its present content.
 * @throws UnreadableError where that is unknown
 */
function edited(message: Fields): MessageBody {
  const edit = message.requireObject('edit');
  const now = edit.requireObject('message');
  const type = now.word('type') ?? '';
  const read = KINDS.get(type);
  if (!read) throw new UnreadableError('"edit.message" is of no type that can be edited');
  const { text, content, words } = read(now);
  const original = edit.requireId('original_message_id');
  return {
    type: 'edit',
    text,
    content: { original_message_id: original, edited_type: type, ...commonOf(now), ...content },
    words,
  };
}

const errorsOf = (fields: Fields): object[] =>
  fields
    .objects('errors')
    .slice(0, ERRORS_MAX)
    .map((error) => ({
      code: error.number('code'),
      title: error.text('title', LINE_LENGTH_MAX),
      details: error.object('error_data')?.text('details', LINE_LENGTH_MAX) ?? null,
    }));

/**
 * What a message of any type may have: what it replies to, whether it was forwarded, the product or the ad that it is
 * about.
 */
export function commonOf(message: Fields): Record<string, unknown> {
  const context = message.object('context');
  const product = context?.object('referred_product');
  const referral = message.object('referral');
  // Who wrote what is quoted, the dialog tells.
  context?.value('from');
  return {
    replies_to: context?.id('id'),
    /** Gupshup's id of it. */
    replies_to_provider_id: context?.id('gs_id'),
    forwarded: context?.isTrue('forwarded') || context?.isTrue('frequently_forwarded') || null,
    referred_product: product && {
      catalog_id: product.id('catalog_id'),
      product_retailer_id: product.text('product_retailer_id', LINE_LENGTH_MAX),
    },
    referral: referral && {
      source_type: referral.word('source_type'),
      source_id: referral.id('source_id'),
      source_url: referral.url('source_url'),
      headline: referral.text('headline', LINE_LENGTH_MAX),
      body: referral.text('body', LINE_LENGTH_MAX),
      media_type: referral.word('media_type'),
      image_url: referral.url('image_url'),
      video_url: referral.url('video_url'),
      ctwa_clid: referral.text('ctwa_clid', LINE_LENGTH_MAX),
    },
  };
}
