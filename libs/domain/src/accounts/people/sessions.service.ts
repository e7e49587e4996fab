import { hash, randomUUIDv7 } from 'node:crypto';
import { isUuid } from '@app/contracts/uuid.format';
import type { ActiveSession } from '@app/persistence/accounts/people/session.statements';
import {
  UserSessionRepository,
  type EndedSession,
  type SessionOrigin,
  type SessionRow,
} from '@app/persistence/accounts/people/user-session.repository';
import { Injectable } from '@nestjs/common';
import { Audit, type AuditedAct } from '../../audit/audit.service';
import { UnauthorizedError } from '../account.errors';
import { personOf, type Caller, type Person } from '../principal.rules';
import { actingPerson } from './user.presenter';
import { SessionNotFoundError, SignInFailedError } from './people.errors';

export type { SessionOrigin };

/** Who has just proved who it is, and by which password. */
export interface SignedIn {
  accountId: string;
  userId: string;
  name: string;
  passwordHash: string;
}

/** A session as its person sees it. */
export interface Session {
  id: string;
  /** Whether it is the one that asks. */
  current: boolean;
  ip: string;
  user_agent: string;
  created_at: string;
  last_seen_at: string;
}

/** SHA-256 of a session's id in the cookie. It has 256 random bits, so a slow hash would add nothing. */
export const hashSessionToken = (token: string): Buffer => hash('sha256', token, 'buffer');

/** Sessions of people: the database knows them, so all processes end them at once. */
@Injectable()
export class SessionsService {
  constructor(
    private readonly sessions: UserSessionRepository,
    private readonly audit: Audit,
  ) {}

  /**
   * Opens a session under a new id. Of more than 20 sessions of a person the oldest end.
   * @throws SignInFailedError when the person was disabled or got another password meanwhile.
   */
  async open(
    token: string,
    { accountId, userId, name, passwordHash }: SignedIn,
    { requestId, ...origin }: SessionOrigin & { requestId?: string },
  ): Promise<void> {
    const id = randomUUIDv7();
    const person = { account_id: accountId, id: userId, name };
    const call = { requestId, ip: origin.ip };
    const session = { accountId, userId, passwordHash, id, tokenHash: hashSessionToken(token), ...origin };
    const describe = ({ ip, userAgent }: SessionOrigin) => ({
      subject: { type: 'session', accountId, id, name },
      after: { ip, user_agent: userAgent },
    });
    const isOpen = await this.audit.act(actingPerson(person, call), 'session.create', describe, (entryOf) =>
      this.sessions.open(session, entryOf),
    );
    if (isOpen) return;
    await this.audit.signInFailed({ type: null, ...call }, person, 'changed_meanwhile');
    throw new SignInFailedError();
  }

  /**
   * Recognises a session without counting a call, as a socket's handshake does.
   * @throws UnauthorizedError
   */
  async recognise(token: string): Promise<Person> {
    const found = await this.sessions.findActive(hashSessionToken(token));
    if (!found) throw new UnauthorizedError();
    return personOf(found);
  }

  /** The given sessions that are still active, by their ids, with the present rights of their people. */
  async stillActive(people: readonly Person[]): Promise<Map<string, Person>> {
    if (people.length === 0) return new Map();
    const rows: ActiveSession[] = await this.sessions.findActiveByIds(
      people.map(({ accountId, session: { id } }) => ({ accountId, sessionId: id })),
    );
    return new Map(rows.map((row) => [row.session_id, personOf(row)]));
  }

  /** The person's sessions, the last used first. */
  async list({ accountId, id, session }: Person): Promise<Session[]> {
    return (await this.sessions.list(accountId, id)).map((row) => present(row, session.id));
  }

  /**
   * Ends a session of the person.
   * @throws SessionNotFoundError
   */
  async end(by: Person, sessionId: string): Promise<void> {
    if (!isUuid(sessionId) || !(await this.endOne(by, sessionId.toLowerCase())))
      throw new SessionNotFoundError();
  }

  /** Ends the session that a browser had before it signed in anew: nobody could sign out of it any more. */
  async endFormer(
    token: string,
    { accountId, userId, name }: SignedIn,
    call: { requestId?: string; ip?: string },
  ): Promise<void> {
    const by = actingPerson({ account_id: accountId, id: userId, name }, call);
    await this.audit.act(by, 'session.end', endOf(by), (entryOf) =>
      this.sessions.endByToken(accountId, hashSessionToken(token), entryOf),
    );
  }

  /** Ends the session that asks. */
  async signOut(by: Person): Promise<void> {
    await this.endOne(by, by.session.id);
  }

  private async endOne(by: Person, sessionId: string): Promise<boolean> {
    return this.audit.act(by, 'session.end', endOf(by), (entryOf) =>
      this.sessions.end(by.accountId, by.id, sessionId, entryOf),
    );
  }
}

/** A person ends only own sessions. */
const endOf =
  ({ name }: Pick<Caller, 'name'>) =>
  ({ account_id: accountId, id, ip, user_agent }: EndedSession): AuditedAct => ({
    subject: { type: 'session', accountId, id, name },
    before: { ip, user_agent },
  });

function present(row: SessionRow, currentId: string): Session {
  return {
    id: row.id,
    current: row.id === currentId,
    ip: row.ip,
    user_agent: row.user_agent,
    created_at: row.created_at.toISOString(),
    last_seen_at: row.last_seen_at.toISOString(),
  };
}
