import type { SigningNumber } from '@app/domain/webhooks/number-secrets.service';
import { createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { BodyMemoryPool, readBody } from '../http/body/body-reader';

/** The secrets by which providers prove themselves. */
export abstract class WebhookSecrets {
  /** The secrets of the installation's apps at Meta, with one of which Meta signs what no number's own app signs. */
  abstract readonly appSecrets: readonly string[];
  /** The token that Meta must send when it verifies the address. */
  abstract readonly verifyToken: string;
  /** Part of the addresses that Gupshup gets. */
  abstract readonly gupshupToken: string;
}

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

const MIB = 1024 * 1024;
/** The largest body that Meta sends (Meta: webhooks). */
const LIMIT_BYTES = 3 * MIB;
/** The providers do not wait longer for an answer. */
const WITHIN_MS = 10_000;
const MEMORY_BYTES = 96 * MIB;
const MEMORY_OF_LARGE_BYTES = 64 * MIB;

/** Reads webhooks within bounds of size, time and memory. */
@Injectable()
export class WebhookBodyReader {
  private readonly memory = new BodyMemoryPool(MEMORY_BYTES, MEMORY_OF_LARGE_BYTES);

  /** The memory is released when the request is over. */
  async read(request: Request, response: Response): Promise<Buffer> {
    const memory = this.memory.open();
    response.once('close', () => memory.free());
    return readBody(request, response, {
      limitBytes: LIMIT_BYTES,
      withinMs: WITHIN_MS,
      mayKeep: (bytes) => memory.grow(bytes),
    });
  }
}
