import { AsyncResource } from 'node:async_hooks';
import type { Socket } from 'node:net';
import type { NextFunction, Request, Response } from 'express';

const last = new WeakMap<Socket, Response>();

/**
 * Requests that come behind one another on a connection, without waiting for answers, are done in their order, as RFC
 * 9112 9.3.2 has it for all that change anything: of two moves of a lead the later one holds. Node begins them at once.
 */
export function inOrder(request: Request, response: Response, next: NextFunction): void {
  const before = last.get(request.socket);
  last.set(request.socket, response);
  if (!before || before.writableFinished || before.closed) return next();
  // In its own context, whose id its log lines bear, and not in that of the request before.
  const inOwnContext = AsyncResource.bind(() => next());
  before.once('close', inOwnContext);
}
