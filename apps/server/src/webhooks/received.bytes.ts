import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

/** A request whose body a guard has read. */
export type ReceivedRequest = Request & { received?: Buffer };

/** The body's bytes, unchanged. */
export const ReceivedBytes = createParamDecorator((_: unknown, context: ExecutionContext): Buffer => {
  const { received } = context.switchToHttp().getRequest<ReceivedRequest>();
  if (!received) throw new Error('nothing was received: the guard that reads the body is missing');
  return received;
});
