import type { MessageBody } from '@app/domain/webhooks/provider-events';
import { UnreadableError, type Fields } from '../../webhooks/item-fields';
import { smallContent } from '../../webhooks/small-content';
import { KINDS } from './message-kinds';

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
