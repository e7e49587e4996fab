import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../database/database.service';
import type { ClaimedDelivery } from '../webhooks/webhook-delivery.statements';
import {
  DROP_HELD,
  DROP_REJECTS,
  DROP_WEBHOOK,
  FOREIGN_NUMBERS,
  IS_ANY_DUE,
  REJECTS,
  SLICE,
  WRITE_BODY,
  WRITE_HELD,
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

/** A webhook that is being taken in. */
export interface HeldWebhook extends Pick<ClaimedDelivery, 'id' | 'body'> {
  /** The token of its lease. */
  heldBy: string;
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
        const redaction = await redactionOf(run, accountId, body, reader);
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

  /**
   * Takes a customer of an account out of a webhook that is being taken in. One that is not held any more stays: an erasure
   * has changed it, or another process takes it in.
   * @returns it as it is now
   */
  async redactHeld(webhook: HeldWebhook, accountId: string, reader: BodyReader): Promise<HeldWebhook> {
    const { id, body, heldBy } = webhook;
    const run: Transaction['run'] = (statement, ...values) => this.database.run(statement, ...values);
    const redaction = await redactionOf(run, accountId, body, reader);
    if (redaction === 'keep') return webhook;
    if (redaction === 'drop') await run(DROP_HELD, { id, heldBy });
    else await run(WRITE_HELD, { id, heldBy, body: redaction });
    return redaction === 'drop' ? webhook : { ...webhook, body: redaction };
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

/** What is to become of a body, of which other accounts' items stay. */
async function redactionOf(
  run: Transaction['run'],
  accountId: string,
  body: Buffer,
  reader: BodyReader,
): Promise<Redaction> {
  return reader.redact(body, await foreignNumbersOf(run, accountId, body, reader));
}

/** The numbers of other accounts that a body has words of. */
export async function foreignNumbersOf(
  run: Transaction['run'],
  accountId: string,
  body: Buffer,
  reader: Pick<BodyReader, 'wordsOf'>,
): Promise<ReadonlySet<string>> {
  const foreign = await run(FOREIGN_NUMBERS, { accountId, words: reader.wordsOf(body) });
  return new Set(foreign.map(({ sender }) => sender));
}
