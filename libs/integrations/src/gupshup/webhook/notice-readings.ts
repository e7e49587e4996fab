import type { ReportedState, AccountReport } from '@app/domain/webhooks/provider-events';
import { templateQualityOf } from '../../templates/template-words-mapping';
import { addressOf, digitsOf, requireAddress } from '../../webhooks/contact-address';
import type { Reading } from '../../webhooks/item-collector';
import { UnreadableError, type Fields, timeOf } from '../../webhooks/item-fields';
import { pricingIn } from '../../webhooks/small-content';
import { templateStatusOf } from '../../whatsapp-cloud/webhook/template-changes';
import { explainGupshupError } from '../gupshup-refusal-reader';

const STATES: ReadonlyMap<string, ReportedState> = new Map<string, ReportedState>([
  ['enqueued', 'accepted'],
  ['sent', 'sent'],
  ['delivered', 'delivered'],
  ['read', 'read'],
  ['failed', 'failed'],
]);

/** A `message-event`: a report about a message of ours (Gupshup: message events). */
export function readMessageEvent(payload: Fields, root: Fields): Reading {
  const type = payload.word('type');
  if (type === null) throw new UnreadableError('"payload.type" is missing');
  const state = STATES.get(type);
  if (!state) return { ignored: `a message event of "${type}"` };
  const inner = payload.object('payload');
  const failure = state === 'failed' ? explainFailure(inner) : null;
  return {
    event: {
      kind: 'state',
      number: null,
      state,
      ...idsOf(payload, state, inner),
      reference: null,
      // Meta's time, where it is given; else the time of Gupshup's event.
      at: timeOf(inner, 'ts') ?? timeOf(root, 'timestamp'),
      error: failure && failure.error,
      optedOut: failure?.optedOut ?? false,
      ...(failure?.trouble && { trouble: failure.trouble }),
      ...pricingIn(inner?.object('pricing') ?? null, 'policy'),
      // It may be WhatsApp's number rather than the one we dialled (Gupshup: message ids).
      recipient: addressOf(digitsOf(payload, 'destination'), payload.id('userId'), null),
    },
  };
}

/** A `billing-event`: what WhatsApp charges for a message that it has accepted (Gupshup: billing events). */
export function readBillingEvent(payload: Fields, root: Fields): Reading {
  const { pricing } = pricingIn(payload.object('deductions'), 'model');
  const references = payload.object('references');
  const gupshupId = references?.id('gsId') ?? null;
  const id = references?.id('id') ?? null;
  if (!pricing || (gupshupId ?? id) === null) return { ignored: 'a charge without a price or a message' };
  return {
    event: {
      ...{ kind: 'state', number: null, state: 'accepted', reference: null, error: null, optedOut: false },
      ...{ providerId: gupshupId, whatsappId: id, at: timeOf(root, 'timestamp'), pricing },
      recipient: addressOf(digitsOf(references, 'destination'), references?.id('userId') ?? null, null),
    },
  };
}

/**
 * `gsId` is the id that answered our request (Gupshup: message ids). Without it, `id` is Gupshup's id when Gupshup accepted or
 * refused the message. In reports that come more than a week later, failures included, it is WhatsApp's.
 */
function idsOf(payload: Fields, state: ReportedState, inner: Fields | null) {
  const gupshupId = payload.id('gsId');
  if (state === 'accepted') {
    const providerId = gupshupId ?? payload.requireId('id');
    return { providerId, whatsappId: inner?.id('whatsappMessageId') ?? null };
  }
  const id = gupshupId === null ? payload.requireId('id') : payload.id('id');
  return { providerId: gupshupId ?? (state === 'failed' ? id : null), whatsappId: id };
}

function explainFailure(inner: Fields | null) {
  const reason = inner?.text('reason', REASON_LENGTH_MAX) ?? '';
  const { optedOut, trouble, ...error } = explainGupshupError(inner?.text('code', 32) ?? '', reason);
  return { error, optedOut, trouble };
}

const NAME_LENGTH_MAX = 512;
const REASON_LENGTH_MAX = 1024;

/** A `user-event`: the opt-in service that Gupshup retired, and the trial of a new address (Gupshup: user events). */
export function readUserEvent(payload: Fields, root: Fields): Reading {
  const type = payload.word('type');
  if (type !== 'opted-in' && type !== 'opted-out')
    return { ignored: `a user event of "${type ?? 'nothing'}"` };
  const contact = requireAddress(
    addressOf(digitsOf(payload, 'phone'), payload.id('userId'), null),
    'customer',
  );
  const value = type === 'opted-out' ? 'stop' : 'resume';
  return { event: { kind: 'preference', number: null, contact, value, at: timeOf(root, 'timestamp') } };
}

/** A `template-event`, of the status, the category or the quality (Gupshup: template events). */
export function readTemplateEvent(payload: Fields, root: Fields): Reading {
  const type = payload.word('type') ?? 'status-update';
  const word = payload.word('status') ?? '';
  const status = type === 'status-update' ? templateStatusOf(word) : null;
  const category = type === 'category-update' ? categoryOf(payload) : null;
  if (status === undefined) return { ignored: `a template's status of "${word}"` };
  const quality = type === 'quality-update' ? templateQualityOf(payload.word('quality') ?? '') : null;
  if (type !== 'status-update' && category === null && quality === null)
    return { ignored: `a template event of "${type}"` };
  return {
    event: {
      kind: 'template',
      providerId: payload.requireId('id'),
      name: payload.text('elementName', NAME_LENGTH_MAX) ?? '',
      language: payload.text('languageCode', 32)?.replaceAll('-', '_') ?? null,
      status,
      category,
      ...(quality !== null && { quality }),
      reason:
        payload.text('rejectedReason', REASON_LENGTH_MAX) ?? payload.text('description', REASON_LENGTH_MAX),
      at: timeOf(root, 'timestamp'),
      businessId: null,
    },
  };
}

/** The name of the field is not documented. */
const categoryOf = (payload: Fields): string | null =>
  (payload.word('newCategory') ?? payload.word('new_category') ?? payload.word('category'))?.toLowerCase() ??
  null;

const STOPPED: ReadonlySet<string> = new Set([
  'DISABLED',
  'ACCOUNT_DISABLE',
  'ACCOUNT_DISABLED',
  'RESTRICTED',
  'ACCOUNT_RESTRICTED',
]);

/**
 * An `account-event`. Its content is not documented, so a channel is stopped only by words that cannot mean anything
 * else.
 */
export function readAccountEvent(payload: Fields, root: Fields): Reading {
  const type = payload.word('type');
  if (type === null) throw new UnreadableError('"payload.type" is missing');
  const inner = payload.object('payload');
  const status = payload.word('status') ?? inner?.word('status') ?? null;
  const stops = type === 'status-event' && STOPPED.has(status?.toUpperCase() ?? '');
  const effect: AccountReport['effect'] = stops ? 'stops' : 'none';
  const event = status === null ? type : `${type} ${status}`;
  const at = timeOf(root, 'timestamp');
  return {
    event: {
      ...{ kind: 'account', number: null, phone: null, businessId: null },
      ...{ event, effect, at, until: null, details: '' },
    },
  };
}
