import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Params } from 'nestjs-pino';

type Answered = IncomingMessage & { id?: unknown; principal?: { keyId: string } };

/**
 * One line a request, and the request's id in every line written on its behalf. What is logged is listed here, by
 * allow-list: never headers, keys, bodies or texts.
 */
export function loggerOptions(level: string): Params {
  return {
    pinoHttp: {
      level,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: ['*.headers', '*.api_key', '*.key', '*.password', '*.token', '*.authorization'],
        remove: true,
      },
      genReqId: (request) => (request as Answered).id,
      quietReqLogger: true,
      customAttributeKeys: { reqId: 'request_id' },
      autoLogging: { ignore: (request) => request.url?.startsWith('/health/') ?? false },
      customLogLevel: (_request, response: ServerResponse, error) =>
        error || response.statusCode >= 500 ? 'error' : 'info',
      customSuccessMessage: () => 'request',
      customErrorMessage: () => 'request failed',
      customSuccessObject: (request: Answered, response, object: { responseTime: number }) => ({
        method: request.method,
        path: request.url?.split('?', 1)[0],
        status: response.statusCode,
        ms: object.responseTime,
        key_id: request.principal?.keyId,
      }),
      customErrorObject: (request: Answered, response, error: Error) => ({
        method: request.method,
        path: request.url?.split('?', 1)[0],
        status: response.statusCode,
        error: error.message,
      }),
      serializers: { req: () => undefined, res: () => undefined },
    },
  };
}
