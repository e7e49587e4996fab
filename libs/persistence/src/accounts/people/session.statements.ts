import { IsNull, Not, type EntityManager } from 'typeorm';
import { type UserEntity, UserSessionEntity } from './user.entity';

/** A session that counts, with its person, as calls and open sockets need them. */
export interface ActiveSession extends Pick<UserEntity, 'id' | 'name' | 'account_id' | 'role'> {
  session_id: string;
  /** The agents whose dialogs the person sees now. */
  assistant_ids: NonNullable<UserEntity['assistant_ids']>;
  /** The bots of those agents. */
  bot_ids: string[];
  /** The password was given again in the last ten minutes. */
  confirmed: boolean;
  /** The account demands a second factor, and the person has none yet. */
  needs_second_factor: boolean;
}

const IDLE = `interval '12 hours'`;
const LONGEST = `interval '30 days'`;
const CONFIRMED_FOR = `interval '10 minutes'`;
const SEEN_TO = `interval '1 minute'`;

/** Whether a person of `users` sees the dialogs of an agent of the same account. */
export const SEES_ASSISTANT = (user: string, assistantId: string): string =>
  `(${user}.role = 'admin' OR ${user}.assistant_ids IS NULL OR ${assistantId} = ANY (${user}.assistant_ids))`;

/** Of `user_sessions s`, `users u` and `accounts o`. */
const OWN_ASSISTANTS = `
  array(SELECT a.id FROM assistants a WHERE a.account_id = u.account_id AND ${SEES_ASSISTANT('u', 'a.id')})`;

/** The columns of {@link ActiveSession} and, for its next note, whether it was last seen a while ago. */
export const ACTIVE_SESSION_COLUMNS = `
  u.id, u.name, u.account_id, u.role, s.id AS session_id, w.assistant_ids,
  array(SELECT b.id FROM bots b WHERE b.account_id = u.account_id AND b.assistant_id = ANY (w.assistant_ids)) AS bot_ids,
  coalesce(s.confirmed_at > clock_timestamp() - ${CONFIRMED_FOR}, false) AS confirmed,
  o.second_factor_required AND u.second_factor_enabled_at IS NULL AS needs_second_factor`;

export const WAS_SEEN_LONG_AGO = `s.last_seen_at < clock_timestamp() - ${SEEN_TO}`;

/** Whether `user_sessions s` has neither ended nor run out, by the database's clock. */
export const IS_OPEN_SESSION = `
  s.ended_at IS NULL AND s.last_seen_at > clock_timestamp() - ${IDLE}
  AND s.created_at > clock_timestamp() - ${LONGEST}`;

/** Whether `user_sessions s` of `users u` counts. */
export const IS_ACTIVE_SESSION = `${IS_OPEN_SESSION} AND u.disabled_at IS NULL`;

/** Sessions with their people, what they may see and their accounts. */
export const ACTIVE_SESSIONS = `
  user_sessions s
  JOIN users u ON u.account_id = s.account_id AND u.id = s.user_id
  JOIN accounts o ON o.id = u.account_id
  CROSS JOIN LATERAL (SELECT ${OWN_ASSISTANTS} AS assistant_ids OFFSET 0) w`;

/** Ends the sessions of a person that have not ended, but for one. @returns how many */
export async function endSessions(
  manager: EntityManager,
  accountId: string,
  userId: string,
  exceptId?: string,
): Promise<number> {
  const ended = { account_id: accountId, user_id: userId, ended_at: IsNull() };
  const { affected } = await manager.update(
    UserSessionEntity,
    { ...ended, ...(exceptId !== undefined && { id: Not(exceptId) }) },
    { ended_at: () => 'clock_timestamp()' },
  );
  return affected ?? 0;
}
