import { keyedHash } from '../dialog/erased.statements';

/** The form of a caller's key that tells nothing of it. It has a blank, which no key of a caller has. */
export const HIDDEN_KEYS = `'erased %'`;

/**
 * What a key becomes when a customer is erased: it names them at times, and still forbids a second send. A phone in it has
 * too few digits for a plain hash to hide it.
 */
export const hiddenKey = (key: string): string =>
  `('erased ' || encode(${keyedHash(`convert_to(${key}, 'UTF8')`)}, 'hex'))`;
