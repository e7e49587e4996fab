import type { IncomingMessage } from 'node:http';
import { RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { ModulesContainer } from '@nestjs/core';
import type { NextFunction, Request, Response } from 'express';
import { respondWithError } from '../errors/error-responder';
import { MethodNotAllowedError, NotFoundError, ShuttingDownError } from '../errors/http.errors';
import type { IdentifiedRequest } from './request-id-middleware';

/**
 * Whether a request says once for which host it is, as HTTP/1.1 demands. Of two, a proxy may have looked at the other one.
 * Probes that speak HTTP/1.0 need none.
 */
export function namesItsHost({
  rawHeaders,
  httpVersion,
}: Pick<IncomingMessage, 'rawHeaders' | 'httpVersion'>): boolean {
  let hosts = 0;
  for (let n = 0; n < rawHeaders.length; n += 2) {
    const name = rawHeaders[n] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
}

interface Route {
  method: string;
  /** With parameters as `:name`. */
  path: string;
  controller: Type<unknown>;
  handler: (...values: unknown[]) => unknown;
}

const joinPath = (...parts: string[]): string =>
  `/${parts
    .flatMap((part) => part.split('/'))
    .filter((part) => part !== '')
    .join('/')}`;

/** Every HTTP operation of the application, read from its controllers. */
export function routesOf(modules: ModulesContainer): Route[] {
  const controllers = [...modules.values()].flatMap((module) => [...module.controllers.values()]);
  return controllers.flatMap(({ metatype }) => {
    const controller = metatype as Type<unknown> & { prototype: Record<string, unknown> };
    const prefix = String(Reflect.getMetadata(PATH_METADATA, controller) ?? '');
    return Object.getOwnPropertyNames(controller.prototype).flatMap((name) => {
      const handler = Object.getOwnPropertyDescriptor(controller.prototype, name)?.value as unknown;
      if (typeof handler !== 'function') return [];
      const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
      if (method === undefined) return [];
      const path = joinPath(prefix, String(Reflect.getMetadata(PATH_METADATA, handler) ?? ''));
      return [{ method: RequestMethod[method], path, controller, handler: handler as Route['handler'] }];
    });
  });
}

/** Which methods a path takes. */
export class RouteTable {
  private readonly exact = new Map<string, Set<string>>();
  private readonly patterns: { pattern: RegExp; methods: Set<string> }[] = [];

  constructor(routes: readonly Pick<Route, 'method' | 'path'>[]) {
    const methodsOf = new Map<string, Set<string>>();
    for (const { method, path } of routes) {
      const methods = methodsOf.get(path) ?? new Set();
      methods.add(method);
      if (method === 'GET') methods.add('HEAD');
      methodsOf.set(path, methods);
    }
    for (const [path, methods] of methodsOf) {
      if (path.includes(':')) {
        this.patterns.push({ pattern: new RegExp(`^${path.replace(/:[^/]+/g, '[^/]+')}$`), methods });
      } else {
        this.exact.set(path, methods);
      }
    }
  }

  /** The methods of a path, or null when there is no such path. Letter case and a closing slash count. */
  methodsOf(path: string): Set<string> | null {
    return this.exact.get(path) ?? this.patterns.find(({ pattern }) => pattern.test(path))?.methods ?? null;
  }
}

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

interface RouteCheckOptions {
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
