import { request, type Answer, type ApiClient } from './api.client';

/** Of the people who come by invitation. */
export const PASSWORD = 'seven quiet rivers';

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

export interface Invited {
  id: string;
  email: string;
  token: string;
}

let people = 0;

/** Invites a person to an account. @param admin the installation's */
export async function invite(
  admin: ApiClient,
  accountId: string,
  fields: Record<string, unknown> = {},
): Promise<Invited> {
  const email = `person-${(people += 1)}@example.com`;
  const { body, text } = await admin.call('admin/users', {
    ...{ account_id: accountId, email, name: 'Aigerim', role: 'operator' },
    ...fields,
  });
  if (!body.ok) throw new Error(text);
  return { id: body.data.id, email: body.data.email, token: tokenOf(body.data.invitation.url) };
}

/** The session of a person who accepts the invitation. */
export const joinBy = async (url: string, { token }: Invited): Promise<SessionClient> =>
  sessionOf(url, await callAuth(url, 'accept-invitation', { token, password: PASSWORD }));
