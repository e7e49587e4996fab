import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/database.service';
import { foreignNumbersOf, type BodyReader, type Redaction } from './customer-webhook.repository';
import {
  DROP_REJECTS,
  DROP_WEBHOOK,
  NAMING_REJECTS,
  WEBHOOK,
  WRITE_BODY,
  type NamingReject,
} from './customer-webhook.statements';

/** Reads webhooks for what has a customer's name, and nobody's address. */
export interface NameReader extends Pick<BodyReader, 'wordsOf'> {
  /**
   * @param items what could not be taken in of a webhook
   * @param body of the webhook; null: it is deleted
   * @param foreign numbers of other accounts, whose items stay
   * @returns which of the items are theirs, and what becomes of the body
   */
  redactItems(
    items: readonly Buffer[],
    body: Buffer | null,
    foreign: ReadonlySet<string>,
  ): { theirs: readonly boolean[]; redaction: Redaction };
}

/**
 * What could not be taken in and names a customer by their name alone. Its webhook is found by it: nothing else tells whose
 * it is.
 */
@Injectable()
export class NamedRejectRepository {
  /** @param names of the customer, none of them very short */
  async drop(
    within: Transaction,
    accountId: string,
    names: readonly string[],
    reader: NameReader,
  ): Promise<void> {
    if (names.length === 0) return;
    const rejects = await within.run(NAMING_REJECTS, { accountId, names: names.flatMap(formsOf) });
    const webhooks = Map.groupBy(rejects, ({ delivery_id: id }) => id);
    for (const [id, its] of webhooks) await dropOf(within, accountId, { id, its }, reader);
  }
}

async function dropOf(
  within: Transaction,
  accountId: string,
  { id, its }: { id: string; its: readonly NamingReject[] },
  reader: NameReader,
): Promise<void> {
  const run: Transaction['run'] = (statement, ...values) => within.run(statement, ...values);
  for (;;) {
    const [{ body, hash } = { body: null, hash: null }] = await run(WEBHOOK, { id });
    const foreign = body ? await foreignNumbersOf(run, accountId, body, reader) : new Set<string>();
    const items = its.map(({ item }) => item);
    const { theirs, redaction } = reader.redactItems(items, body, foreign);
    const written =
      redaction === 'keep' ||
      (redaction === 'drop'
        ? await run(DROP_WEBHOOK, { id, hash })
        : await run(WRITE_BODY, { id, hash, body: redaction })
      ).length > 0;
    // Another erasure changed it: it is read again.
    if (!written) continue;
    const ids = its.flatMap(({ id: reject }, index) => (theirs[index] ? reject : []));
    if (ids.length > 0) await run(DROP_REJECTS, { ids });
    return;
  }
}

/** A name as bytes may have it: in capitals or not, and escaped as in JSON. */
function formsOf(name: string): string[] {
  const lower = name.toLowerCase();
  const capitalised = lower.replace(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase());
  const forms = new Set([name, lower, name.toUpperCase(), capitalised]);
  return [...new Set([...forms].flatMap((form) => [form, escaped(form)]))];
}

const escaped = (text: string): string =>
  JSON.stringify(text)
    .slice(1, -1)
    .replace(/[^\x20-\x7e]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
