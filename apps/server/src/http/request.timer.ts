import type { NextFunction, Request, Response } from 'express';

/** What takes the measure of a finished request. */
export interface RequestMeter {
  requestDone(method: string, route: string, status: number, seconds: number): void;
}

/** Measures every answer by its operation; paths that are none count together, so that nobody can fill the memory. */
export function requestTimer(meter: RequestMeter) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const begun = performance.now();
    response.once('finish', () => {
      const route = (request.route as { path?: unknown } | undefined)?.path;
      const name = typeof route === 'string' ? route : 'none';
      meter.requestDone(request.method, name, response.statusCode, (performance.now() - begun) / 1000);
    });
    next();
  };
}
