import { IsNull, Not, type EntityManager } from 'typeorm';
import { UserSessionEntity } from './user-session.entity';

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
