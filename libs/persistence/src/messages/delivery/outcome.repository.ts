import type { MessageError } from '@app/contracts/message.words';
import { contactOf } from '@app/contracts/values/phone.words';
import { Injectable } from '@nestjs/common';
import { CallBatcher } from '../../database/call-batcher';
import { RowBusyError } from '../../database/database.errors';
import { Database } from '../../database/database.service';
import { CustomerRepository } from '../incoming/customer.repository';
import type { ReceivingNumber } from '../incoming/incoming.repository';
import type { SendQueueKey } from '../batches/send-queue.repository';
import {
  EXPIRE_CLAIMS,
  FAIL_HELD,
  FAIL_QUEUED,
  FAIL_REST,
  STORE_OUTCOMES,
  STORE_OUTCOMES_TOGETHER,
} from './outcome.statements';

/** The outcome of one claimed message. */
export interface StoredOutcome {
  accountId: string;
  id: string;
  token: string;
  /** For `queued` and `dropped` no byte left. The former is tried again, the latter is not. */
  status: 'sent' | 'failed' | 'unknown' | 'queued' | 'dropped';
  providerId: string | null;
  /** How the messenger names the customer in its answer; null: it does not. */
  waId: string | null;
  userId: string | null;
  error: MessageError | null;
  /** The provider's answer as JSON text; null where none came. */
  response: string | null;
  /** Of `queued`, or where another message will be tried instead: milliseconds until then. */
  dueMs: number | null;
  /** Whether it certainly was not sent, so that it does not count. */
  givesBack: boolean;
}

/** As a dialog's address. */
const contactTold = ({ waId }: StoredOutcome): string | null => waId && contactOf(`+${waId}`);

/** Each try looks anew. */
const TRIES = 10;

/** How many messages one statement settles when it finds them itself. */
const AT_ONCE = 500;

/** A statement costs as much as storing eight outcomes (measured). A number at full speed has thirty in this time. */
const SPACING_MS = 20;

/** Work of the service itself, of several accounts at once. Each row names its account. */
@Injectable()
export class OutcomeRepository {
  private readonly together = new CallBatcher<StoredOutcome, boolean>({
    act: async (outcomes) => {
      const held = await this.database.run(STORE_OUTCOMES_TOGETHER, valuesOf(outcomes));
      const places = new Set(held.map(({ n }) => n));
      return outcomes.map((_, index) => !places.has(index + 1));
    },
    spacingMs: SPACING_MS,
  });

  constructor(
    private readonly database: Database,
    private readonly customers: CustomerRepository,
  ) {}

  /**
   * Outcomes that come together are stored by one statement. An outcome has no effect when another attempt's, or
   * another outcome of this one, was stored before. So it may be stored again when it is not known whether it was.
   * @returns false when somebody holds its thread, or it tells an address that is new there: then nothing was done, and
   * {@link store} waits for it.
   */
  async storeTogether(outcome: StoredOutcome): Promise<boolean> {
    return this.together.call(outcome);
  }

  /**
   * The same for one outcome. What its answer tells of the customer is learnt before.
   * @throws RowBusyError when its thread is held for longer than a statement waits.
   */
  async store(at: ReceivingNumber, outcome: StoredOutcome): Promise<void> {
    for (let tried = 1; ; tried++) {
      await this.learn(at, outcome);
      if ((await this.database.run(STORE_OUTCOMES, valuesOf([outcome]))).length === 0) return;
      if (tried === TRIES) throw new RowBusyError(new Error('a customer’s addresses change at every try'));
    }
  }

  private async learn(at: ReceivingNumber, outcome: StoredOutcome): Promise<void> {
    const { id: messageId, waId, userId } = outcome;
    if (waId === null && userId === null) return;
    const [contact, phone] = [contactTold(outcome), waId && `+${waId}`];
    await this.customers.learn(at, { messageId }, { contact, phone, waId, userId, username: null });
  }

  /**
   * Makes claims of any account past their deadline unknown, a bounded number at once, except where somebody holds the
   * thread.
   * @returns how many.
   */
  async expireClaims(message: string): Promise<number> {
    return settledBy(await this.database.run(EXPIRE_CLAIMS, { limit: AT_ONCE, message }));
  }

  /**
   * Fails the queued messages of a batch, a bounded number at once, and gives their quota back. @returns how many; 0:
   * none is left.
   */
  async failRest(accountId: string, batchId: string, message: string): Promise<number> {
    const values = { accountId, batchId, message, limit: AT_ONCE };
    return settledBy(await this.database.run(FAIL_REST, values));
  }

  /**
   * Fails queued messages of any account, a bounded number at once, and gives their quota back. @returns how many; 0:
   * none is left.
   */
  async failHeld(message: string): Promise<number> {
    return settledBy(await this.database.run(FAIL_HELD, { message, limit: AT_ONCE }));
  }

  /**
   * Fails the queued messages of a number that is not connected, a bounded number at once, and gives their quota
   * back.
   * @returns how many; 0: none is left, or the number is connected by now.
   */
  async failQueued({ accountId, botId, channel }: SendQueueKey, message: string): Promise<number> {
    const values = { accountId, botId, channel, message, limit: AT_ONCE };
    return settledBy(await this.database.run(FAIL_QUEUED, values));
  }
}

/** An entry of each list for each outcome. */
function valuesOf(outcomes: readonly StoredOutcome[]) {
  const column = <T>(read: (outcome: StoredOutcome) => T): T[] => outcomes.map(read);
  return {
    accountIds: column(({ accountId }) => accountId),
    ids: column(({ id }) => id),
    tokens: column(({ token }) => token),
    statuses: column(({ status }) => status),
    providerIds: column(({ providerId }) => providerId),
    waIds: column(({ waId }) => waId),
    contacts: column(contactTold),
    userIds: column(({ userId }) => userId),
    errorCodes: column(({ error }) => error?.code ?? null),
    errorMessages: column(({ error }) => error?.message ?? null),
    providerCodes: column(({ error }) => error?.provider_code ?? null),
    responses: column(({ response }) => response),
    dueMs: column(({ dueMs }) => dueMs),
    giveBack: column(({ givesBack }) => givesBack),
  };
}

const settledBy = ([row]: readonly { settled: number }[]): number => row?.settled ?? 0;
