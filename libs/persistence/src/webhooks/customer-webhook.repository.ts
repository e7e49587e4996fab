import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../database/database.service';
import {
  DROP_REJECTS,
  DROP_WEBHOOK,
  FOREIGN_NUMBERS,
  IS_ANY_DUE,
  REJECTS,
  SLICE,
  WRITE_BODY,
} from './customer-webhook.statements';

/** Bodies of some hundred bytes. A slice takes milliseconds. */
const SLICE_ROWS = 1_000;

/** Ids of webhooks begin behind it. */
export const FIRST_WEBHOOK = '0';

/** What is to become of a body that may be about a customer: it stays, goes, or is another one. */
export type Redaction = 'keep' | 'drop' | Buffer;

/** How bodies are read. */
export interface BodyReader {
  /** Words of a body that may be numbers of ours. */
  wordsOf(body: Buffer): string[];
  /** @param foreign numbers of other accounts */
  redact(body: Buffer, foreign: ReadonlySet<string>): Redaction;
}

/** Whose webhooks: of an account, about a customer. */
export interface CustomerOfAccount {
  accountId: string;
  /** Each is contained in every body that is about the customer. */
  needles: readonly string[];
}

/** Webhooks that are about a customer. They have no index over what they contain, so all that are kept are read. */
@Injectable()
export class CustomerWebhookRepository {
  constructor(private readonly database: Database) {}

  /**
   * Takes the customer out of the webhooks behind an id, slice by slice.
   * @param within a transaction; null: each slice by itself
   * @param keepsDue leaves those that are not taken in yet
   * @returns the id behind which others may have come since
   */
  async redact(
    within: Transaction | null,
    customer: CustomerOfAccount,
    { reader, after, keepsDue }: { reader: BodyReader; after: string; keepsDue: boolean },
  ): Promise<string> {
    const { accountId } = customer;
    const { database } = this;
    const run: Transaction['run'] = (statement, ...values) =>
      within ? within.run(statement, ...values) : database.runFor(accountId, statement, ...values);
    for (let [end, settled] = [after, after]; ;) {
      const rows = await run(SLICE, { ...customer, after: end, keepsDue, limit: SLICE_ROWS });
      let isClean = true;
      for (const { id, body, hash } of rows) {
        if (id === null || body === null || hash === null) continue;
        const foreign = await run(FOREIGN_NUMBERS, { accountId, words: reader.wordsOf(body) });
        const redaction = reader.redact(body, new Set(foreign.map(({ sender }) => sender)));
        if (redaction === 'keep') continue;
        const changed =
          redaction === 'drop'
            ? await run(DROP_WEBHOOK, { id, hash })
            : await run(WRITE_BODY, { id, hash, body: redaction });
        isClean &&= changed.length > 0;
      }
      // Another erasure changed one of them: the slice is read again.
      if (!isClean) continue;
      const { last = null, settled: settledHere = null } = rows[0] ?? {};
      if (last === null) return settled;
      if (settledHere !== null) settled = settledHere;
      end = last;
    }
  }

  /** Whether something that came about the customer is not taken in yet. */
  async isAnyDue(customer: CustomerOfAccount): Promise<boolean> {
    const [row] = await this.database.runFor(customer.accountId, IS_ANY_DUE, { ...customer });
    return row?.is_due ?? false;
  }

  /** Deletes what could not be taken in of the customer. */
  async dropRejects(within: Transaction, customer: CustomerOfAccount, reader: BodyReader): Promise<void> {
    const rejects = await within.run(REJECTS, { ...customer });
    const its = rejects.filter(({ item }) => reader.redact(item, new Set()) !== 'keep');
    if (its.length > 0) await within.run(DROP_REJECTS, { ids: its.map(({ id }) => id) });
  }
}
