import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../database/database.service';
import {
  FIRST_WEBHOOK,
  foreignNumbersOf,
  type BodyReader,
  type Redaction,
} from './customer-webhook.repository';
import {
  DROP_REJECTS,
  DROP_WEBHOOK,
  NAMING_SINCE,
  NAMING_SLICE,
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

/** Most rows of a slice; it has fewer where they, or their webhooks, are large. */
const SLICE_ROWS = 100;

/** What was found before the dialog is held. */
export interface FoundRejects {
  /** The names that were looked for. */
  names: readonly string[];
  ids: readonly string[];
  /** The time from which others may have come. */
  since: string;
}

export const NONE_FOUND: FoundRejects = { names: [], ids: [], since: '-infinity' };

/**
 * What could not be taken in and names a customer by their name alone. Its webhook is found by it: nothing else tells whose
 * it is.
 */
@Injectable()
export class NamedRejectRepository {
  constructor(private readonly database: Database) {}

  /**
   * Looks for them, slice by slice, and changes nothing: rejects of a number that nobody has may be any account's, and may be
   * very many.
   * @param names of the customer, none of them very short
   */
  async find(accountId: string, names: readonly string[], reader: NameReader): Promise<FoundRejects> {
    if (names.length === 0) return NONE_FOUND;
    const run: Transaction['run'] = (statement, ...values) =>
      this.database.runFor(accountId, statement, ...values);
    const ids: string[] = [];
    let since: string | null = null;
    for (let after = FIRST_WEBHOOK; ;) {
      const rows = await run(NAMING_SLICE, { accountId, names: formsOf(names), after, limit: SLICE_ROWS });
      since ??= rows[0]?.since ?? null;
      const rejects = rows.flatMap(({ id, item, delivery_id }) =>
        id !== null && item !== null && delivery_id !== null ? { id, item, delivery_id } : [],
      );
      for (const webhook of byWebhook(rejects))
        ids.push(...(await readOf(run, accountId, webhook, reader)).ids);
      const last = rows[0]?.last ?? null;
      if (last === null) return { names, ids, since: since ?? NONE_FOUND.since };
      after = last;
    }
  }

  /**
   * Drops what was found and what has come since, and takes it out of its webhooks.
   * @param names as they are now; where one is new, all are looked for again
   */
  async drop(
    within: Transaction,
    accountId: string,
    names: readonly string[],
    found: FoundRejects,
    reader: NameReader,
  ): Promise<void> {
    if (names.length === 0) return;
    const run: Transaction['run'] = (statement, ...values) => within.run(statement, ...values);
    const { ids, since } = names.every((name) => found.names.includes(name)) ? found : NONE_FOUND;
    const rejects = await run(NAMING_SINCE, { accountId, names: formsOf(names), ids, since });
    for (const webhook of byWebhook(rejects)) await dropOf(run, accountId, webhook, reader);
  }
}

/** What could not be taken in of a webhook. */
interface WebhookOfRejects {
  id: string;
  its: readonly NamingReject[];
}

const byWebhook = (rejects: readonly NamingReject[]): WebhookOfRejects[] =>
  [...Map.groupBy(rejects, ({ delivery_id: id }) => id)].map(([id, its]) => ({ id, its }));

/** Which of them are the customer's, and what becomes of their webhook. */
async function readOf(
  run: Transaction['run'],
  accountId: string,
  { id, its }: WebhookOfRejects,
  reader: NameReader,
): Promise<{ ids: string[]; hash: Buffer | null; redaction: Redaction }> {
  const [{ body, hash } = { body: null, hash: null }] = await run(WEBHOOK, { id });
  const foreign = body ? await foreignNumbersOf(run, accountId, body, reader) : new Set<string>();
  const { theirs, redaction } = reader.redactItems(
    its.map(({ item }) => item),
    body,
    foreign,
  );
  return { ids: its.flatMap(({ id: reject }, index) => (theirs[index] ? reject : [])), hash, redaction };
}

async function dropOf(
  run: Transaction['run'],
  accountId: string,
  webhook: WebhookOfRejects,
  reader: NameReader,
): Promise<void> {
  for (;;) {
    const { ids, hash, redaction } = await readOf(run, accountId, webhook, reader);
    const { id } = webhook;
    const written =
      redaction === 'keep' ||
      (redaction === 'drop'
        ? await run(DROP_WEBHOOK, { id, hash })
        : await run(WRITE_BODY, { id, hash, body: redaction })
      ).length > 0;
    // Another erasure changed it: it is read again.
    if (!written) continue;
    if (ids.length > 0) await run(DROP_REJECTS, { ids });
    return;
  }
}

/** Names as bytes may have them: in capitals or not, and escaped as in JSON. */
const formsOf = (names: readonly string[]): string[] => names.flatMap(formsOfOne);

function formsOfOne(name: string): string[] {
  const lower = name.toLowerCase();
  const capitalised = lower.replace(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase());
  const forms = new Set([name, lower, name.toUpperCase(), capitalised]);
  return [...new Set([...forms].flatMap((form) => [form, escaped(form)]))];
}

const escaped = (text: string): string =>
  JSON.stringify(text)
    .slice(1, -1)
    .replace(/[^\x20-\x7e]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
