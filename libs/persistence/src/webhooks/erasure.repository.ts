import type { Actor } from '@app/contracts/lead.words';
import { Injectable } from '@nestjs/common';
import type { Reach } from '../accounts/reach.scope';
import { AuditRepository, type AuditEntryOf } from '../audit/audit.repository';
import { Database, type Transaction } from '../database/database.service';
import { statement } from '../database/sql.statement';
import type { UnnamedFile } from '../media/media-file.statements';
import { FAIL_QUEUED_OF_DIALOG } from '../messages/outcome.statements';
import { LOCK_WORDS } from '../threads/thread-search.statements';
import type { ThreadEntity } from '../threads/thread.entity';
import {
  CustomerWebhookRepository,
  type BodyReader,
  type CustomerOfAccount,
} from './customer-webhook.repository';
import {
  CUSTOMER,
  DISCARD_REPLIES,
  DROP_PARKED,
  DROP_QUEUE,
  DROP_WORDS,
  EMPTY_DIALOG,
  EMPTY_EVENTS,
  HIDE_KEYS,
  EMPTY_MEDIA,
  EMPTY_MESSAGES,
  EMPTY_RUNS,
  KEEP_OPT_OUT,
  LOCK,
  LOCK_FILES,
  MARK_MESSAGES,
  TAKE_FILES,
  type CustomerWords,
} from './erasure.statements';

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

/** How a dialog is to be erased. */
export interface ErasureOrder {
  call: ErasureCall;
  reader: BodyReader;
  /** Up to which webhook the customer was taken out before. */
  webhooksUpTo: string;
  /** Does not wait for messages that are being sent. */
  isForced: boolean;
  fileLeaseMs: number;
  entryOf: AuditEntryOf<ErasedFigures>;
}

/** By the key of each account: nobody else has an index by the dialog alone. */
const FIND = statement('erasure-find').takes('threadId', 'reachAccount').returns<FoundDialog>(`
  SELECT t.account_id, t.id FROM accounts a CROSS JOIN LATERAL (
    SELECT account_id, id FROM threads WHERE account_id = a.id AND id = :threadId OFFSET 0) t
   WHERE :reachAccount::uuid IS NULL OR a.id = :reachAccount`);

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
  ) {}

  async find({ accountId }: Reach, threadId: string): Promise<FoundDialog | null> {
    const [row] = await this.database.runFor(accountId ?? ADMINS, FIND, {
      threadId,
      reachAccount: accountId,
    });
    return row ?? null;
  }

  /** What names the customer of a dialog; nothing where it is erased. */
  async customerOf({ account_id: accountId, id: threadId }: FoundDialog): Promise<CustomerWords> {
    const [row] = await this.database.runFor(accountId, CUSTOMER, { accountId, threadId });
    return row ?? { addresses: [], names: [] };
  }

  /**
   * Erases a dialog, all or nothing. One that was erased is emptied again.
   * @returns null while a message of it is being sent
   */
  async erase(
    { account_id: accountId, id: threadId }: FoundDialog,
    order: ErasureOrder,
  ): Promise<Erasure | null> {
    const its = { accountId, threadId };
    return this.database.transactFor(accountId, async (within) => {
      const [locked] = await within.run(LOCK, its);
      if (!locked || (locked.is_sending && !order.isForced)) return null;
      const [customer = { addresses: [], names: [] }] = await within.run(CUSTOMER, its);
      await this.endWork(within, its);
      const files = await this.emptyRows(within, its, customer, order);
      await this.dropWords(within, its);
      const { by, requestId } = order.call;
      const actor = order.call.actor && JSON.stringify(order.call.actor);
      const [dialog] = await within.run(EMPTY_DIALOG, { ...its, by, actor, requestId });
      if (!dialog) return null;
      if (locked.erased_at === null) {
        const subject = { accountId, subjectId: threadId, names: customer.names, phones: customer.addresses };
        await this.audit.erase(within, subject);
        await this.audit.append(within, order.entryOf({ messages: locked.messages, files: files.length }));
      }
      const taken = await this.takeFiles(within, accountId, files, order.fileLeaseMs);
      return { erasedAt: dialog.erased_at, files: taken, hadRuns: locked.has_runs };
    });
  }

  /** What is pending is over. Queued messages fail, and give their quota back. */
  private async endWork(within: Transaction, its: { accountId: string; threadId: string }): Promise<void> {
    const queued = { ...its, message: CANCELLED, limit: QUEUED_AT_ONCE };
    while (((await within.run(FAIL_QUEUED_OF_DIALOG, queued))[0]?.settled ?? 0) > 0);
    await within.run(DISCARD_REPLIES, its);
    await within.run(EMPTY_RUNS, its);
    await within.run(DROP_QUEUE, its);
  }

  /** @returns the bytes that its files had. */
  private async emptyRows(
    within: Transaction,
    its: { accountId: string; threadId: string },
    { addresses, names }: CustomerWords,
    { reader, webhooksUpTo }: ErasureOrder,
  ): Promise<string[]> {
    const customer: CustomerOfAccount = { accountId: its.accountId, needles: needlesOf(addresses) };
    if (customer.needles.length > 0) {
      // Whoever keeps an item of a webhook as a reject holds the webhook, so rejects are complete after it.
      await this.webhooks.redact(within, customer, reader, webhooksUpTo);
      await this.webhooks.dropRejects(within, customer, reader);
    }
    await within.run(HIDE_KEYS, { ...its, needles: [...customer.needles, ...names] });
    await within.run(DROP_PARKED, its);
    await within.run(MARK_MESSAGES, its);
    const files = await within.run(EMPTY_MEDIA, its);
    await within.run(EMPTY_MESSAGES, its);
    await within.run(EMPTY_EVENTS, its);
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
export const needlesOf = (addresses: readonly string[]): string[] => [
  ...new Set(addresses.map((address) => address.replace(/^\+/, ''))),
];
