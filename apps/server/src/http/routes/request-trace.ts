import type { TraceRecorder } from '@app/contracts/trace-recorder';
import { isUuid } from '@app/contracts/uuid.format';
import type { Response, NextFunction, Request } from 'express';
import type { AdmittedRequest } from '../auth/access.decorator';
import type { IdentifiedRequest } from './request-id-middleware';

const PATHS = new WeakMap<Response, string>();

/** Has the log name an address by its pattern: which dialog a person opened is not for the log. */
export function logPathAs(response: Response, pattern: string): void {
  PATHS.set(response, pattern);
}

/** The pattern; undefined where the path as it was sent will do. */
export const loggedPathOf = (response: Response): string | undefined => PATHS.get(response);

/** Receives the measurements of a finished request. */
export interface RequestMeter {
  requestDone(method: string, route: string, status: number, seconds: number): void;
}

/** Records a request when its connection has finished with it, answered or not. */
export type RequestLine = (request: Request, response: Response, milliseconds: number) => void;

/** Measures every answer by its operation. Unknown paths count together, so that no caller can fill the memory. */
export function requestTimer(meter: RequestMeter, writeLine: RequestLine) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const begun = performance.now();
    response.once('close', () => {
      const milliseconds = performance.now() - begun;
      if (response.writableFinished) {
        const route = (request.route as { path?: unknown } | undefined)?.path;
        const name = typeof route === 'string' ? route : 'none';
        meter.requestDone(request.method, name, response.statusCode, milliseconds / 1000);
      }
      writeLine(request, response, milliseconds);
    });
    next();
  };
}

/** Of the trace of a request; absent where nothing is traced. */
export type TracedRequest = Request & { traceId?: string };

/** What machines ask all the time. */
const UNTRACED = /^\/(health\/|metrics$)/;

/**
 * One trace for each request. A caller's own trace is only linked: who may call may not decide what is recorded here, nor
 * put spans of others into one trace. Of the request's words there are only those that we have chosen: its route, never its path; its
 * id, where it is a UUID, because callers may put anything into theirs.
 */
export function traceRequests(recorder: TraceRecorder) {
  return (request: Request, response: Response, next: NextFunction): void => {
    if (UNTRACED.test(request.path)) return next();
    const { method } = request;
    const { traceparent } = request.headers;
    const span = recorder.begin(null, {
      ...{ name: method, kind: 'server' },
      facts: { 'http.request.method': method, 'url.scheme': 'http' },
      links: typeof traceparent === 'string' ? [traceparent] : [],
    });
    (request as TracedRequest).traceId = span.traceId;
    response.once('close', () => {
      const { route, id, principal } = request as IdentifiedRequest & AdmittedRequest;
      const template = (route as { path?: unknown } | undefined)?.path;
      if (typeof template === 'string') span.rename(`${method} ${template}`);
      const { statusCode } = response;
      span.set({
        'http.route': typeof template === 'string' ? template : undefined,
        'http.response.status_code': statusCode,
        'leadline.request_id': isUuid(id) ? id : undefined,
        'leadline.account_id': principal?.accountId ?? undefined,
      });
      if (!response.writableFinished) span.fail({ code: 'aborted' });
      else if (statusCode >= 500) span.fail({ code: String(statusCode) });
      span.end();
    });
    recorder.within(span, next);
  };
}
