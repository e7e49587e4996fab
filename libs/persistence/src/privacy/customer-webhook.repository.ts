import { NIL_ID } from '@app/contracts/uuid.format';
import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../database/database.service';
import type { ClaimedDelivery } from '../webhooks/webhook-delivery.statements';
import {
  DROP_HELD,
  DROP_REJECTS,
  DROP_WEBHOOK,
  DUE_SLICE,
  FOREIGN_NUMBERS,
  REJECT_SLICE,
  SLICE,
  STILL_DUE,
  WRITE_BODY,
  WRITE_HELD,
  type DuePlace,
} from './customer-webhook.statements';

/** Most rows of a slice; it has fewer where they are large. */
const SLICE_ROWS = 1_000;

/** Ids of webhooks begin behind it. */
export const FIRST_WEBHOOK = '0';

/** All that are not taken in yet are behind it. */
const FIRST_DUE: DuePlace = { claim_group: '', due_at: '-infinity', id: FIRST_WEBHOOK };

/** What could not be taken in of a customer. It never changes. */
export interface RejectsOfCustomer {
  ids: readonly string[];
  /** The time from which others may have come. */
  since: string;
}

export const NO_REJECTS: RejectsOfCustomer = { ids: [], since: '-infinity' };

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
    const run = this.running(within, accountId);
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

  /** What came about the customer and is not taken in yet: the ids of webhooks. They are looked through slice by slice. */
  async dueOf(customer: CustomerOfAccount): Promise<string[]> {
    const ids: string[] = [];
    for (let place = FIRST_DUE; ;) {
      const { claim_group, due_at, id } = place;
      const values = { ...customer, claim_group, due_at, id, limit: SLICE_ROWS };
      const rows = await this.database.runFor(customer.accountId, DUE_SLICE, values);
      ids.push(...rows.flatMap(({ found }) => found ?? []));
      const [row] = rows;
      if (!row) return ids;
      place = row;
    }
  }

  /** Those of some webhooks that are not taken in yet. */
  async stillDue(accountId: string, ids: readonly string[]): Promise<string[]> {
    if (ids.length === 0) return [];
    return (await this.database.runFor(accountId, STILL_DUE, { ids })).map(({ id }) => id);
  }

  /**
   * Looks for what could not be taken in of the customer, slice by slice, and changes nothing.
   * @param within a transaction; null: each slice by itself
   * @param since leaves what came before
   */
  async findRejects(
    within: Transaction | null,
    customer: CustomerOfAccount,
    reader: BodyReader,
    since = NO_REJECTS.since,
  ): Promise<RejectsOfCustomer> {
    const { accountId } = customer;
    const ids: string[] = [];
    let [next, lastWebhook, lastId]: [string | null, string, string] = [null, FIRST_WEBHOOK, NIL_ID];
    for (;;) {
      const place = { since, lastWebhook, lastId, limit: SLICE_ROWS };
      const rows = await this.running(within, accountId)(REJECT_SLICE, { ...customer, ...place });
      for (const { id, item } of rows)
        if (id !== null && item !== null && reader.redact(item, new Set()) !== 'keep') ids.push(id);
      const [row] = rows;
      if (!row) return { ids, since: next ?? since };
      next ??= row.since;
      ({ last_webhook: lastWebhook, last_id: lastId } = row);
    }
  }

  /** Deletes those that were found and those that have come since. */
  async dropRejects(
    within: Transaction,
    customer: CustomerOfAccount,
    reader: BodyReader,
    found: RejectsOfCustomer,
  ): Promise<void> {
    const since = await this.findRejects(within, customer, reader, found.since);
    const ids = [...found.ids, ...since.ids];
    if (ids.length > 0) await within.run(DROP_REJECTS, { ids });
  }

  private running(within: Transaction | null, accountId: string): Transaction['run'] {
    return (statement, ...values) =>
      within ? within.run(statement, ...values) : this.database.runFor(accountId, statement, ...values);
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
