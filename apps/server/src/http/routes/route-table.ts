import { RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { ModulesContainer } from '@nestjs/core';

export interface Route {
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
