import type { MessageError } from '@app/contracts/message.words';
import { Injectable } from '@nestjs/common';
import { CallBatcher } from '../database/call.batcher';
import { Database, type PreparedStatement } from '../database/database.service';
import type { SendQueueKey } from './send-queue.repository';
import { EXPIRE_CLAIMS, FAIL_QUEUED, FAIL_REST, STORE_OUTCOMES } from './outcome.statements';

/** The outcome of one claimed message. */
export interface StoredOutcome {
  accountId: string;
  id: string;
  token: string;
  /** For `queued` and `dropped` no byte left. The former is tried again, the latter is not. */
  status: 'sent' | 'failed' | 'unknown' | 'queued' | 'dropped';
  providerId: string | null;
  waId: string | null;
  error: MessageError | null;
  /** The provider's answer as JSON text; null where none came. */
  response: string | null;
  /** Of `queued`: milliseconds until it is due. */
  dueMs: number | null;
  /** Whether it certainly was not sent, so that it does not count. */
  givesBack: boolean;
}

/** How many messages one statement settles when it finds them itself. */
const AT_ONCE = 500;

/** A statement costs as much as storing eight outcomes (measured). A number at full speed has thirty in this time. */
const SPACING_MS = 20;

/** Work of the service itself, of several accounts at once. Each row names its account. */
@Injectable()
export class OutcomeRepository {
  private readonly storing = new CallBatcher<StoredOutcome, void>({
    act: (outcomes) => this.storeTogether(outcomes),
    spacingMs: SPACING_MS,
  });

  constructor(private readonly database: Database) {}

  /**
   * Outcomes that come together are stored by one statement. An outcome has no effect when another attempt's, or
   * another outcome of this one, was stored before. So it may be stored again when it is not known whether it was.
   */
  async store(outcome: StoredOutcome): Promise<void> {
    return this.storing.call(outcome);
  }

  /** Makes claims of any account past their deadline unknown, a bounded number at once. @returns how many. */
  async expireClaims(message: string): Promise<number> {
    return this.settle(EXPIRE_CLAIMS, [AT_ONCE, message]);
  }

  /**
   * Fails the queued messages of a batch, a bounded number at once, and gives their quota back. @returns how many; 0:
   * none is left.
   */
  async failRest(accountId: string, batchId: string, message: string): Promise<number> {
    return this.settle(FAIL_REST, [accountId, batchId, message, AT_ONCE]);
  }

  /**
   * Fails the queued messages of a number that is not connected, a bounded number at once, and gives their quota
   * back.
   * @returns how many; 0: none is left, or the number is connected by now.
   */
  async failQueued({ accountId, botId, channel }: SendQueueKey, message: string): Promise<number> {
    return this.settle(FAIL_QUEUED, [accountId, botId, message, AT_ONCE, channel]);
  }

  private async settle(statement: PreparedStatement, values: unknown[]): Promise<number> {
    const [row] = await this.database.run<{ settled: number }>(statement, values);
    return row?.settled ?? 0;
  }

  private async storeTogether(outcomes: readonly StoredOutcome[]): Promise<void[]> {
    const column = <T>(read: (outcome: StoredOutcome) => T): T[] => outcomes.map(read);
    await this.settle(STORE_OUTCOMES, [
      column(({ accountId }) => accountId),
      column(({ id }) => id),
      column(({ token }) => token),
      column(({ status }) => status),
      column(({ providerId }) => providerId),
      column(({ waId }) => waId),
      column(({ error }) => error?.code ?? null),
      column(({ error }) => error?.message ?? null),
      column(({ error }) => error?.provider_code ?? null),
      column(({ response }) => response),
      column(({ dueMs }) => dueMs),
      column(({ givesBack }) => givesBack),
    ]);
    return outcomes.map(() => undefined);
  }
}
