import type { IncomingHttpHeaders } from 'node:http';
import { CodedError } from '@app/contracts/coded.error';
import { CrossSiteError } from '@app/domain/accounts/sign-in.errors';
import { Injectable } from '@nestjs/common';
import { PublicUrl } from '../public.url';

class ForeignOriginError extends CodedError {
  readonly code = 'FORBIDDEN';

  constructor() {
    super('Boards are opened from the pages of this service, or by programs that send no Origin.');
  }
}

/** Which web pages may call by a session, sign in and open sockets: those of this service. */
@Injectable()
export class OriginRule {
  private readonly own: string;

  constructor({ value }: PublicUrl) {
    this.own = new URL(value).origin;
  }

  /**
   * For sockets with a key: a program sends no Origin.
   * @throws ForeignOriginError
   */
  requireNoForeign(headers: IncomingHttpHeaders): void {
    if (headers.origin !== undefined && !this.isOwn(headers)) throw new ForeignOriginError();
  }

  /**
   * For what a page does in a person's name. Browsers send the Origin with it; a page of another site cannot choose
   * its own.
   * @throws CrossSiteError also where there is none.
   */
  requireOwn(headers: IncomingHttpHeaders): void {
    if (!this.isOwn(headers)) throw new CrossSiteError();
  }

  private isOwn({ origin, host }: IncomingHttpHeaders): boolean {
    if (origin === undefined) return false;
    // Reached by another name or port, such as 127.0.0.1: the page and the service have the same host.
    return origin === this.own || (URL.canParse(origin) && new URL(origin).host === host);
  }
}
