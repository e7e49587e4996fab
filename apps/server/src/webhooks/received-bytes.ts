import type { SigningNumber } from '@app/domain/webhooks/number-secrets.service';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

/** A request whose body a guard has read. */
export type ReceivedRequest = Request & {
  received?: Buffer;
  /** The numbers by whose own app secret it is signed; null: an app of the installation signed it. */
  signers?: readonly SigningNumber[] | null;
};

/** The body's bytes, unchanged. */
export const ReceivedBytes = createParamDecorator((_: unknown, context: ExecutionContext): Buffer => {
  const { received } = context.switchToHttp().getRequest<ReceivedRequest>();
  if (!received) throw new Error('nothing was received: the guard that reads the body is missing');
  return received;
});

/** Of which numbers alone the body may tell; null: its signature limits it to none. */
export const Signers = createParamDecorator(
  (_: unknown, context: ExecutionContext): readonly SigningNumber[] | null => {
    const { signers } = context.switchToHttp().getRequest<ReceivedRequest>();
    if (signers === undefined) throw new Error('nobody signed: the guard that checks signatures is missing');
    return signers;
  },
);
