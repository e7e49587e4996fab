import type { Fields } from './item-fields';

const EARLIEST_S = Date.UTC(2001, 8, 9, 1, 46, 40) / 1000;
const LATEST_S = Date.UTC(2100, 0, 1) / 1000;

/**
 * A provider's time, in seconds or milliseconds since 1970, as text or number; both occur in the same field (facts,
 * gupshup 5.10). Null for a value that is in neither unit a time of this century.
 */
export function timeOf(fields: Fields | null, name: string): Date | null {
  const number = fields?.number(name) ?? null;
  if (number === null) return null;
  const seconds = number > LATEST_S ? number / 1000 : number;
  return seconds >= EARLIEST_S && seconds < LATEST_S ? new Date(Math.round(seconds * 1000)) : null;
}
