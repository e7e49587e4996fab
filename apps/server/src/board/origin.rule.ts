import type { IncomingHttpHeaders } from 'node:http';
import { CodedError } from '@app/contracts/coded.error';
import { Injectable } from '@nestjs/common';
import { PublicUrl } from '../public.url';

class ForeignOriginError extends CodedError {
  readonly code = 'FORBIDDEN';

  constructor() {
    super('Boards are opened from the pages of this service, or by programs that send no Origin.');
  }
}

/**
 * Which web pages may open a socket: those of this service. A program sends no Origin and is recognised by its key.
 */
@Injectable()
export class OriginRule {
  private readonly own: string;

  constructor({ value }: PublicUrl) {
    this.own = new URL(value).origin;
  }

  /** @throws ForeignOriginError */
  requireOwn({ origin, host }: IncomingHttpHeaders): void {
    if (origin === undefined || origin === this.own) return;
    // Reached by another name or port, such as 127.0.0.1: the page and the socket have the same host.
    if (URL.canParse(origin) && new URL(origin).host === host) return;
    throw new ForeignOriginError();
  }
}
