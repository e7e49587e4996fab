import type { ReportedState } from '@app/domain/webhooks/provider-events';
import { addressOf, digitsOf } from '../../webhooks/contact-address';
import type { Reading } from '../../webhooks/item-collector';
import { UnreadableError, type Fields } from '../../webhooks/item-fields';
import { pricingIn } from '../../webhooks/pricing-reading';
import { timeOf } from '../../webhooks/provider-time';
import { explainGupshupError } from '../gupshup-error-table';

const REASON_LENGTH_MAX = 1024;

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
