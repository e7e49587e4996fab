import type { HttpToolFailure } from '@app/domain/assistants/http-tool.port';
import { AddressRefusedError, NameUnknownError } from './guarded-lookup';

/** The answer is not used. The message is half a sentence for the model. */
export class UnusableAnswerError extends Error {}

export const failed = (reason: string): HttpToolFailure => ({ kind: 'failed', reason });

const refused = (reason: string): HttpToolFailure => ({ kind: 'failed', reason, refused: true });

export const REFUSED_ADDRESS = refused('its address is not one that is called');
export const REFUSED_HEADERS = refused('its headers are not ones that are sent');
const REFUSED_NAME = refused('its name leads to an address that is not called');

/** Messages of the network may name addresses, so only their codes are used. */
export function failureOf(error: unknown): HttpToolFailure {
  if (error instanceof UnusableAnswerError) return failed(error.message);
  if (error instanceof AddressRefusedError) return REFUSED_NAME;
  if (error instanceof NameUnknownError) return failed('its name is not known');
  const { code, name } = error as { code?: unknown; name?: string };
  return failed(`the connection broke: ${typeof code === 'string' ? code : (name ?? 'unknown')}`);
}
