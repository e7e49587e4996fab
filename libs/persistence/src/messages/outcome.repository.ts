import type { Channel, MessageError, MessageStatus } from '@app/contracts/message.words';
import { Injectable } from '@nestjs/common';
import { CallBatcher } from '../database/call.batcher';
import { Database } from '../database/database.service';
import type { Lane } from './lane.repository';
import { EXPIRE_CLAIMS, FAIL_LANE, FAIL_REST, STORE_OUTCOMES } from './outcome.statements';

/** What became of one claimed message. */
export interface StoredOutcome {
  accountId: string;
  id: string;
  token: string;
  /** `queued`: no byte left, and it is to be tried again. */
  status: 'sent' | 'failed' | 'unknown' | 'queued';
  providerId: string | null;
  waId: string | null;
  error: MessageError | null;
  /** The provider's answer as JSON text; null where none came. */
  response: string | null;
  /** Of `queued`: milliseconds until it is due. */
  dueMs: number | null;
  /** Whether it certainly did not go out, so that it is not counted. */
  givesBack: boolean;
}

export interface SettledMessage {
  account_id: string;
  id: string;
  thread_id: string;
  status: MessageStatus;
  provider_id: string | null;
  bot_id: string;
  channel: Channel;
}

const EXPIRED_AT_ONCE = 500;

/** A statement costs as much as keeping eight outcomes (measured): a number at full speed has fourteen in this time. */
const REST_MS = 10;

/** Work of the service itself, of several accounts at once: each row by its own. */
@Injectable()
export class OutcomeRepository {
  private readonly storing = new CallBatcher<StoredOutcome, SettledMessage | null>({
    act: (outcomes) => this.storeTogether(outcomes),
    restMs: REST_MS,
  });

  constructor(private readonly database: Database) {}

  /**
   * Outcomes that come together are kept by one statement.
   * @returns the message as it stands then; null when another attempt, or another outcome of this one, was kept before.
   */
  async store(outcome: StoredOutcome): Promise<SettledMessage | null> {
    return this.storing.call(outcome);
  }

  /** Claims of any account past their deadline become unknown. @returns how many. */
  async expireClaims(message: string): Promise<number> {
    return (await this.database.run(EXPIRE_CLAIMS, [EXPIRED_AT_ONCE, message])).length;
  }

  /** Fails what is still queued of a batch, and gives its quota back. @returns how many. */
  async failRest(accountId: string, batchId: string, message: string): Promise<number> {
    return (await this.database.run(FAIL_REST, [accountId, batchId, message])).length;
  }

  /** Fails what is queued of a number, and gives its quota back. @returns how many. */
  async failLane({ accountId, botId, channel }: Lane, message: string): Promise<number> {
    return (await this.database.run(FAIL_LANE, [accountId, botId, message, channel])).length;
  }

  private async storeTogether(outcomes: readonly StoredOutcome[]): Promise<(SettledMessage | null)[]> {
    const column = <T>(read: (outcome: StoredOutcome) => T): T[] => outcomes.map(read);
    const rows = await this.database.run<SettledMessage>(STORE_OUTCOMES, [
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
    const byId = new Map(rows.map((row) => [row.id, row]));
    return outcomes.map(({ id }) => byId.get(id) ?? null);
  }
}
