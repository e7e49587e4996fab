import type { CodedError } from '@app/contracts/coded.error';
import type { ErrorCode } from '@app/contracts/error.codes';
import type { Response } from 'express';

/** What the log has of a refusal: numbers and codes alone, because the sentences may quote what a caller sent. */
export interface RefusalNote {
  code: ErrorCode;
  /** The provider's own number for it, where it named one. */
  provider_code?: number;
}

const NOTES = new WeakMap<Response, RefusalNote>();

export function noteRefusal(response: Response, { code, providerCode }: CodedError): void {
  NOTES.set(response, typeof providerCode === 'number' ? { code, provider_code: providerCode } : { code });
}

/** What a response was refused with; undefined when it was not. */
export const refusalNote = (response: Response): RefusalNote | undefined => NOTES.get(response);
