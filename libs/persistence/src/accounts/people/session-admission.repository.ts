import { InFlightLimiter } from '@app/contracts/in-flight-limiter';
import { Injectable, Logger } from '@nestjs/common';
import { CallBatcher } from '../../database/call-batcher';
import { CONNECTIONS } from '../../database/connection-budget';
import { AdmissionDatabase } from '../../database/database.service';
import { statement } from '../../database/sql.statements';
import {
  ACTIVE_SESSIONS,
  ACTIVE_SESSION_COLUMNS,
  IS_ACTIVE_SESSION,
  WAS_SEEN_LONG_AGO,
  type ActiveSession,
} from './session.statements';
import {
  callsIn,
  FIRST_CALL,
  isHeadAhead,
  passesAt,
  SECOND,
  withCallNow,
} from '../keys/admission.statements';

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

interface KnownCall extends SessionCall {
  userId: string;
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
    INSERT INTO rate_counters AS w (key_id, scope, head, sums)
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
        LEFT JOIN rate_counters o ON hit.head IS NULL AND o.key_id = k.id AND o.scope = 'user' OFFSET 0) r`);

/** Sessions and people are marked as seen once a minute. */
const NOTE_SEEN = statement('session-note-seen').takes('accountId', 'sessionId', 'userId').returns(`
  WITH seen AS (
    UPDATE user_sessions SET last_seen_at = clock_timestamp() WHERE account_id = :accountId AND id = :sessionId)
  UPDATE users SET last_seen_at = clock_timestamp() WHERE account_id = :accountId AND id = :userId`);

/** Sessions are looked up across accounts by their hash, because the account is known only from the session. */
@Injectable()
export class SessionAdmissionRepository {
  private readonly logger = new Logger(SessionAdmissionRepository.name);
  /** Whose each session is, which never changes. */
  private readonly people = new Map<string, string>();
  private readonly together: CallBatcher<KnownCall, AdmittedSession | null>;
  /** Of sessions that are not among them, which ended ones never are: as with raised limits of keys, they leave places. */
  private readonly firstCalls = new InFlightLimiter(2 * CONNECTIONS.admission);
  /** Sessions that are being marked as seen. */
  private readonly noted = new Set<string>();

  constructor(private readonly database: AdmissionDatabase) {
    this.together = new CallBatcher({
      act: (calls) => this.admitTogether(calls),
      keyOf: ({ userId }) => userId,
    });
  }

  /**
   * Finds an active session and counts the call against its person's window.
   * @returns null when there is no such session, or it is over, or its person is disabled.
   */
  async admit(call: SessionCall): Promise<AdmittedSession | null> {
    const key = keyOf(call.tokenHash);
    const userId = this.people.get(key);
    if (userId !== undefined) return this.together.call({ ...call, userId });
    // It may be of a person of whom another session is in the same statement.
    const [session = null] = await this.firstCalls.run(key, () => this.admitTogether([call]));
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
    for (const row of rows) {
      answers[row.n - 1] = row;
      if (row.is_note_due) this.noteSeen(row);
    }
    return answers;
  }

  /** No call waits for it: the calls are counted, and somebody may be changing the person. */
  private noteSeen({ account_id: accountId, session_id: sessionId, id: userId }: AdmittedSession): void {
    if (this.noted.has(sessionId)) return;
    this.noted.add(sessionId);
    this.database
      .run(NOTE_SEEN, { accountId, sessionId, userId })
      .catch((error: unknown) =>
        this.logger.warn({ err: error }, 'A session could not be marked as seen; its next call tries again.'),
      )
      .finally(() => this.noted.delete(sessionId));
  }
}

const keyOf = (tokenHash: Buffer): string => tokenHash.toString('base64');
