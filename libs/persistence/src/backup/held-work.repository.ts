import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.service';
import type { StoppedBy } from '../scenarios/definition/scenario.repository';
import {
  CANCEL_RUNS,
  COUNT_HELD,
  COUNT_SENDING,
  DISCARD_REPLIES,
  END_HOLD,
  ENDPOINTS_BEGIN_ANEW,
  PASS_OVER_LOG,
  RUNNING_IMPORTS,
  SKIP_DELIVERIES,
  type HeldCounts,
} from './held-work.statements';

export type { HeldCounts };

/** One statement's share, well within its time limit. */
const AT_ONCE = 1_000;

/** What a restore holds, of all accounts on purpose: it is the whole installation that is held. */
@Injectable()
export class HeldWorkRepository {
  constructor(private readonly database: Database) {}

  /** @throws DatabaseUnavailableError */
  async count(): Promise<HeldCounts> {
    const [row] = await this.database.run(COUNT_HELD);
    if (!row) throw new Error('a count has one row');
    return row;
  }

  /** How many messages are as ones that are being sent. */
  async countSending(): Promise<number> {
    return (await this.database.run(COUNT_SENDING))[0]?.sending ?? 0;
  }

  /** Discards the replies that are due, a bounded number at once. @returns how many; 0: none is left */
  async discardReplies(): Promise<number> {
    return (await this.database.run(DISCARD_REPLIES, { limit: AT_ONCE })).length;
  }

  /** Skips deliveries to endpoints that are pending, a bounded number at once. @returns how many; 0: none is left */
  async skipDeliveries(): Promise<number> {
    return (await this.database.run(SKIP_DELIVERIES, { limit: AT_ONCE })).length;
  }

  /** Imports with rows left, a bounded number of them. */
  async runningImports(): Promise<{ accountId: string; id: string; rows: number | null }[]> {
    return this.database.run(RUNNING_IMPORTS, { limit: AT_ONCE });
  }

  /** Events of the log until now go to no endpoint. */
  async passOverLog(): Promise<void> {
    await this.database.run(PASS_OVER_LOG);
  }

  /** Has all open runs end where they are. @param by who stopped them, as their histories show it */
  async cancelRuns(by: StoppedBy): Promise<void> {
    await this.database.run(CANCEL_RUNS, { stoppedBy: JSON.stringify(by) });
  }

  /** From the next second on every process acts on the outside again. */
  async endHold(): Promise<void> {
    await this.database.run(ENDPOINTS_BEGIN_ANEW);
    await this.database.run(END_HOLD);
  }
}
