import type { IncomingMessage } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
import { v7 as uuidv7 } from 'uuid';

const SANE = /^[A-Za-z0-9._:@/+=-]{1,128}$/;

/** The caller's X-Request-Id if it is sane, else a new one. */
function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && SANE.test(given) ? given : uuidv7();
}

export type IdentifiedRequest = Request & { id: string };

/** Gives every request its id, before anything can refuse it. */
export function identifyRequest(request: Request, _response: Response, next: NextFunction): void {
  (request as IdentifiedRequest).id = requestIdOf(request);
  next();
}
