import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUIDv7 } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
import { withoutKeys } from '../../logs/secret-mask';

const SANE = /^[A-Za-z0-9._:@/+=-]{1,128}$/;

/**
 * The caller's X-Request-Id if it is well-formed and no API key, because it is logged; else a new one. Node keeps
 * random bytes ready for its ids.
 */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && SANE.test(given) && withoutKeys(given) === given
    ? given
    : randomUUIDv7();
}

export type IdentifiedRequest = Request & { id: string };

const current = new AsyncLocalStorage<string>();

/** The id of the request on whose behalf this code runs, if there is one. */
export const currentRequestId = (): string | undefined => current.getStore();

/** Gives every request its id, before anything can refuse it. */
export function identifyRequest(request: Request, _response: Response, next: NextFunction): void {
  const id = requestIdOf(request);
  (request as IdentifiedRequest).id = id;
  current.run(id, next);
}
