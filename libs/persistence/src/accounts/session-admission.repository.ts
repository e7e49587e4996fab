import { Injectable } from '@nestjs/common';
import { CallBatcher } from '../database/call.batcher';
import { AdmissionDatabase } from '../database/database.service';
import { statement } from '../database/sql.statement';
import {
  ACTIVE_SESSIONS,
  ACTIVE_SESSION_COLUMNS,
  IS_ACTIVE_SESSION,
  WAS_SEEN_LONG_AGO,
  type ActiveSession,
} from './active-session.columns';
import { callsIn, FIRST_CALL, isHeadAhead, passesAt, SECOND, withCallNow } from './rate-bucket.fragments';

export interface AdmittedSession extends ActiveSession {
  passed: boolean;
  /** Calls of the person in the last 60 seconds, this one included if it passed. */
  used: number;
  /** Seconds until the oldest counted call no longer counts; null when no call counts. */
  reset_s: number | null;
}

export interface SessionCall {
  tokenHash: Buffer;
  /** Calls that a person may make in any 60 seconds, by all sessions together. */
  limit: number;
}

const REMEMBERED_SESSIONS_MAX = 10_000;

/**
 * Sessions and the windows of their people, several calls in one statement, no two of one person. The windows are of whole
 * seconds, as those of keys with raised limits: never more than the limit pass in any 60 seconds, and a call may be refused
 * up to a second early. A window is read only where the call did not pass.
 */
const ADMIT = statement('admit-sessions').takes('hashes', 'limit').returns<
  AdmittedSession & { n: number; is_note_due: boolean }
>(`
  WITH k AS MATERIALIZED (
    SELECT q.n, p.*
      FROM unnest(:hashes::bytea[]) WITH ORDINALITY AS q (token_hash, n)
      CROSS JOIN LATERAL (
        SELECT ${ACTIVE_SESSION_COLUMNS}, ${WAS_SEEN_LONG_AGO} AS is_note_due
          FROM ${ACTIVE_SESSIONS} WHERE s.token_hash = q.token_hash AND ${IS_ACTIVE_SESSION} OFFSET 0) p),
  hit AS (
    INSERT INTO rate_buckets AS w (key_id, scope, head, sums)
    SELECT id, 'user', ${SECOND}, ${FIRST_CALL} FROM k ORDER BY id
    ON CONFLICT (key_id, scope) DO UPDATE SET (head, sums) = (${withCallNow('w')})
      WHERE ${callsIn('w')} < :limit::int OR ${isHeadAhead('w.head', SECOND)}
    RETURNING w.key_id, w.head, w.sums)
  SELECT k.n::int AS n, k.id, k.name, k.account_id, k.role, k.session_id, k.assistant_ids, k.bot_ids, k.confirmed,
         k.needs_second_factor, k.is_note_due, hit.head IS NOT NULL AS passed, coalesce(${callsIn('r')}, 0)::int AS used,
         date_part('epoch', ${passesAt('r', ':limit::int')} - clock_timestamp()) AS reset_s
    FROM k LEFT JOIN hit ON hit.key_id = k.id
    CROSS JOIN LATERAL (
      SELECT coalesce(hit.head, o.head) AS head, coalesce(hit.sums, o.sums) AS sums
        FROM (SELECT) one
        LEFT JOIN rate_buckets o ON hit.head IS NULL AND o.key_id = k.id AND o.scope = 'user' OFFSET 0) r`);

/** Sessions and people are marked as seen once a minute. */
const NOTE_SEEN = statement('session-note-seen').takes('accountId', 'sessionId', 'userId').returns(`
  WITH seen AS (
    UPDATE user_sessions SET last_seen_at = clock_timestamp() WHERE account_id = :accountId AND id = :sessionId)
  UPDATE users SET last_seen_at = clock_timestamp() WHERE account_id = :accountId AND id = :userId`);

/** Sessions are looked up across accounts by their hash, because the account is known only from the session. */
@Injectable()
export class SessionAdmissionRepository {
  /** Whose each session is, which never changes. */
  private readonly people = new Map<string, string>();
  private readonly together: CallBatcher<SessionCall, AdmittedSession | null>;

  constructor(private readonly database: AdmissionDatabase) {
    this.together = new CallBatcher({
      act: (calls) => this.admitTogether(calls),
      keyOf: ({ tokenHash }) => this.people.get(keyOf(tokenHash)) ?? keyOf(tokenHash),
    });
  }

  /**
   * Finds an active session and counts the call against its person's window.
   * @returns null when there is no such session, or it is over, or its person is disabled.
   */
  async admit(call: SessionCall): Promise<AdmittedSession | null> {
    const key = keyOf(call.tokenHash);
    // Of a session whose person is not known yet another one may be in the same statement.
    if (this.people.has(key)) return this.together.call(call);
    const [session = null] = await this.admitTogether([call]);
    if (session) {
      if (this.people.size >= REMEMBERED_SESSIONS_MAX) this.people.clear();
      this.people.set(key, session.id);
    }
    return session;
  }

  private async admitTogether(calls: readonly SessionCall[]): Promise<(AdmittedSession | null)[]> {
    const rows = await this.database.run(ADMIT, {
      hashes: calls.map(({ tokenHash }) => tokenHash),
      limit: calls[0]?.limit,
    });
    const answers = calls.map((): AdmittedSession | null => null);
    for (const row of rows) answers[row.n - 1] = row;
    await Promise.all(rows.filter(({ is_note_due: isDue }) => isDue).map((row) => this.noteSeen(row)));
    return answers;
  }

  private async noteSeen({
    account_id: accountId,
    session_id: sessionId,
    id: userId,
  }: AdmittedSession): Promise<void> {
    await this.database.run(NOTE_SEEN, { accountId, sessionId, userId });
  }
}

const keyOf = (tokenHash: Buffer): string => tokenHash.toString('base64');
