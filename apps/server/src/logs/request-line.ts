import type { ErrorCode } from '@app/contracts/error-codes';
import type { Response } from 'express';
import type { Logger } from 'pino';
import type { AdmittedRequest } from '../http/auth/access.decorator';
import type { IdentifiedRequest } from '../http/routes/request-id-middleware';
import { type TracedRequest, loggedPathOf, type RequestLine } from '../http/routes/request-trace';
import { refusalNote } from '../http/errors/error-responder';
import { pathWithoutSecrets } from './secret-mask';

const PATH_LENGTH_MAX = 200;

/** A refusal or the silence of a provider or of a model: notable, but no error of this service. */
const BAD_GATEWAY = 502;

function levelAndWords(status: number, code?: ErrorCode): ['error' | 'warn' | 'info', string] {
  if (code === 'MODEL_ERROR') return ['warn', 'the model gave no answer'];
  if (status === BAD_GATEWAY) return ['warn', 'the provider did not take it'];
  return status >= 500 ? ['error', 'request failed'] : ['info', 'request'];
}

/** One line for each request, and none for load balancers' health checks. */
export function requestLine(logger: Logger): RequestLine {
  return (request, response: Response, milliseconds) => {
    const { statusCode: status, writableFinished: answered } = response;
    const refusal = refusalNote(response);
    const [level, words] = levelAndWords(status, refusal?.code);
    if (!logger.isLevelEnabled(level)) return;
    const { id, method, originalUrl, principal, traceId } = request as IdentifiedRequest &
      AdmittedRequest &
      TracedRequest;
    // As it was sent: below a mounted path Express shows only the remainder.
    const path = originalUrl.split('?', 1).join().slice(0, PATH_LENGTH_MAX);
    if (path.startsWith('/health/')) return;
    const line = {
      request_id: id,
      trace_id: traceId,
      method,
      path: loggedPathOf(response) ?? pathWithoutSecrets(path),
      status,
      ms: Math.round(milliseconds),
      key_id: principal?.type === 'key' ? principal.id : undefined,
      user_id: principal?.type === 'user' ? principal.id : undefined,
      ...refusal,
    };
    logger[level](answered ? line : { ...line, aborted: true }, words);
  };
}
