import type { IncomingHttpHeaders } from 'node:http';
import { CodedError } from '@app/contracts/coded.errors';
import { CrossSiteError } from '@app/domain/accounts/people/people.errors';
import { Injectable } from '@nestjs/common';
import { PublicUrl } from '../../public-url';

class ForeignOriginError extends CodedError {
  readonly code = 'FORBIDDEN';

  constructor() {
    super('Boards are opened from the pages of this service, or with a key by programs that send no Origin.');
  }
}

/** Which web pages may call by a session, sign in and open sockets: those of this service. */
@Injectable()
export class OriginRule {
  private readonly own: string;
  private readonly protocol: string;

  constructor({ value }: PublicUrl) {
    const { origin, protocol } = new URL(value);
    this.own = origin;
    this.protocol = protocol;
  }

  /**
   * For sockets with a key: a program sends no Origin.
   * @throws ForeignOriginError
   */
  requireNoForeign(headers: IncomingHttpHeaders): void {
    const { origin } = headers;
    if (origin !== undefined && !this.isOwn(headers)) throw new ForeignOriginError();
  }

  /**
   * For sockets by a session, whose cookie browsers send from any page. With the GET that polls they send no Origin
   * where the page is of the same one, and say that instead.
   * @throws ForeignOriginError
   */
  requireOwnSocket(headers: IncomingHttpHeaders, isPolling: boolean): void {
    const isSameByFetch = headers.origin === undefined && headers['sec-fetch-site'] === 'same-origin';
    if (!(isPolling && isSameByFetch) && !this.isOwn(headers)) throw new ForeignOriginError();
  }

  /**
   * For what a page does in a person's name. Browsers send the Origin with it; a page of another site cannot choose
   * its own. A page that came by the other protocol is another site's: where the service is behind https, anybody on
   * the way could have written one that came without TLS.
   * @throws CrossSiteError also where there is none.
   */
  requireOwn(headers: IncomingHttpHeaders): void {
    if (this.isOwn(headers)) return;
    throw new CrossSiteError(headers.origin === undefined ? 'origin' : 'own_origin');
  }

  /** Also where it is reached by another name or port, such as 127.0.0.1: then the page and the service have the same host. */
  private isOwn({ origin, host }: IncomingHttpHeaders): boolean {
    return origin === this.own || (host !== undefined && origin === `${this.protocol}//${host}`);
  }
}
