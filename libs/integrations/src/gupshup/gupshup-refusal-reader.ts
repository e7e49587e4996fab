import type { OutgoingContent } from '@app/domain/messages/dispatch/message-sender.port';
import { errorCodeOf } from '../http/provider.words';
import { fieldOf, textOf, type ShownBody } from '../http/shown-body';
import type { ExplainedError } from '../whatsapp-cloud/cloud-error-table';
import { explainGupshupError } from './gupshup-error-table';

const PAYMENT_REQUIRED = 402;

/**
 * Gupshup has no code for an empty wallet, so its words decide. Its term "Callback Billing" has nothing to do with
 * money.
 */
const WALLET_WORDS = /\b(wallet|balance|insufficient (funds?|credits?))\b/i;
const WALLET_CODE = 1003;

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
