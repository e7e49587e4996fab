import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { BodyMemoryPool } from '../http/body/body-memory';
import { readBody } from '../http/body/body-reader';

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
