import { createHmac } from 'node:crypto';
import { SECRETS } from '../support/programs/server.process';

/** At 600 calls a minute each: enough for 4,000 calls a second by 50 accounts without one refusal. */
export const PEOPLE_PER_ACCOUNT = 8;

/** What the cookie of a person's session has, by the person's number. */
const tokenOf = (person: number): string => `bench_session_${person}`;

/** The SQL of the same text. */
export const tokenSql = (person: string): string => `'bench_session_' || ${person}`;

const sign = (text: string) => createHmac('sha256', SECRETS.SESSION_SECRET).update(text);

/** As the service signs: a cookie of express-session. */
export function cookieOf(person: number): { name: string; value: string } {
  const token = tokenOf(person);
  const signature = sign(token).digest('base64').replace(/=+$/, '');
  return { name: 'leadline', value: encodeURIComponent(`s:${token}.${signature}`) };
}

/** The cookie, and the token against other sites. */
function headersOf(url: string, person: number): { headers: string } {
  const { name, value } = cookieOf(person);
  const csrf = sign(`csrf:${tokenOf(person)}`).digest('base64url');
  return { headers: `Cookie: ${name}=${value}\r\nOrigin: ${url}\r\nX-CSRF-Token: ${csrf}\r\n` };
}

/** The people of every account one after the other, so that each stays within the calls of a session. */
export class SessionRotation {
  private readonly next = new Map<number, number>();
  private readonly made = new Map<number, { headers: string }>();

  constructor(private readonly url: string) {}

  callerFor(account: number): { headers: string } {
    const index = this.next.get(account) ?? 0;
    this.next.set(account, (index + 1) % PEOPLE_PER_ACCOUNT);
    const person = account * PEOPLE_PER_ACCOUNT + index;
    const caller = this.made.get(person) ?? headersOf(this.url, person);
    this.made.set(person, caller);
    return caller;
  }
}
