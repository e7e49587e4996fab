import type { Actor } from '@app/contracts/lead.words';
import { Injectable } from '@nestjs/common';
import type { Reach } from '../accounts/reach-scope';
import {
  AuditErasureRepository,
  FIRST_ENTRY_AT,
  type AuditSearch,
  type ErasedCustomer,
  longNamesOf,
  patternsOf,
  wordsInIds,
} from '../audit/audit-erasure.repository';
import { AuditRepository, type AuditEntryOf } from '../audit/audit.repository';
import { Database, type Transaction } from '../database/database.service';
import { statement } from '../database/sql.statements';
import type { UnnamedFile } from '../media/media-file.repository';
import { FAIL_QUEUED_OF_DIALOG } from '../messages/delivery/outcome.statements';
import { LOCK_WORDS } from '../threads/thread-search.statements';
import type { ThreadEntity } from '../threads/thread.entity';
import { TAKE_OUT_OF_IMPORTS } from '../transfer/import.statements';
import {
  CustomerWebhookRepository,
  FIRST_WEBHOOK,
  NO_REJECTS,
  type BodyReader,
  type RejectsOfCustomer,
} from './customer-webhook.repository';
import {
  NamedRejectRepository,
  NONE_FOUND,
  type FoundRejects,
  type NameReader,
} from './named-reject.repository';
import { FIRST_PARKED, ParkedErasureRepository } from './parked-erasure.repository';
import {
  CUSTOMER,
  DISCARD_REPLIES,
  DROP_ADDRESSES,
  DROP_PARKED,
  DROP_QUEUE,
  DROP_WORDS,
  EMPTY_DIALOG,
  EMPTY_EVENTS,
  HIDE_KEYS,
  EMPTY_MEDIA,
  EMPTY_MESSAGES,
  EMPTY_RUNS,
  ERASED,
  IS_UNUSED,
  KEEP_OPT_OUT,
  LOCK,
  LOCK_FILES,
  MARK_MESSAGES,
  SKIP_DELIVERIES,
  TAKE_FILES,
  type CustomerWords,
} from './erasure.statements';

export type { AuditSearch };

/** A dialog within reach. */
export type FoundDialog = Pick<ThreadEntity, 'account_id' | 'id'>;

/** Who erases, as the history shows it. */
export interface ErasureCall {
  by: string;
  actor: Actor | null;
  requestId: string | null;
}

/** What was erased. */
export interface ErasedFigures {
  messages: number;
  files: number;
}

export interface Erasure {
  erasedAt: Date;
  /** Bytes to be deleted from the store within the lease. */
  files: UnnamedFile[];
  hadRuns: boolean;
}

/** What names a customer. */
export interface NamedCustomer {
  /** Addresses at the provider, without a plus. Nothing: the dialog is erased. */
  needles: string[];
  names: string[];
  /** What names them in the id of a call. */
  words: string[];
}

/** What was done before the dialog is held. */
export interface Preparation {
  /** Up to which webhook the customer was taken out. */
  webhooksUpTo: string;
  /** Up to which parked report they were taken out. */
  parkedUpTo: string;
  /** The time from which entries of the audit may have come since. */
  auditSince: string;
  /** What could not be taken in and has the customer's address. It is still there. */
  rejects: RejectsOfCustomer;
  /** What could not be taken in and has the customer's name alone. It is still there. */
  namedRejects: FoundRejects;
}

/** How a dialog is to be erased. */
export interface ErasureOrder extends Preparation {
  call: ErasureCall;
  reader: BodyReader;
  nameReader: NameReader;
  /** Does not wait for messages that are being sent. */
  isForced: boolean;
  /** Only if nothing has happened in it since, as text; null: whatever has happened. */
  unusedSince: string | null;
  fileLeaseMs: number;
  entryOf: AuditEntryOf<ErasedFigures>;
}

/** Something has happened in a dialog that was to be erased because nothing did. */
export class DialogInUseError extends Error {}

/** By the key of each account: nobody else has an index by the dialog alone. */
const FIND = statement('erasure-find').takes('threadId', 'reachAccount').returns<FoundDialog>(`
  SELECT t.account_id, t.id FROM accounts a CROSS JOIN LATERAL (
    SELECT account_id, id FROM threads WHERE account_id = a.id AND id = :threadId OFFSET 0) t
   WHERE :reachAccount::uuid IS NULL OR a.id = :reachAccount`);

const NOTHING_PREPARED: Preparation = {
  ...{ webhooksUpTo: FIRST_WEBHOOK, parkedUpTo: FIRST_PARKED, auditSince: FIRST_ENTRY_AT },
  rejects: NO_REJECTS,
  namedRejects: NONE_FOUND,
};

const ADMINS = 'erasure';
const QUEUED_AT_ONCE = 1_000;
const CANCELLED = 'The dialog was erased before the message was sent.';

/** Takes customers out of the database. */
@Injectable()
export class ErasureRepository {
  constructor(
    private readonly database: Database,
    private readonly webhooks: CustomerWebhookRepository,
    private readonly audit: AuditRepository,
    private readonly auditErasure: AuditErasureRepository,
    private readonly parked: ParkedErasureRepository,
    private readonly namedRejects: NamedRejectRepository,
  ) {}

  async find({ accountId }: Reach, threadId: string): Promise<FoundDialog | null> {
    const [row] = await this.database.runFor(accountId ?? ADMINS, FIND, {
      threadId,
      reachAccount: accountId,
    });
    return row ?? null;
  }

  async isUnused({ account_id: accountId, id: threadId }: FoundDialog, since: string): Promise<boolean> {
    return (await this.database.runFor(accountId, IS_UNUSED, { accountId, threadId, since })).length > 0;
  }

  async customerOf({ account_id: accountId, id: threadId }: FoundDialog): Promise<NamedCustomer> {
    const [row] = await this.database.runFor(accountId, CUSTOMER, { accountId, threadId });
    return customerFrom(row);
  }

  /** Searches the audit of an account once for the customers of several of its dialogs. */
  async searchAudit(accountId: string, dialogs: readonly FoundDialog[]): Promise<AuditSearch> {
    const customers: ErasedCustomer[] = [];
    for (const dialog of dialogs) customers.push(inAudit(dialog, await this.customerOf(dialog)));
    return this.auditErasure.search(accountId, customers);
  }

  /** Takes the customer out of what is long, and has no index over what it contains: slice by slice, without locks. */
  async prepare(
    dialog: FoundDialog,
    customer: NamedCustomer,
    {
      reader,
      nameReader,
      unusedSince,
      search,
    }: Pick<ErasureOrder, 'reader' | 'nameReader' | 'unusedSince'> & { search: AuditSearch | null },
  ): Promise<Preparation> {
    if (customer.needles.length === 0) return NOTHING_PREPARED;
    const ofAccount = { accountId: dialog.account_id, needles: customer.needles };
    return {
      webhooksUpTo: await this.webhooks.redact(null, ofAccount, {
        ...{ reader, after: FIRST_WEBHOOK, keepsDue: unusedSince !== null },
      }),
      // After the webhooks: whoever keeps an item of one as a reject holds it.
      rejects: await this.webhooks.findRejects(null, ofAccount, reader),
      parkedUpTo: await this.parked.drop(null, ofAccount, FIRST_PARKED),
      auditSince: await this.auditErasure.eraseBefore(inAudit(dialog, customer), search),
      namedRejects: await this.namedRejects.find(dialog.account_id, longNamesOf(customer.names), nameReader),
    };
  }

  /**
   * Erases a dialog, all or nothing. One that was erased is emptied again.
   * @returns null while a message of it is being sent
   * @throws DialogInUseError, and nothing has changed
   */
  async erase(found: FoundDialog, order: ErasureOrder): Promise<Erasure | null> {
    const { account_id: accountId, id: threadId } = found;
    const its = { accountId, threadId };
    return this.database.transactFor(accountId, async (within) => {
      await within.run(TAKE_OUT_OF_IMPORTS, its);
      const [locked] = await within.run(LOCK, its);
      if (!locked || (locked.is_sending && !order.isForced)) return null;
      if (
        order.unusedSince !== null &&
        (await within.run(IS_UNUSED, { ...its, since: order.unusedSince })).length === 0
      )
        throw new DialogInUseError();
      const customer = customerFrom((await within.run(CUSTOMER, its))[0]);
      await this.endWork(within, its, customer);
      const files = await this.emptyRows(within, its, customer, order);
      const { by } = order.call;
      const requestId = hidden(order.call.requestId, customer);
      const actor = order.call.actor && JSON.stringify(order.call.actor);
      await within.run(DROP_ADDRESSES, its);
      const [dialog] = await within.run(EMPTY_DIALOG, { ...its, by, actor, requestId });
      if (!dialog) return null;
      if (locked.erased_at === null) {
        await this.auditErasure.eraseSince(order.auditSince, inAudit(found, customer), within);
        const entry = order.entryOf({ messages: locked.messages, files: files.length });
        await this.audit.append(within, entry && { ...entry, requestId: hidden(entry.requestId, customer) });
      }
      // Last: the words of the whole account wait for it.
      await this.dropWords(within, its);
      const taken = await this.takeFiles(within, accountId, files, order.fileLeaseMs);
      return { erasedAt: dialog.erased_at, files: taken, hadRuns: locked.has_runs };
    });
  }

  /** What is pending is over. Queued messages fail, and give their quota back. */
  private async endWork(
    within: Transaction,
    its: { accountId: string; threadId: string },
    { words }: NamedCustomer,
  ): Promise<void> {
    const queued = { ...its, message: CANCELLED, limit: QUEUED_AT_ONCE };
    while (((await within.run(FAIL_QUEUED_OF_DIALOG, queued))[0]?.settled ?? 0) > 0);
    await within.run(DISCARD_REPLIES, its);
    await within.run(EMPTY_RUNS, { ...its, patterns: patternsOf(words) });
    await within.run(DROP_QUEUE, its);
    await within.run(SKIP_DELIVERIES, its);
  }

  /** @returns the bytes that its files had. */
  private async emptyRows(
    within: Transaction,
    its: { accountId: string; threadId: string },
    { needles, words, names }: NamedCustomer,
    { reader, nameReader, unusedSince, webhooksUpTo, parkedUpTo, rejects, namedRejects }: ErasureOrder,
  ): Promise<string[]> {
    const customer = { accountId: its.accountId, needles };
    if (needles.length > 0) {
      // Whoever keeps an item of a webhook as a reject holds the webhook, so rejects are complete after it.
      await this.webhooks.redact(within, customer, {
        reader,
        after: webhooksUpTo,
        keepsDue: unusedSince !== null,
      });
      await this.webhooks.dropRejects(within, customer, reader, rejects);
      await this.namedRejects.drop(within, its.accountId, longNamesOf(names), namedRejects, nameReader);
      await this.parked.drop(within, customer, parkedUpTo);
    }
    await within.run(HIDE_KEYS, { ...its, patterns: patternsOf(words) });
    await within.run(DROP_PARKED, its);
    await within.run(MARK_MESSAGES, its);
    const files = await within.run(EMPTY_MEDIA, its);
    await within.run(EMPTY_MESSAGES, its);
    await within.run(EMPTY_EVENTS, { ...its, patterns: patternsOf(words) });
    await within.run(KEEP_OPT_OUT, its);
    return files.flatMap(({ sha256 }) => sha256 ?? []);
  }

  /** Whoever adds words of messages that were read before has committed them then, or reads what is left. */
  private async dropWords(within: Transaction, its: { accountId: string; threadId: string }): Promise<void> {
    await within.run(LOCK_WORDS, { accountId: its.accountId });
    await within.run(DROP_WORDS, its);
  }

  private async takeFiles(
    within: Transaction,
    accountId: string,
    files: readonly string[],
    leaseMs: number,
  ): Promise<UnnamedFile[]> {
    if (files.length === 0) return [];
    await within.run(LOCK_FILES, { accountId, files });
    return within.run(TAKE_FILES, { accountId, files, leaseMs });
  }
}

/** Providers write a phone with a plus or without. */
function customerFrom({ addresses, names }: CustomerWords = { addresses: [], names: [] }): NamedCustomer {
  const needles = [...new Set(addresses.map((address) => address.replace(/^\+/, '')))];
  return { needles, names, words: wordsInIds(needles, names) };
}

const inAudit = (
  { account_id: accountId, id: subjectId }: FoundDialog,
  { needles: phones, ...customer }: NamedCustomer,
): ErasedCustomer => ({ accountId, subjectId, phones, ...customer });

/** The id of a call, unless the caller named the customer by it. */
const hidden = (requestId: string | null, { words }: NamedCustomer): string | null =>
  words.some((word) => requestId?.toLowerCase().includes(word.toLowerCase())) ? ERASED : requestId;
