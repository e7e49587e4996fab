import type { CodedError } from '@app/contracts/coded.errors';
import type { ErrorCode } from '@app/contracts/error-codes';
import type { Response } from 'express';

/** What the log gets of a refusal: numbers and codes only, because sentences may quote what a caller sent. */
export interface RefusalNote {
  code: ErrorCode;
  /** The provider's number for it, where it named one. */
  provider_code?: number;
}

const NOTES = new WeakMap<Response, RefusalNote>();

export function noteRefusal(response: Response, { code, providerCode }: CodedError): void {
  NOTES.set(response, typeof providerCode === 'number' ? { code, provider_code: providerCode } : { code });
}

/** The refusal in a response; undefined when it was a success. */
export const refusalNote = (response: Response): RefusalNote | undefined => NOTES.get(response);
