import { activeSpan } from '@app/contracts/trace-recorder';
import type { Params } from 'nestjs-pino';
import pino, { type Logger, type LoggerOptions, type SerializedError } from 'pino';
import { currentRequestId } from '../http/routes/request-id-middleware';
import { LineBuffer, standardOutput } from './log-output';

/** Nest logs some 35 lines while it starts, which are useful for developers only. */
const PARTS_OF_START = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'WebSocketsController',
  'NestApplication',
]);

const FORM: LoggerOptions = {
  timestamp: () => `,"time":"${new Date().toISOString()}"`,
  formatters: { level: (label) => ({ level: label }) },
};

/**
 * For the one line of each request, which has its id and lists its fields, so that nothing needs to be looked up or
 * hidden.
 */
export const requestLogger = (level: string): Logger => pino({ ...FORM, level }, new LineBuffer());

/**
 * Adds the request's id, and the trace's, to every line written on its behalf. Each line lists its fields by allow-list: never headers,
 * keys, bodies or texts. The library's middleware is not used, because it makes two loggers for each request even
 * when no line is written.
 */
export function loggerOptions(level: string): Params {
  return {
    forRoutes: [],
    pinoHttp: {
      ...FORM,
      level,
      stream: standardOutput(),
      redact: {
        paths: ['*.headers', '*.api_key', '*.key', '*.password', '*.token', '*.authorization'],
        remove: true,
      },
      // An error of the database carries rows and parameters, so of any error only its type, message, code and
      // stack are kept. The library's serialiser has run before.
      serializers: {
        err: ({ type, message, code, stack }: SerializedError) => ({ type, message, code, stack }),
      },
      hooks: {
        logMethod(args, method, level) {
          const [about] = args as unknown as [{ context?: string } | undefined];
          const isOfStart = level === pino.levels.values.info && PARTS_OF_START.has(about?.context ?? '');
          (isOfStart ? this.debug : method).apply(this, args);
        },
      },
      mixin: () => {
        const request_id = currentRequestId();
        const trace_id = activeSpan()?.traceId;
        return {
          ...(request_id !== undefined && { request_id }),
          ...(trace_id !== undefined && { trace_id }),
        };
      },
    },
  };
}
