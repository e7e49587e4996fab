import type { NextFunction, Request, Response } from 'express';
import { respondWithError } from '../errors/error-responder';
import { namesItsHost } from './host-header.rules';
import { MethodNotAllowedError, NotFoundError, ShuttingDownError } from '../errors/http.errors';
import type { IdentifiedRequest } from './request-id-middleware';
import type { RouteTable } from './route-table';

export interface RouteCheckState {
  /** Set while the process finishes its last requests. */
  draining: boolean;
  /** Told to stop, and still serving until those who send calls have learnt of it: it is not ready any more. */
  leaving: boolean;
  /** Answers that are not finished yet. */
  readonly open: Set<Response>;
}

/** A path with a broken percent-encoding does not exist. The router would fail on it. */
function isDecodable(path: string): boolean {
  if (!path.includes('%')) return true;
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** The headers of every answer. */
const HEADERS: readonly [string, string][] = [
  ['Cache-Control', 'no-store'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
];

/** Browsers come back by https alone, for a year. Other names of the same domain may be without. */
export const STRICT_TRANSPORT = ['Strict-Transport-Security', 'max-age=31536000'] as const;

/** Answers what a person opened in a browser; resolves with false where it was none. */
export type UnknownAddress = (request: Request, response: Response) => Promise<boolean>;

export interface RouteCheckOptions {
  /** Whether browsers reach the service by https. */
  isSecure: boolean;
  /** Null: nobody opens addresses of this process. */
  unknownAddress: UnknownAddress | null;
}

/**
 * The first of all checks: which paths exist and which methods they accept. It comes before the key is checked, so a
 * wrong path costs nothing and counts nothing.
 */
export function routeCheck(
  routes: RouteTable,
  state: RouteCheckState,
  { isSecure, unknownAddress }: RouteCheckOptions,
) {
  const headers = isSecure ? [...HEADERS, STRICT_TRANSPORT] : HEADERS;
  const refuseUnknown = async (request: IdentifiedRequest, response: Response): Promise<void> => {
    if (!(await unknownAddress?.(request, response)))
      respondWithError(response, new NotFoundError(), request.id);
  };
  return (request: IdentifiedRequest, response: Response, next: NextFunction): void => {
    const requestId = request.id;
    state.open.add(response);
    response.once('close', () => state.open.delete(response));
    response.setHeader('X-Request-Id', requestId);
    for (const [name, value] of headers) response.setHeader(name, value);
    // As what is no HTTP, and before a path is looked at.
    if (!namesItsHost(request)) return void response.set('Connection', 'close').status(400).end();
    if (state.draining || state.leaving) {
      response.setHeader('Connection', 'close');
      const isRefused = state.draining ? request.path !== '/health/live' : request.path === '/health/ready';
      if (isRefused) return respondWithError(response, new ShuttingDownError(), requestId);
    }
    const methods = isDecodable(request.path) ? routes.methodsOf(request.path) : null;
    if (methods?.has(request.method)) return next();
    if (methods) {
      const allowed = [...methods].join(', ');
      response.setHeader('Allow', allowed);
      return respondWithError(response, new MethodNotAllowedError(allowed), requestId);
    }
    refuseUnknown(request, response).catch(next);
  };
}
