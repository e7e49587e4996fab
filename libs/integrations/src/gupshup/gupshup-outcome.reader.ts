import type { OutgoingContent, SendOutcome } from '@app/domain/messages/message-sender.port';
import type { IncomingHttpHeaders } from 'node:http';
import type { ProviderAnswer } from '../http/provider.exchange';
import { headerOf, retryAfterMs, secondsOf } from '../http/retry-after.header';
import { fieldOf, readBody, textOf, type ShownBody } from '../http/shown.body';
import {
  isRefusal,
  isSuccess,
  messageIdOf,
  outcomeWithoutAnswer,
  unknownOutcome,
} from '../http/unusable.outcome';
import { throttleScope } from '../whatsapp-cloud/cloud-outcome.reader';
import { explainGupshupRefusal } from './gupshup-refusal.reader';

const GUPSHUP = 'Gupshup';

/** The outcome of a message, from Gupshup's answer to the request that sent it. */
export function readGupshupOutcome(
  answer: ProviderAnswer,
  credential: string,
  sent: OutgoingContent['type'],
): SendOutcome {
  if (answer.kind !== 'answered') return outcomeWithoutAnswer(GUPSHUP, answer, credential);
  const { status, headers } = answer;
  const body = readBody(answer.body, answer.overlong, credential);
  if (isRefusal(status)) return readRefusal(status, headers, body, sent);
  if (!isSuccess(status)) return unknownOutcome(GUPSHUP, `HTTP status ${status}`, body.shown);
  if (textOf(fieldOf(body.json, 'status')).toLowerCase() === 'error') {
    return readRefusal(status, headers, body, sent);
  }
  const providerId = messageIdOf(fieldOf(body.json, 'messageId'));
  if (providerId !== null) return { kind: 'accepted', providerId };
  return unknownOutcome(GUPSHUP, `HTTP status ${status} without a readable message id`, body.shown);
}

function readRefusal(
  status: number,
  headers: IncomingHttpHeaders,
  body: ShownBody,
  sent: OutgoingContent['type'],
): SendOutcome {
  const explained = explainGupshupRefusal(status, body, sent);
  const { code, message, provider_code: providerCode, optedOut, trouble } = explained;
  const response = body.shown;
  const scope = throttleScope(status, providerCode);
  if (scope) {
    const wait = retryAfterMs(headers) ?? secondsOf(headerOf(headers, 'x-rate-limit-retry-after-seconds'));
    return { kind: 'throttled', scope, retryAfterMs: wait, providerCode, message, response };
  }
  const more = { ...(optedOut ? { optedOut } : {}), ...(trouble && { trouble }) };
  return { kind: 'refused', code, providerCode, message, response, ...more };
}
