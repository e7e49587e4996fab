import { Injectable } from '@nestjs/common';
import { IsNull, type FindOptionsWhere } from 'typeorm';
import { Database } from '../../database/database.service';
import { AuditRepository, type AuditEntryOf } from '../../audit/audit.repository';
import { Entities } from '../../database/entities.service';
import { statement, runWith, purgeOf } from '../../database/sql.statements';
import {
  ACTIVE_SESSIONS,
  ACTIVE_SESSION_COLUMNS,
  IS_ACTIVE_SESSION,
  IS_OPEN_SESSION,
  type ActiveSession,
} from './session.statements';
import { UserEntity, UserSessionEntity } from './user.entity';

/** Where a session comes from. */
export interface SessionOrigin {
  ip: string;
  network: string;
  userAgent: string;
}

export interface NewSession extends SessionOrigin {
  accountId: string;
  userId: string;
  id: string;
  tokenHash: Buffer;
  /** The hash of the password that was given: it must still be the person's. */
  passwordHash: string;
}

/** A session that has just ended. */
export type EndedSession = Pick<UserSessionEntity, 'account_id' | 'user_id' | 'id' | 'ip' | 'user_agent'>;

export type SessionRow = Pick<UserSessionEntity, 'id' | 'ip' | 'user_agent' | 'created_at' | 'last_seen_at'>;

/** Sessions that a person may have at once. */
const SESSIONS_MAX = 20;
/** The account of a handshake is known only afterwards, so all handshakes form one group. */
const HANDSHAKES = 'session handshakes';

const BY_TOKEN = statement('session-by-token')
  .takes('tokenHash')
  .returns<ActiveSession>(
    `SELECT ${ACTIVE_SESSION_COLUMNS} FROM ${ACTIVE_SESSIONS} WHERE s.token_hash = :tokenHash AND ${IS_ACTIVE_SESSION}`,
  );
const BY_IDS = statement('sessions-by-ids').takes('accountIds', 'ids').returns<ActiveSession>(`
  SELECT ${ACTIVE_SESSION_COLUMNS}
    FROM unnest(:accountIds::uuid[], :ids::uuid[]) AS q (account_id, session_id)
    JOIN ${ACTIVE_SESSIONS} ON s.account_id = q.account_id AND s.id = q.session_id
   WHERE ${IS_ACTIVE_SESSION}`);
const LIST = statement('session-list').takes('accountId', 'userId').returns<SessionRow>(`
  SELECT s.id, s.ip, s.user_agent, s.created_at, s.last_seen_at
    FROM user_sessions s JOIN users u ON u.account_id = s.account_id AND u.id = s.user_id
   WHERE s.account_id = :accountId AND s.user_id = :userId AND ${IS_ACTIVE_SESSION}
   ORDER BY s.last_seen_at DESC, s.id DESC`);
const END_OLDEST = statement('sessions-end-oldest').takes('accountId', 'userId').returns(`
  UPDATE user_sessions SET ended_at = now.at FROM (SELECT clock_timestamp() AS at) now
   WHERE account_id = :accountId AND id IN (
     SELECT s.id FROM user_sessions s
      WHERE s.account_id = :accountId AND s.user_id = :userId AND ${IS_OPEN_SESSION}
      ORDER BY s.created_at DESC, s.id DESC OFFSET ${SESSIONS_MAX})`);
/** Longer than a session lasts and than a network counts as known. */
const PURGE = statement('session-purge')
  .takes('limit')
  .returns(
    purgeOf('user_sessions', { where: `o.created_at < now() - interval '60 days'`, by: 'created_at' }),
  );

/** Sessions of people. */
@Injectable()
export class UserSessionRepository {
  constructor(
    private readonly entities: Entities,
    private readonly database: Database,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * Opens a session. A person's oldest ones end when there are too many.
   * @returns false when the person was disabled or got another password meanwhile.
   */
  async open(session: NewSession, entryOf: AuditEntryOf<NewSession>): Promise<boolean> {
    const { accountId, userId, id, tokenHash, passwordHash, ip, network, userAgent } = session;
    return this.entities.transactFor(accountId, async (manager) => {
      const user = await manager.findOne(UserEntity, {
        where: { account_id: accountId, id: userId },
        select: { id: true, account_id: true, password_hash: true, disabled_at: true },
        lock: { mode: 'for_no_key_update' },
      });
      if (!user || user.disabled_at !== null || user.password_hash !== passwordHash) return false;
      await manager.insert(UserSessionEntity, {
        ...{ account_id: accountId, id, user_id: userId, token_hash: tokenHash },
        ...{ ip, network, user_agent: userAgent },
      });
      await runWith(manager, END_OLDEST, { accountId, userId });
      await manager.update(
        UserEntity,
        { account_id: accountId, id: userId },
        { last_seen_at: () => 'clock_timestamp()' },
      );
      await this.audit.append(manager, entryOf(session));
      return true;
    });
  }

  /** An active session, by the hash of its id in the cookie. */
  async findActive(tokenHash: Buffer): Promise<ActiveSession | null> {
    const [row] = await this.database.runFor(HANDSHAKES, BY_TOKEN, { tokenHash });
    return row ?? null;
  }

  /** Those that are still active, of all accounts. */
  async findActiveByIds(
    sessions: readonly { accountId: string; sessionId: string }[],
  ): Promise<ActiveSession[]> {
    return this.database.run(BY_IDS, {
      accountIds: sessions.map(({ accountId }) => accountId),
      ids: sessions.map(({ sessionId }) => sessionId),
    });
  }

  async list(accountId: string, userId: string): Promise<SessionRow[]> {
    return this.database.runFor(accountId, LIST, { accountId, userId });
  }

  /** Ends one session of a person. @returns whether it had not ended before. */
  async end(
    accountId: string,
    userId: string,
    id: string,
    entryOf: AuditEntryOf<EndedSession>,
  ): Promise<boolean> {
    return this.endOne(accountId, { account_id: accountId, user_id: userId, id }, entryOf);
  }

  /**
   * Ends the session of this cookie, whosever it is, if it has not ended.
   * @param accountId of whoever has the cookie
   */
  async endByToken(accountId: string, tokenHash: Buffer, entryOf: AuditEntryOf<EndedSession>): Promise<void> {
    await this.endOne(accountId, { token_hash: tokenHash }, entryOf);
  }

  private async endOne(
    owner: string,
    which: FindOptionsWhere<UserSessionEntity>,
    entryOf: AuditEntryOf<EndedSession>,
  ): Promise<boolean> {
    return this.entities.transactFor(owner, async (manager) => {
      const lock = { mode: 'for_no_key_update' } as const;
      const session = await manager.findOne(UserSessionEntity, {
        where: { ...which, ended_at: IsNull() },
        lock,
      });
      if (!session) return false;
      const { account_id, id } = session;
      await manager.update(
        UserSessionEntity,
        { account_id, id },
        { ended_at: () => 'coalesce(ended_at, clock_timestamp())' },
      );
      await this.audit.append(manager, entryOf(session));
      return true;
    });
  }

  /** Notes that the password was given again. */
  async confirm(accountId: string, id: string): Promise<void> {
    await this.entities.transactFor(accountId, (manager) =>
      manager.update(
        UserSessionEntity,
        { account_id: accountId, id },
        { confirmed_at: () => 'clock_timestamp()' },
      ),
    );
  }

  /** Deletes a bounded number of old sessions and returns how many it deleted. */
  async purge(limit: number): Promise<number> {
    return (await this.database.run(PURGE, { limit })).length;
  }
}
