import type { SendOutcome } from '@app/domain/messages/dispatch/message-sender.port';
import type { IncomingHttpHeaders } from 'node:http';
import type { ProviderAnswer } from '../http/provider-exchange';
import { errorCodeOf } from '../http/provider.words';
import { headerOf, minutes, retryAfterMs } from '../http/retry-after-header';
import { fieldOf, readBody, textOf, type ShownBody } from '../http/shown-body';
import {
  isRefusal,
  isSuccess,
  messageIdOf,
  outcomeWithoutAnswer,
  unknownOutcome,
} from '../http/unusable-outcome';
import { explainCloudError } from './cloud-error-table';

const WHATSAPP = 'WhatsApp';

/** Codes that ask for a pause of the whole number. */
const NUMBER_THROTTLES: ReadonlySet<number> = new Set([4, 17, 613, 80007, 130429]);

/** The code that asks for a pause for one recipient. */
export const RECIPIENT_THROTTLE = 131056;

const PAYMENT_REQUIRED = 402;
const UNAUTHORIZED = 401;
const TOO_MANY_REQUESTS = 429;

/** What a refusal with this code or status asks to pause; null: nothing. */
export function throttleScope(status: number, code: number | null): 'number' | 'recipient' | null {
  if (code === RECIPIENT_THROTTLE) return 'recipient';
  return status === TOO_MANY_REQUESTS || (code !== null && NUMBER_THROTTLES.has(code)) ? 'number' : null;
}

/** The outcome of a message, from the Cloud API's answer to the request that sent it. */
export function readCloudOutcome(answer: ProviderAnswer, credential: string): SendOutcome {
  if (answer.kind !== 'answered') return outcomeWithoutAnswer(WHATSAPP, answer, credential);
  const body = readBody(answer.body, answer.overlong, credential);
  if (isSuccess(answer.status)) return readSuccess(answer.status, body);
  if (isRefusal(answer.status)) return readRefusal(answer.status, answer.headers, body);
  return unknownOutcome(WHATSAPP, `HTTP status ${answer.status}`, body.shown);
}

const firstOf = (value: unknown): unknown => (Array.isArray(value) ? value[0] : undefined);

function readSuccess(status: number, { json, shown }: ShownBody): SendOutcome {
  const providerId = messageIdOf(fieldOf(firstOf(fieldOf(json, 'messages')), 'id'));
  if (providerId === null) {
    return unknownOutcome(WHATSAPP, `HTTP status ${status} without a readable message id`, shown);
  }
  const contact = firstOf(fieldOf(json, 'contacts'));
  const waId = textOf(fieldOf(contact, 'wa_id')).trim();
  const userId = textOf(fieldOf(contact, 'user_id')).trim();
  return {
    kind: 'accepted',
    providerId,
    ...(/^[1-9]\d{4,14}$/.test(waId) ? { waId } : {}),
    ...(/^[A-Z]{2}\.[!-~]{1,160}$/.test(userId) ? { userId } : {}),
  };
}

/** The error in an answer of the Graph API, in the provider's words. */
export function readCloudError(status: number, { json }: ShownBody): { code: number | null; words: string } {
  const error = fieldOf(json, 'error');
  const data = fieldOf(error, 'error_data');
  const words = [
    textOf(fieldOf(data, 'details')),
    textOf(data),
    textOf(fieldOf(error, 'error_user_msg')),
    textOf(fieldOf(error, 'message')),
    `${WHATSAPP} refused the request with HTTP status ${status}.`,
  ].find((said) => said.trim() !== '');
  return { code: errorCodeOf(fieldOf(error, 'code')), words: words ?? '' };
}

/** What a refusal means. The HTTP status decides where the body has no code. */
export function explainRefusal(
  status: number,
  code: number | null,
  words: string,
): ReturnType<typeof explainCloudError> {
  const codeOrStatus = code ?? (status === PAYMENT_REQUIRED ? PAYMENT_REQUIRED : Number.NaN);
  const explained = explainCloudError(codeOrStatus, words);
  return {
    ...explained,
    ...(status === UNAUTHORIZED && code === null && { trouble: 'CREDENTIAL' }),
    ...(status === PAYMENT_REQUIRED && { code: 'BILLING_ERROR', trouble: 'BILLING_ERROR' }),
    provider_code: code,
  };
}

function readRefusal(status: number, headers: IncomingHttpHeaders, body: ShownBody): SendOutcome {
  const { code, words } = readCloudError(status, body);
  const { code: kindOfError, message, optedOut, trouble } = explainRefusal(status, code, words);
  const scope = throttleScope(status, code);
  if (scope) {
    const wait = retryAfterMs(headers) ?? usageWaitMs(headerOf(headers, 'x-business-use-case-usage'));
    return {
      kind: 'throttled',
      scope,
      retryAfterMs: wait,
      providerCode: code,
      message,
      response: body.shown,
    };
  }
  return {
    kind: 'refused',
    code: kindOfError,
    providerCode: code,
    message,
    response: body.shown,
    ...(optedOut ? { optedOut } : {}),
    ...(trouble && { trouble }),
  };
}

/** The usage header gives, for each business account, the minutes until it may call again. */
function usageWaitMs(header: string | undefined): number | null {
  const { json } = readBody(header === undefined ? null : Buffer.from(header), false, '');
  const waits = Object.values(json ?? {})
    .flatMap((entries) => (Array.isArray(entries) ? (entries as unknown[]) : []))
    .map((entry) => fieldOf(entry, 'estimated_time_to_regain_access'))
    .filter((wait): wait is number => typeof wait === 'number' && wait > 0);
  return waits.length > 0 ? minutes(Math.max(...waits)) : null;
}
