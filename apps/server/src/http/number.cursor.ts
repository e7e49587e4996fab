import { ValidationError } from '@app/contracts/validation.error';

/** A place in a list that is ordered by one number, opaque to the outside. */
export function encodeNumberCursor(position: number): string {
  return Buffer.from(`n${position}`).toString('base64url');
}

/** @throws ValidationError for anything that {@link encodeNumberCursor} did not make. */
export function decodeNumberCursor(cursor: string): number {
  const [, digits] = /^n([1-9]\d{0,15})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  const position = Number(digits);
  if (digits === undefined || !Number.isSafeInteger(position) || encodeNumberCursor(position) !== cursor) {
    throw new ValidationError([
      { path: 'cursor', message: 'is not a cursor of this list: take next_cursor as it came' },
    ]);
  }
  return position;
}
