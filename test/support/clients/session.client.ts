import { request, type Answer } from './api.client';

/** What a page of the service has of a session. */
export class SessionClient {
  constructor(
    readonly url: string,
    /** `name=value`. */
    readonly cookie: string,
    readonly csrfToken: string,
    readonly userId: string,
  ) {}

  call(
    path: string,
    body?: unknown,
    method = body === undefined ? 'GET' : 'POST',
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    return request(`${this.url}/api/v1/${path}`, {
      method,
      headers: { ...this.headers, ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  }

  /** What each of its calls carries. */
  get headers(): Record<string, string> {
    return {
      Cookie: this.cookie,
      Origin: this.url,
      'X-CSRF-Token': this.csrfToken,
      'Content-Type': 'application/json',
    };
  }

  /** The same session by the page of another process. */
  at(url: string): SessionClient {
    return new SessionClient(url, this.cookie, this.csrfToken, this.userId);
  }
}

/** A call that needs no session, from a page of the service. */
export const callAuth = (
  url: string,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> =>
  request(`${url}/api/v1/auth/${path}`, {
    method: 'POST',
    headers: { Origin: url, 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

export function sessionOf(url: string, { status, headers, body, text }: Answer): SessionClient {
  const [cookie = ''] = (headers.getSetCookie()[0] ?? '').split(';');
  if (status !== 200 || cookie === '') throw new Error(`no session was opened: ${text}`);
  return new SessionClient(url, cookie, body.data.csrf_token, body.data.user.id);
}

export const signIn = async (
  url: string,
  email: string,
  password: string,
  headers?: Record<string, string>,
): Promise<SessionClient> => sessionOf(url, await callAuth(url, 'sign-in', { email, password }, headers));

/** The token of a link that invites. */
export const tokenOf = (link: string): string => new URL(link).hash.slice(1);
