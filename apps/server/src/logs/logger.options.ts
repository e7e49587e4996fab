import type { Params } from 'nestjs-pino';
import pino, { type Logger, type LoggerOptions, type SerializedError } from 'pino';
import { currentRequestId } from '../http/request-id.middleware';
import { LineBuffer } from './line.buffer';
import { standardOutput } from './log.output';

/** What Nest logs of each part while it starts: some 35 lines, useful for developers only. */
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

/** For the one line of each request, which knows its id and lists what it tells: nothing to look up, and nothing to hide. */
export const requestLogger = (level: string): Logger => pino({ ...FORM, level }, new LineBuffer());

/**
 * The request's id in every line written on its behalf. What is logged is listed where it is logged, by allow-list:
 * never headers, keys, bodies or texts. The library's own middleware is not mounted: it makes two loggers for each
 * request, whether a line is written or not.
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
      // An error of the database carries rows and parameters: of any error only what says where it came from. It
      // comes here as the library's own serialiser left it.
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
        return request_id === undefined ? {} : { request_id };
      },
    },
  };
}
