import type { ProviderErrorText, TroubleCode } from '@app/contracts/message.words';
import { errorCodeOf, quoteProvider } from '../http/provider.words';

/** What an error of the Cloud API means, whether it comes in an answer or later in a failed status. */
export type ExplainedError = ProviderErrorText & {
  optedOut: boolean;
  /** Where it keeps the number from sending until a person has seen to it. */
  trouble?: TroubleCode;
};

/** Codes of a payment problem. Only the payment settings at Meta solve it. */
const BILLING_CODES: ReadonlySet<number> = new Set([402, 131042, 131044]);

/** Codes about the access token, what it may do, and the number's registration. Those of permissions are among them. */
const CREDENTIAL_CODES: ReadonlySet<number> = new Set([0, 3, 10, 33, 104, 190, 131005, 131045, 133010]);

/** Codes of an account or number that may not write to anybody for now. */
const RESTRICTION_CODES: ReadonlySet<number> = new Set([368, 131031, 131037, 131048]);

/** The customer pressed Stop on this business's marketing. */
const OPT_OUT_CODE = 131050;

const RECONNECT = 'Give the channel a valid access token.';
const GRANT =
  'The access token lacks a permission: grant whatsapp_business_messaging to the app and connect the channel again.';
const SLOW = 'Messages go out too fast for this WhatsApp number: wait and send again, more slowly.';
const AGAIN = 'WhatsApp had a temporary fault: send again later.';
const ACCOUNT = 'See the account quality page in WhatsApp Manager and settle it there.';

/** What a person can do about each code. A text that ends in a colon is followed by the provider's words. */
const TEXTS: Readonly<Record<number, string>> = {
  0: `WhatsApp did not accept the access token. ${RECONNECT}`,
  1: 'WhatsApp could not make sense of the request, or had a fault of its own:',
  2: AGAIN,
  3: GRANT,
  4: 'The app calls WhatsApp too often: wait and send again, more slowly.',
  10: GRANT,
  17: 'The user of the access token calls WhatsApp too often: wait and send again, more slowly.',
  33: 'The sending number was deleted at WhatsApp: connect another number.',
  100: 'WhatsApp refused a value of the request, or the number is not open to this access token:',
  104: `The access token is missing. ${RECONNECT}`,
  190: `The access token has expired or was revoked. ${RECONNECT}`,
  368: `WhatsApp has blocked the account for a while for breaking its policies. ${ACCOUNT}`,
  402: 'WhatsApp was not paid: put the payment method in order in WhatsApp Manager.',
  613: 'WhatsApp is called too often: wait and send again, more slowly.',
  80007: 'The WhatsApp Business account has used up its rate of calls: wait and send again, more slowly.',
  130403: 'The business has blocked this customer: lift the block before sending.',
  130429: SLOW,
  130472: 'The customer is in a WhatsApp experiment and gets no marketing: send a utility template instead.',
  130497: "The business may not message customers of this country: see WhatsApp's policy for the country.",
  131000: AGAIN,
  131005: GRANT,
  131008: 'A required value is missing in the request:',
  131009: 'A value of the request is not valid:',
  131016: AGAIN,
  131021: 'The recipient is the sending number itself: give another phone.',
  131026:
    'The message cannot be delivered: the phone is not on WhatsApp, has an old version, or has not accepted its terms. Check the phone.',
  131030: 'The sending number is a test number: add the recipient to its list of allowed phones.',
  131031: `WhatsApp has locked or disabled the account. ${ACCOUNT}`,
  131037: 'The display name of the sending number is not approved yet: have it approved in WhatsApp Manager.',
  131042:
    'WhatsApp cannot charge the business: put the payment method in order in WhatsApp Manager, then send again.',
  131044:
    'WhatsApp cannot charge the business for calls: put the payment method in order in WhatsApp Manager.',
  131045: 'The registration of the sending number is faulty: register the number again.',
  131047: 'More than 24 hours have passed since the customer last wrote: send a template instead.',
  131048:
    'WhatsApp has restricted the number because customers blocked or reported it: pause marketing and see its quality in WhatsApp Manager.',
  131049:
    'WhatsApp did not deliver it, to keep this customer from too much marketing: try again after 24 hours at the earliest.',
  131050: 'The customer has stopped marketing messages of this business: do not send any to them.',
  131051: 'WhatsApp does not support this type of message: send another type.',
  131052: "The customer's file could not be fetched from WhatsApp: ask them to send it again.",
  131053: 'WhatsApp could not fetch the media file: check that its address is public and the file allowed:',
  131056: 'Too many messages to this customer in a short time: wait and send again.',
  131057: 'The WhatsApp account is in maintenance for a minute: send again then.',
  131060: 'The message cannot be shown here: see it in the WhatsApp Business app.',
  131062: 'This template needs a phone: send it to the phone, not to a user id.',
  131063: 'Marketing templates are switched off for this account: switch them on in WhatsApp Manager.',
  131064:
    'WhatsApp limits the account because templates had the wrong category: wait until it lifts the limit.',
  132000: "The number of values does not fit the template's variables: give exactly one for each variable:",
  132001:
    'There is no approved template of this name in this language: check both, and that moderation is over.',
  132005: "The text is too long with these values: shorten the template's values.",
  132007: 'The template breaks a WhatsApp content policy: change it and submit it again.',
  132008: 'A value does not have the form that the template asks for:',
  132012: 'A value does not have the form that the template asks for:',
  132015: 'WhatsApp has paused the template for low quality: wait until it is active again, or send another.',
  132016: 'WhatsApp has disabled the template for good: make another one.',
  132018: "A value of the template's variables is not allowed:",
  132068: 'The form in the message is blocked: mend it in WhatsApp Manager.',
  132069: 'The form in the message is slowed down by WhatsApp: mend it in WhatsApp Manager.',
  133004: AGAIN,
  133010: 'The sending number is not registered with the Cloud API: register it, then send again.',
  133016: 'The number was registered and deregistered too often: wait some days before the next try.',
  134011: 'The terms of WhatsApp Payments are not accepted: accept them in WhatsApp Manager.',
  134100: 'Only marketing templates may be sent this way: send another template.',
  134101: 'The template is still being prepared by WhatsApp: send again in ten minutes.',
  134102: 'WhatsApp cannot use the template for marketing messages yet: send again later.',
  135000: 'WhatsApp refused the values of the request:',
  137000: "The customer's identity at WhatsApp has changed: confirm who they are before sending.",
};

const isPermission = (code: number): boolean => code >= 200 && code <= 299;

/**
 * What an error code of the Cloud API means, and what to do about it. Codes decide, never titles or HTTP statuses.
 * @param fallback the provider's words, for unknown codes and those whose text is not enough
 */
export function explainCloudError(code: number, fallback: string): ExplainedError {
  const text = TEXTS[code] ?? (isPermission(code) ? GRANT : undefined);
  const trouble = troubleOf(code);
  return {
    code: BILLING_CODES.has(code) ? 'BILLING_ERROR' : 'PROVIDER_ERROR',
    message: quoteProvider(text, fallback),
    provider_code: errorCodeOf(code),
    optedOut: code === OPT_OUT_CODE,
    ...(trouble && { trouble }),
  };
}

function troubleOf(code: number): TroubleCode | null {
  if (BILLING_CODES.has(code)) return 'BILLING_ERROR';
  if (CREDENTIAL_CODES.has(code) || isPermission(code)) return 'CREDENTIAL';
  return RESTRICTION_CODES.has(code) ? 'RESTRICTED' : null;
}
