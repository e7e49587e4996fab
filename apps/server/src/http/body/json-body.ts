import type { IncomingHttpHeaders } from 'node:http';
import { ValidationError } from '@app/contracts/coded.errors';
import { JsonError } from './json.errors';
import type { RouteRules } from '../routes/route.rules';
import { parseStrictJson } from './strict-json-parser';

const WITH_BODY = new Set(['POST', 'PUT', 'PATCH']);

/** No two runs of blanks may be adjacent: telling them apart would take quadratic time. */
const JSON_TYPE =
  /^application\/json[ \t]*(?:;[ \t]*(?:charset[ \t]*=[ \t]*(?:"utf-8"|utf-8)[ \t]*(?:;[ \t]*)?)?)?$/i;

/** Whether a call to a route has a JSON body. */
export const hasJsonBody = (method: string, { takesRawBody }: RouteRules): boolean =>
  WITH_BODY.has(method) && !takesRawBody;

/** Whether a request says that it has no body. */
export const isWithoutBody = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;

/**
 * The JSON object that a request's body is.
 * @throws ValidationError when it is another type, compressed, no JSON, or no object.
 */
export function parseJsonBody(headers: IncomingHttpHeaders, bytes: Buffer): object {
  if (!JSON_TYPE.test(headers['content-type'] ?? '')) {
    throw refusal('', 'the Content-Type must be application/json in UTF-8');
  }
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw refusal('', 'a compressed body is not taken: send it without Content-Encoding');
  }
  let body: unknown;
  try {
    body = parseStrictJson(bytes);
  } catch (error) {
    if (error instanceof JsonError) throw refusal(error.path, error.message);
    throw error;
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw refusal('', 'the body must be a JSON object');
  }
  return body;
}

const refusal = (path: string, message: string): ValidationError => new ValidationError([{ path, message }]);
