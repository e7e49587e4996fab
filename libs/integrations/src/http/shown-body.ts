import { isObject } from '@app/contracts/json-object';
import { cutToBytes } from '../webhooks/clean-text';

/** How many bytes of an answer callers are shown. */
export const LONGEST_SHOWN = 65_536;

/** Deeper than any provider's answer. A deeper answer could be neither written as JSON again nor shown. */
const DEEPEST = 32;

const MASK = '***';
/** Shortest beginning of a credential that is masked at the end of a body that was cut. */
const SHORTEST_PIECE = 6;

/**
 * A provider's answer as it may be stored and shown: without our credential, and without characters that a database
 * refuses.
 */
export interface ShownBody {
  /** The parsed JSON, or the text where it is no JSON; null when nothing was received. */
  shown: unknown;
  /** The body when it is a JSON object. */
  json: Readonly<Record<string, unknown>> | null;
}

/** The value's field, when the value is an object that has it. */
export function fieldOf(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** The value when it is a text, else an empty one. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * Makes texts showable: masks the credential in every form in which it may be echoed, and removes NUL and lone
 * surrogates.
 */
function cleaner(credential: string): (text: string) => string {
  const encoded = encodeURIComponent(credential.toWellFormed());
  const forms = [...new Set([credential, encoded, credential.replaceAll('/', '\\/')])].filter(Boolean);
  return (text) => {
    let clean = text;
    for (const form of forms) if (clean.includes(form)) clean = clean.replaceAll(form, MASK);
    return clean.replaceAll('\u0000', '').toWellFormed();
  };
}

function cleanJson(value: unknown, clean: (text: string) => string, depth: number): unknown {
  if (typeof value === 'string') return clean(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= DEEPEST) return '…';
  if (Array.isArray(value)) return value.map((item) => cleanJson(item, clean, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [clean(key), cleanJson(item, clean, depth + 1)]),
  );
}

/** Where a body was cut, its end may be the beginning of the credential. */
function withoutPiece(text: string, credential: string): string {
  for (let length = credential.length - 1; length >= SHORTEST_PIECE; length -= 1) {
    if (text.endsWith(credential.slice(0, length))) return text.slice(0, -length) + MASK;
  }
  return text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Reads the body of an answer, whatever its Content-Type says.
 * @param body null: nothing was received.
 * @param isCut whether more was sent than the body holds.
 * @param credential ours, which a provider may echo.
 */
export function readBody(body: Buffer | null, isCut: boolean, credential: string): ShownBody {
  if (body === null) return { shown: null, json: null };
  const text = body.toString('utf8');
  const clean = cleaner(credential);
  const value = isCut ? undefined : cleanJson(parsed(text), clean, 0);
  const json = isObject(value) ? value : null;
  // A bare null would mean that nothing arrived.
  if (value !== undefined && value !== null && body.length <= LONGEST_SHOWN) return { shown: value, json };
  // Bytes that are no UTF-8 become longer replacement characters, so the text is cut to the number of bytes received.
  const shown = cutToBytes(clean(text), Math.min(body.length, LONGEST_SHOWN));
  return { shown: isCut || body.length > LONGEST_SHOWN ? withoutPiece(shown, credential) : shown, json };
}
