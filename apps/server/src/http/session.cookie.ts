import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import { parse } from 'cookie';
import { unsign } from 'cookie-signature';
import { PublicUrl } from '../public.url';

/** The secret that signs sessions' cookies and makes their CSRF tokens. */
export abstract class SessionSecret {
  abstract readonly value: string;
}

/** The prefix of express-session's signed cookies. */
const SIGNED = 's:';

/**
 * The cookie that carries a session's id. Behind https its name has the prefix `__Host-`, by which browsers take it
 * from this host only and over TLS only.
 */
@Injectable()
export class SessionCookie {
  readonly name: string;
  readonly isSecure: boolean;

  constructor(
    { value: publicUrl }: PublicUrl,
    readonly secret: SessionSecret,
  ) {
    this.isSecure = new URL(publicUrl).protocol === 'https:';
    this.name = this.isSecure ? '__Host-leadline' : 'leadline';
  }

  /** Whether a call has the cookie, whatever its value. */
  isGiven({ cookie }: IncomingHttpHeaders): boolean {
    return cookie !== undefined && parse(cookie)[this.name] !== undefined;
  }

  /** The session's id; null without a cookie that this service signed. */
  tokenOf({ cookie }: IncomingHttpHeaders): string | null {
    const value = cookie === undefined ? undefined : parse(cookie)[this.name];
    if (!value?.startsWith(SIGNED)) return null;
    return unsign(value.slice(SIGNED.length), this.secret.value) || null;
  }
}
