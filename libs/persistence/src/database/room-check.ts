import { CodedError } from '@app/contracts/coded.errors';
import type { EntityManager, EntityTarget, FindOptionsWhere, ObjectLiteral } from 'typeorm';
import { statement } from './sql.statements';
import { runWith } from './transaction.statements';

/** The account, the agent or the number has as many as the installation lets it have. */
class LimitReachedError extends CodedError {
  readonly code = 'LIMIT_REACHED';

  /** @param what there are that many of, in the plural */
  constructor(most: number, what: string) {
    super(`There may be at most ${most} ${what}: remove one that is not needed, or have the limit raised.`);
  }
}

/** Until the end of the transaction. */
const TAKE_TURN = statement('room-take-turn')
  .takes('of')
  .returns('SELECT pg_advisory_xact_lock(hashtextextended(:of::text, 0))');

/**
 * Lets one call at a time make another row of those that `where` describes.
 * @param what they are, in the plural
 * @throws LimitReachedError where there are as many as there may be
 */
export async function requireRoom<Row extends ObjectLiteral>(
  manager: EntityManager,
  rows: EntityTarget<Row>,
  where: FindOptionsWhere<Row>,
  { most, what }: { most: number; what: string },
): Promise<void> {
  await runWith(manager, TAKE_TURN, { of: `${what} ${JSON.stringify(where)}` });
  if ((await manager.countBy(rows, where)) >= most) throw new LimitReachedError(most, what);
}
