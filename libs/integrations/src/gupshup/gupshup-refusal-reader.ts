import type { OutgoingContent } from '@app/domain/messages/dispatch/message-sender.port';
import { errorCodeOf, quoteProvider } from '../http/provider.words';
import { fieldOf, textOf, type ShownBody } from '../http/shown-body';
import { explainCloudError, type ExplainedError } from '../whatsapp-cloud/cloud-error-table';

const WALLET_CODE = 1003;
const OPT_OUT_CODE = 1012;
/** Customers blocked or reported the number. */
const RESTRICTION_CODE = 471;

/** Meta's codes have six digits. Gupshup passes them through in the same field. */
const FIRST_META_CODE = 100_000;

/** What a person can do about each of Gupshup's codes. A text that ends in a colon is followed by Gupshup's words. */
const TEXTS: Readonly<Record<number, string>> = {
  470: 'More than 24 hours have passed since the customer last wrote: send a template instead.',
  471: 'WhatsApp has restricted the number because customers blocked or reported it: pause sending for the day.',
  500: 'Gupshup had a temporary fault: send again later.',
  1001: "The phone is tied to another app of Gupshup's sandbox: have it send PROXY and the app's name to the sandbox number.",
  1002: 'The phone is not on WhatsApp: check it.',
  1003: 'The Gupshup wallet is empty: top it up, then send again.',
  1004: 'Template messages are switched off for the Gupshup app: have them switched on.',
  1005: 'The customer has not written for 24 hours and the text is no template: send a template by its id.',
  1006: 'The customer has not agreed to messages of this business: get their consent first.',
  1007: 'The customer has not agreed to messages of this business: get their consent first.',
  1008: 'The customer has not agreed to messages of this business: get their consent first.',
  1009: 'A required value is missing in the request:',
  1010: 'The address of the media file is not valid: check that it is public and starts with https.',
  1011: 'The media file is too large for WhatsApp: send a smaller one.',
  1012: 'The customer has stopped messages of this business: do not send any to them.',
  4001: 'Gupshup is called too often: stop sending and ask Gupshup about the rate of the app.',
  4002: 'WhatsApp had a temporary fault: send again later.',
  4003: 'The text fits no approved template: check the template id and its values.',
  4004: 'This works only for apps on the Cloud API: have Gupshup move the app.',
  4005: 'WhatsApp has paused the template for low quality: wait until it is active again, or send another.',
};

/**
 * What a code of a failed event or a refusal means, and what to do about it.
 * @param reason Gupshup's words, for unknown codes and those whose text is not enough
 */
export function explainGupshupError(code: number | string, reason: string): ExplainedError {
  const number = errorCodeOf(code);
  if (number !== null && number >= FIRST_META_CODE) return explainCloudError(number, reason);
  return {
    code: number === WALLET_CODE ? 'BILLING_ERROR' : 'PROVIDER_ERROR',
    message: quoteProvider(number === null ? undefined : TEXTS[number], reason),
    provider_code: number,
    optedOut: number === OPT_OUT_CODE,
    ...(number === WALLET_CODE && { trouble: 'BILLING_ERROR' }),
    ...(number === RESTRICTION_CODE && { trouble: 'RESTRICTED' }),
  };
}

const PAYMENT_REQUIRED = 402;

/**
 * Gupshup has no code for an empty wallet, so its words decide. Its term "Callback Billing" has nothing to do with
 * money.
 */
const WALLET_WORDS = /\b(wallet|balance|insufficient (funds?|credits?))\b/i;

const KEY_REMEDY = 'Gupshup did not accept the API key: give the channel a valid one.';
/** Gupshup says of a template's id that is not its own what it says of a wrong key. */
const KEY_OR_TEMPLATE_REMEDY =
  'Gupshup did not accept the API key: give the channel a valid one, and check that the template id is Gupshup’s own.';

/** What to do about the refusals that Gupshup names by words only. Each is recognised by how it begins. */
const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [/^invalid destination/i, 'Gupshup does not take the phone: check it.'],
  [
    /^invalid app (details|id)/i,
    "The channel's app at Gupshup and its number do not belong together: check app_name, app_id and the number.",
  ],
  [/^callback billing/i, 'The Gupshup app lacks Callback Billing: have it switched on.'],
  [/^the provided app is not/i, 'The Gupshup app is not on the Cloud API: have Gupshup move it.'],
  [/^(authentication failed|portal user not found|unauthorized)/i, KEY_REMEDY],
  [/^too many requests/i, 'Gupshup is called too often: wait and send again, more slowly.'],
];

/** Gupshup's words: an object with a message, or a bare string. */
function wordsOf(status: number, { json, shown }: ShownBody): string {
  const said = [
    textOf(fieldOf(json, 'message')),
    textOf(fieldOf(fieldOf(json, 'message'), 'message')),
    textOf(fieldOf(fieldOf(json, 'error'), 'message')),
    textOf(fieldOf(json, 'error')),
    textOf(shown),
  ].find((words) => words.trim() !== '' && !words.trim().startsWith('<'));
  return said ?? `Gupshup refused the request with HTTP status ${status}.`;
}

/**
 * What a refusal of Gupshup means: by its code where it has one, else by its words.
 * @param sends the kind of message that was refused; undefined: the request sent none
 */
export function explainGupshupRefusal(
  status: number,
  body: ShownBody,
  sends?: OutgoingContent['type'],
): ExplainedError {
  const words = wordsOf(status, body);
  const code =
    errorCodeOf(fieldOf(body.json, 'code')) ?? errorCodeOf(fieldOf(fieldOf(body.json, 'error'), 'code'));
  // Some answers repeat the HTTP status as a code.
  if (code !== null && code !== status) return explainGupshupError(code, words);
  if (status === PAYMENT_REQUIRED || WALLET_WORDS.test(words)) {
    return { ...explainGupshupError(WALLET_CODE, words), provider_code: null };
  }
  const remedy = REMEDIES.find(([beginning]) => beginning.test(words.trim()))?.[1];
  const named = remedy === KEY_REMEDY && sends === 'template' ? KEY_OR_TEMPLATE_REMEDY : remedy;
  const explained = explainGupshupError('', named ?? words);
  return named === KEY_REMEDY ? { ...explained, trouble: 'CREDENTIAL' } : explained;
}
