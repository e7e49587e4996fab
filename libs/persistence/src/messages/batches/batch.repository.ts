import { NIL_ID } from '@app/contracts/uuid.format';
import { Injectable } from '@nestjs/common';
import { WorkDatabase } from '../../database/database.service';
import { CLOSE, LOOK_AT_NEXT } from './batch.statements';

/** As many lists as are looked at by one statement. */
const AT_ONCE = 2_000;
const FIRST = { accountId: NIL_ID, id: NIL_ID };

/** Lists of recipients, and when nothing of them is left to be sent. Work of the service itself, for all accounts. */
@Injectable()
export class BatchRepository {
  private behind = FIRST;

  constructor(private readonly work: WorkDatabase) {}

  /**
   * Closes lists of any account of which nothing is still to be sent, and tells so. Where very many are open, each call looks
   * at the next ones.
   * @returns how many were closed
   */
  async closeDone(): Promise<number> {
    const looked = await this.work.run(LOOK_AT_NEXT, { ...this.behind, limit: AT_ONCE });
    const last = looked.at(-1);
    this.behind = last?.looked === AT_ONCE ? { accountId: last.accountId, id: last.id } : FIRST;
    let closed = 0;
    const changed = looked.filter((each) => each.changed);
    for (const [accountId, batches] of Map.groupBy(changed, (each) => each.accountId))
      closed += await this.close(
        accountId,
        batches.map(({ id }) => id),
      );
    return closed;
  }

  /** The same for some of an account. */
  async close(accountId: string, ids: readonly string[]): Promise<number> {
    const [row] = await this.work.run(CLOSE, { accountId, ids });
    return row?.closed ?? 0;
  }
}
