import type { Answer } from '../http/json.answer';

/** Why Gupshup refuses: a status and a sentence, no number. */
export class GupshupError extends Error {
  constructor(
    readonly httpStatus: number,
    message: string,
    /** An unknown key is answered with plain text. */
    readonly bare = false,
  ) {
    super(message);
  }
}

export const answerOfError = ({ httpStatus, message, bare }: GupshupError): Answer =>
  bare
    ? { status: httpStatus, body: message, headers: { 'content-type': 'text/plain' } }
    : { status: httpStatus, body: { status: 'error', message } };

/** Texts of later failures. Codes below 10000 are Gupshup's, which it detects before it asks Meta. */
const REASONS: Readonly<Record<number, string>> = {
  1003: 'Unable to send message | Check your wallet balance',
  1010: 'Invalid Media Url',
  1011: 'Invalid Media Size',
  4005: 'Template is paused',
  130472: "User's number is part of an experiment",
  131026: 'Message Undeliverable',
  131047:
    'Message failed to send because more than 24 hours have passed since the customer last replied to this number.',
  131049: 'This message was not delivered to maintain healthy ecosystem engagement.',
  131050: 'User has stopped marketing messages from this business',
  131056: 'Too many messages sent from this phone number to the same phone number in a short period of time',
  132000: 'Number of parameters does not match the expected number of params',
  132001: 'Template name does not exist in the translation',
  132012: 'Parameter format does not match format in the created template',
  132016: 'Template is disabled',
};

export const reasonOf = (code: number): string => REASONS[code] ?? `Error ${code}`;

const META_CODES_FROM = 10_000;
export const isOwnCode = (code: number): boolean => code < META_CODES_FROM;
