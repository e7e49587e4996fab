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
import { isHeadAhead, SECOND, shifted, total } from './rate-bucket.fragments';

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
 * Sessions and the windows of their people, several calls in one statement, no two of one person. The windows are
 * counts of whole seconds, as those of keys with raised limits: never more than the limit pass in any 60 seconds, and a
 * call may be refused up to a second early. Sessions and people are marked as seen once a minute.
 */
const ADMIT = statement('admit-sessions').takes('hashes', 'limit').returns<AdmittedSession & { n: number }>(`
  WITH k AS MATERIALIZED (
    SELECT q.n, p.*, o.head, o.counts, ${total(shifted('o', SECOND))} >= :limit::int AS is_full
      FROM unnest(:hashes::bytea[]) WITH ORDINALITY AS q (token_hash, n)
      CROSS JOIN LATERAL (
        SELECT ${ACTIVE_SESSION_COLUMNS}, ${WAS_SEEN_LONG_AGO} AS is_note_due, clock_timestamp() AS at
          FROM ${ACTIVE_SESSIONS} WHERE s.token_hash = q.token_hash AND ${IS_ACTIVE_SESSION} OFFSET 0) p
      LEFT JOIN LATERAL (
        SELECT head, counts FROM rate_buckets
         WHERE key_id = p.id AND scope = 'user' AND (${isHeadAhead('head', SECOND)}) IS NOT TRUE OFFSET 0) o ON true),
  hit AS (
    INSERT INTO rate_buckets AS w (key_id, scope, head, counts)
    SELECT id, 'user', ${SECOND}, ARRAY[1] || array_fill(0, ARRAY[60]) FROM k WHERE is_full IS NOT TRUE ORDER BY id
    ON CONFLICT (key_id, scope) DO UPDATE
      SET (head, counts) = (
        SELECT s.second, ARRAY[s.kept[1] + 1] || s.kept[2:61]
          FROM (SELECT n.second, ${shifted('w', 'n.second')} AS kept
                  FROM (SELECT CASE WHEN ${isHeadAhead('w.head', 'c.second')} THEN c.second
                                    ELSE greatest(w.head, c.second) END AS second
                          FROM (SELECT ${SECOND} AS second OFFSET 0) c OFFSET 0) n) s)
      WHERE ${total(shifted('w', SECOND))} < :limit::int
    RETURNING w.key_id, w.head, w.counts),
  seen AS (
    UPDATE user_sessions s SET last_seen_at = k.at FROM k
     WHERE k.is_note_due AND s.account_id = k.account_id AND s.id = k.session_id),
  seen_person AS (
    UPDATE users u SET last_seen_at = k.at FROM k
     WHERE k.is_note_due AND u.account_id = k.account_id AND u.id = k.id)
  SELECT k.n::int AS n, k.id, k.name, k.account_id, k.role, k.session_id, k.assistant_ids, k.bot_ids, k.confirmed,
         k.needs_second_factor, hit.head IS NOT NULL AS passed, u.used,
         extract(epoch FROM to_timestamp(u.oldest + 61) - clock_timestamp())::float8 AS reset_s
    FROM k LEFT JOIN hit ON hit.key_id = k.id
    CROSS JOIN LATERAL (SELECT coalesce(hit.head, k.head) AS head, coalesce(hit.counts, k.counts) AS counts) r
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(c), 0)::int AS used, min(r.head - i + 1) FILTER (WHERE c > 0) AS oldest
        FROM unnest(r.counts) WITH ORDINALITY AS b (c, i) WHERE r.head - i + 1 > ${SECOND} - 61) u`);

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
    return answers;
  }
}

const keyOf = (tokenHash: Buffer): string => tokenHash.toString('base64');
