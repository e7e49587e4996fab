import type { NextFunction, Request, Response } from 'express';

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
