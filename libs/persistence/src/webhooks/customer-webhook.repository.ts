import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../database/database.service';
import {
  DROP_REJECTS,
  DROP_WEBHOOK,
  FOREIGN_NUMBERS,
  REJECTS,
  SLICE,
  WRITE_BODY,
} from './customer-webhook.statements';

/** Bodies of some hundred bytes. A slice takes milliseconds. */
const SLICE_ROWS = 1_000;

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
   * @returns the id of the last one that was read
   */
  async redact(
    within: Transaction | null,
    customer: CustomerOfAccount,
    reader: BodyReader,
    after: string,
  ): Promise<string> {
    const { accountId } = customer;
    const { database } = this;
    const run: Transaction['run'] = (statement, ...values) =>
      within ? within.run(statement, ...values) : database.runFor(accountId, statement, ...values);
    for (let end = after; ;) {
      const rows = await run(SLICE, { ...customer, after: end, limit: SLICE_ROWS });
      for (const { id, body } of rows) {
        if (id === null) continue;
        const foreign = await run(FOREIGN_NUMBERS, { accountId, words: reader.wordsOf(body) });
        const redaction = reader.redact(body, new Set(foreign.map(({ sender }) => sender)));
        if (redaction === 'drop') await run(DROP_WEBHOOK, { id });
        else if (redaction !== 'keep') await run(WRITE_BODY, { id, body: redaction });
      }
      const last = rows[0]?.last ?? null;
      if (last === null) return end;
      end = last;
    }
  }

  /** Deletes what could not be taken in of the customer. */
  async dropRejects(within: Transaction, customer: CustomerOfAccount, reader: BodyReader): Promise<void> {
    const rejects = await within.run(REJECTS, { ...customer });
    const its = rejects.filter(({ item }) => reader.redact(item, new Set()) !== 'keep');
    if (its.length > 0) await within.run(DROP_REJECTS, { ids: its.map(({ id }) => id) });
  }
}
