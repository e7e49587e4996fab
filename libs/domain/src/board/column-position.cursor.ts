import { readTimedPlace, writeTimedPlace, type TimedPlace } from '@app/contracts/timed-place.format';

/** A place in a column, opaque to the outside. */
export function encodePosition(place: TimedPlace): string {
  return Buffer.from(writeTimedPlace(place)).toString('base64url');
}

/** The place, or null for anything that {@link encodePosition} did not make: there is one cursor for each place. */
export function decodePosition(cursor: string): TimedPlace | null {
  const place = readTimedPlace(Buffer.from(cursor, 'base64url').toString('utf8'));
  return place && encodePosition(place) === cursor ? place : null;
}
