import type { Response } from 'express';
import type { Logger } from 'pino';
import type { AdmittedRequest } from '../http/access.decorators';
import type { IdentifiedRequest } from '../http/request-id.middleware';
import type { RequestLine } from '../http/request.timer';
import { pathWithoutKeys } from './key.mask';

const PATH_LENGTH_MAX = 200;

/** One line a request; none for the balancers' questions after health. */
export function requestLine(logger: Logger): RequestLine {
  return (request, response: Response, milliseconds) => {
    const { statusCode: status, writableFinished: answered } = response;
    const level = status >= 500 ? 'error' : 'info';
    if (!logger.isLevelEnabled(level)) return;
    const { id, method, originalUrl, principal } = request as IdentifiedRequest & AdmittedRequest;
    // As it was sent: below a library's own path Express shows it the rest alone.
    const path = originalUrl.split('?', 1).join().slice(0, PATH_LENGTH_MAX);
    if (path.startsWith('/health/')) return;
    const line = {
      request_id: id,
      method,
      path: pathWithoutKeys(path),
      status,
      ms: Math.round(milliseconds),
      key_id: principal?.keyId,
    };
    logger[level](answered ? line : { ...line, aborted: true }, status >= 500 ? 'request failed' : 'request');
  };
}
