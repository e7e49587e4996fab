import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import { parse } from 'cookie';
import { unsign } from 'cookie-signature';
import { PublicUrl } from '../../public-url';

/** The secret that signs sessions' cookies and makes their CSRF tokens. */
export abstract class SessionSecret {
  abstract readonly value: string;
}

/** The prefix of express-session's signed cookies. */
const SIGNED = 's:';

const REMEMBERED_MAX = 10_000;

interface Reading {
  isGiven: boolean;
  token: string | null;
  csrfToken: string | null;
}

const NOT_GIVEN: Reading = { isGiven: false, token: null, csrfToken: null };

/**
 * The cookie that carries a session's id. Behind https its name has the prefix `__Host-`, by which browsers take it
 * from this host only and over TLS only.
 */
@Injectable()
export class SessionCookie {
  readonly name: string;
  readonly isSecure: boolean;
  /** Values whose signature was found right: a page sends the same one with each call. */
  private readonly signed = new Map<string, Reading>();

  constructor(
    { value: publicUrl }: PublicUrl,
    readonly secret: SessionSecret,
  ) {
    this.isSecure = new URL(publicUrl).protocol === 'https:';
    this.name = this.isSecure ? '__Host-leadline' : 'leadline';
  }

  /** Whether a call has the cookie, whatever its value. */
  isGiven(headers: IncomingHttpHeaders): boolean {
    return this.readingOf(headers).isGiven;
  }

  /** The session's id; null without a cookie that this service signed. */
  tokenOf(headers: IncomingHttpHeaders): string | null {
    return this.readingOf(headers).token;
  }

  /** The token against other sites that goes with a call's session; null without one. */
  csrfTokenOf(headers: IncomingHttpHeaders): string | null {
    return this.readingOf(headers).csrfToken;
  }

  /** What a page of this service sends with each change of a session: it knows it from sign-in, other sites do not. */
  csrfTokenFor(token: string): string {
    return createHmac('sha256', this.secret.value).update(`csrf:${token}`).digest('base64url');
  }

  private readingOf({ cookie }: IncomingHttpHeaders): Reading {
    if (cookie === undefined) return NOT_GIVEN;
    const value = parse(cookie)[this.name];
    if (value === undefined) return NOT_GIVEN;
    const known = this.signed.get(value);
    if (known) return known;
    const token = (value.startsWith(SIGNED) && unsign(value.slice(SIGNED.length), this.secret.value)) || null;
    if (token === null) return { isGiven: true, token, csrfToken: null };
    const reading = { isGiven: true, token, csrfToken: this.csrfTokenFor(token) };
    if (this.signed.size >= REMEMBERED_MAX) this.signed.clear();
    this.signed.set(value, reading);
    return reading;
  }
}
