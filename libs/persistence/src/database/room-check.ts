import { CodedError } from '@app/contracts/coded.errors';
import type { EntityManager, EntityTarget, FindOptionsWhere, ObjectLiteral } from 'typeorm';
import { statement, runWith } from './sql.statements';

interface Room {
  most: number;
  /** What they are, in the plural. */
  what: string;
  /** What makes room for another one; null: nothing does. */
  remedy: 'revoke' | 'archive' | 'delete' | null;
}

/** The account, the agent or the number has as many as the installation lets it have. */
class LimitReachedError extends CodedError {
  readonly code = 'LIMIT_REACHED';

  constructor({ most, what, remedy }: Room) {
    const whatHelps =
      remedy === null
        ? ', and none can be deleted: change one that is not needed'
        : `: ${remedy} one that is not needed`;
    super(`There may be at most ${most} ${what}${whatHelps}, or have the limit raised.`);
  }
}

/** Until the end of the transaction. */
const TAKE_TURN = statement('room-take-turn')
  .takes('of')
  .returns('SELECT pg_advisory_xact_lock(hashtextextended(:of::text, 0))');

/**
 * Lets one call at a time make another row of those that `where` describes.
 * @throws LimitReachedError where there are as many as there may be
 */
export async function requireRoom<Row extends ObjectLiteral>(
  manager: EntityManager,
  rows: EntityTarget<Row>,
  where: FindOptionsWhere<Row>,
  room: Room,
): Promise<void> {
  await runWith(manager, TAKE_TURN, { of: `${room.what} ${JSON.stringify(where)}` });
  if ((await manager.countBy(rows, where)) >= room.most) throw new LimitReachedError(room);
}
