import { readFunnelPlace, writeFunnelPlace, type FunnelPlace } from '@app/contracts/funnel-place.format';
import { readTimedPlace, writeTimedPlace, type TimedPlace } from '@app/contracts/timed-place.format';
import { isUuid } from '@app/contracts/uuid.format';
import { ValidationError } from '@app/contracts/validation.error';

interface CursorFormat<Place> {
  write(place: Place): string;
  /** Null for what is no place; whether `write` would have written it so is seen to. */
  read(text: string): Place | null;
}

/** A place in a list, opaque to the outside: there is one cursor for each place. */
export class OpaqueCursor<Place> {
  constructor(private readonly format: CursorFormat<Place>) {}

  encode(place: Place): string {
    return Buffer.from(this.format.write(place)).toString('base64url');
  }

  /** @throws ValidationError for anything that {@link encode} did not make. */
  decode(cursor: unknown): Place {
    const text = typeof cursor === 'string' ? Buffer.from(cursor, 'base64url').toString('latin1') : '';
    const place = this.format.read(text);
    if (place === null || this.encode(place) !== cursor) {
      throw new ValidationError([
        { path: 'cursor', message: 'is not a cursor of this list: take next_cursor as it came' },
      ]);
    }
    return place;
  }
}

/** Of a list that is ordered by id. */
export const ID_CURSOR = new OpaqueCursor<string>({
  write: (id) => id,
  read: (text) => (isUuid(text) ? text : null),
});

/** Of a list that is ordered by one number. */
export const NUMBER_CURSOR = new OpaqueCursor<number>({
  write: (position) => `n${position}`,
  read: (text) => {
    const position = /^n[1-9]\d{0,15}$/.test(text) ? Number(text.slice(1)) : NaN;
    return Number.isSafeInteger(position) ? position : null;
  },
});

/** Of a list that is ordered by time. */
export const TIME_CURSOR = new OpaqueCursor<TimedPlace>({ write: writeTimedPlace, read: readTimedPlace });

/** Of a list of stages. */
export const FUNNEL_CURSOR = new OpaqueCursor<FunnelPlace>({
  write: writeFunnelPlace,
  read: readFunnelPlace,
});
