import { randomBytes } from 'node:crypto';
import type { Handler } from '../http/call-router';
import { type Answer, answer } from '../http/json.answer';
import type { Refusal } from '../magic/magic-acts';
import type { CloudNumber } from '../sandbox-options';

interface ErrorWords {
  httpStatus: number;
  title: string;
}

/** Meta's errors, with the statuses of its error page. */
const ERRORS = {
  100: { httpStatus: 400, title: 'Invalid parameter' },
  104: { httpStatus: 401, title: 'An access token is required to request this resource.' },
  190: { httpStatus: 401, title: 'Invalid OAuth access token - Cannot parse access token' },
  131008: { httpStatus: 400, title: 'Required parameter is missing' },
  131009: { httpStatus: 400, title: 'Parameter value is not valid' },
  131051: { httpStatus: 400, title: 'Unsupported message type' },
  131053: { httpStatus: 400, title: 'Media upload error' },
  132000: {
    httpStatus: 400,
    title: 'Number of parameters does not match the expected number of params',
  },
  132001: { httpStatus: 404, title: 'Template name does not exist in the translation' },
  132005: { httpStatus: 400, title: 'Translated text too long' },
  132012: { httpStatus: 400, title: 'Parameter format does not match format in the created template' },
  132015: { httpStatus: 400, title: 'Template is paused' },
  132016: { httpStatus: 400, title: 'Template is disabled' },
} as const satisfies Readonly<Record<number, ErrorWords>>;

/** Why Meta refuses a request. */
export class CloudError extends Error {
  readonly httpStatus: number;

  constructor(
    readonly code: keyof typeof ERRORS,
    readonly details: string | null = null,
    readonly subcode: number | null = null,
  ) {
    super(`(#${code}) ${ERRORS[code].title}`);
    this.httpStatus = ERRORS[code].httpStatus;
  }
}

/** Unknown ids and ids that the token may not see get the same answer. */
export const missingObject = (id: string): CloudError =>
  new CloudError(
    100,
    `Unsupported request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation.`,
    33,
  );

const UNAUTHORIZED = new Set([104, 190]);
const TRANSIENT = new Set([2, 130429, 131056]);

function answerOfError({ code, details, subcode, httpStatus, message }: CloudError): Answer {
  if (subcode === 33)
    return errorAnswer(httpStatus, {
      message: details,
      type: 'GraphMethodException',
      code,
      error_subcode: 33,
    });
  const plain = UNAUTHORIZED.has(code) ? message.replace(/^\(#\d+\) /, '') : message;
  return errorAnswer(httpStatus, {
    message: plain,
    type: 'OAuthException',
    code,
    ...(subcode === null ? {} : { error_subcode: subcode }),
    ...(details === null ? {} : { error_data: { messaging_product: 'whatsapp', details } }),
  });
}

/** The refusal of a magic phone. */
export function refusalAnswer({ httpStatus, code, message, retryAfterSeconds }: Refusal): Answer {
  const body = {
    message: code === 2 ? message : `(#${code}) ${message}`,
    type: 'OAuthException',
    code,
    ...(TRANSIENT.has(code ?? 0) ? { is_transient: true } : {}),
    error_data: { messaging_product: 'whatsapp', details: LATER_ERRORS[code ?? 0]?.details ?? message },
  };
  const headers = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  return { ...errorAnswer(httpStatus, body), headers };
}

const errorAnswer = (status: number, error: Record<string, unknown>): Answer => ({
  status,
  body: { error: { ...error, fbtrace_id: randomBytes(10).toString('base64url') } },
});

/** Errors that are reported later, with the status `failed`. */
const LATER_ERRORS: Readonly<Record<number, { title: string; details: string }>> = {
  130472: {
    title: "User's number is part of an experiment",
    details: "Failed to send message because this user's phone number is part of an experiment.",
  },
  131026: { title: 'Message undeliverable', details: 'Message Undeliverable.' },
  131042: {
    title: 'Business eligibility payment issue',
    details: 'Message failed to send because there were one or more errors related to your payment method.',
  },
  131047: {
    title: 'Re-engagement message',
    details:
      'Message failed to send because more than 24 hours have passed since the customer last replied to this number.',
  },
  131049: {
    title: 'This message was not delivered to maintain healthy ecosystem engagement.',
    details: 'In order to maintain a healthy ecosystem engagement, the message failed to be delivered.',
  },
  131050: {
    title: 'User has stopped marketing messages from this business',
    details: 'The user has chosen to stop receiving marketing messages from your business.',
  },
  131053: {
    title: 'Media upload error',
    details: 'Unsupported media type or a file that could not be fetched.',
  },
  131056: {
    title: '(Business Account, Consumer Account) pair rate limit hit',
    details:
      'Message failed to send because there were too many messages sent from this phone number to the same phone number in a short period of time.',
  },
};

/** One of a failed status's errors. */
export function laterError(code: number): Record<string, unknown> {
  const { title, details } = LATER_ERRORS[code] ?? { title: `Error ${code}`, details: `Error ${code}` };
  return {
    code,
    title,
    message: title,
    error_data: { details },
    href: 'https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes/',
  };
}

/** Answers with Meta's error what the handler throws. */
export const guarded =
  (handler: Handler): Handler =>
  async (call) => {
    try {
      await handler(call);
    } catch (error) {
      if (!(error instanceof CloudError)) throw error;
      answer(call.response, answerOfError(error));
    }
  };

export function bearer(header: string | undefined): string {
  if (!header) throw new CloudError(104);
  return header.replace(/^Bearer /i, '');
}

/** @throws CloudError where no number has the token. */
export function requireKnown(numbers: readonly CloudNumber[], token: string): void {
  if (!numbers.some((number) => number.token === token)) throw new CloudError(190);
}
