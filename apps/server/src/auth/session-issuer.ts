import { randomBytes } from 'node:crypto';
import {
  SessionsService,
  type SessionOrigin,
  type SignedIn,
} from '@app/domain/accounts/people/sessions.service';
import { Injectable } from '@nestjs/common';
import type { Request, RequestHandler, Response } from 'express';
import session, { Store, type SessionData } from 'express-session';
import { addressOf } from '../http/auth/caller-network';
import { networkOf } from '@app/domain/accounts/network.rules';
import type { IdentifiedRequest } from '../http/routes/request-id-middleware';
import { SessionCookie } from '../http/auth/session-cookie';

declare module 'express-session' {
  interface SessionData {
    opening?: { signedIn: SignedIn; origin: SessionOrigin & { requestId?: string } };
  }
}

const TOKEN_BYTES = 32;
const LONGEST_MS = 30 * 24 * 3_600_000;
const USER_AGENT_LENGTH_MAX = 300;

export const originOf = (request: Request): SessionOrigin & { requestId?: string } => ({
  requestId: (request as IdentifiedRequest).id,
  ip: addressOf(request),
  network: networkOf(addressOf(request)),
  userAgent: (request.headers['user-agent'] ?? '').slice(0, USER_AGENT_LENGTH_MAX),
});

/** Writes new sessions for express-session. They are read by the admission statement, never by the library. */
class NewSessions extends Store {
  constructor(private readonly sessions: SessionsService) {
    super();
  }

  /** None is ever found, so that the library makes a new id whatever cookie came. */
  override get(_token: string, callback: (error: unknown, found?: SessionData | null) => void): void {
    callback(null, null);
  }

  override set(token: string, { opening }: SessionData, callback?: (error?: unknown) => void): void {
    if (!opening) return callback?.();
    this.sessions.open(token, opening.signedIn, opening.origin).then(
      () => callback?.(),
      (error: unknown) => callback?.(error),
    );
  }

  override destroy(_token: string, callback?: (error?: unknown) => void): void {
    callback?.();
  }
}

/**
 * Opens sessions by express-session, which makes the cookie. Its middleware runs at sign-in only: all other calls find
 * their session, their person and their limit by one statement.
 */
@Injectable()
export class SessionIssuer {
  private readonly middleware: RequestHandler;

  constructor(
    private readonly sessions: SessionsService,
    private readonly cookie: SessionCookie,
  ) {
    this.middleware = session({
      store: new NewSessions(sessions),
      name: cookie.name,
      secret: cookie.secret.value,
      genid: () => randomBytes(TOKEN_BYTES).toString('base64url'),
      cookie: { httpOnly: true, sameSite: 'lax', secure: cookie.isSecure, path: '/', maxAge: LONGEST_MS },
      resave: false,
      saveUninitialized: true,
    });
  }

  /**
   * Opens a session, whose cookie goes out with the answer. The one of the cookie that came ends.
   * @returns the session's id
   */
  async open(request: Request, response: Response, signedIn: SignedIn): Promise<string> {
    // The public address decides whether cookies are secure: a proxy may end TLS without saying so.
    if (this.cookie.isSecure) Object.defineProperty(request, 'secure', { value: true });
    await new Promise<void>((resolve, reject) => {
      this.middleware(request, response, (error?: unknown) => (error ? reject(asError(error)) : resolve()));
    });
    request.session.opening = { signedIn, origin: originOf(request) };
    await new Promise<void>((resolve, reject) => {
      request.session.save((error: unknown) => (error ? reject(asError(error)) : resolve()));
    });
    const former = this.cookie.tokenOf(request.headers);
    if (former !== null) await this.sessions.endFormer(former, signedIn, originOf(request));
    return request.sessionID;
  }

  /** Has the browser forget the cookie. */
  forget(response: Response): void {
    response.clearCookie(this.cookie.name, {
      httpOnly: true,
      sameSite: 'lax',
      secure: this.cookie.isSecure,
      path: '/',
    });
  }
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
