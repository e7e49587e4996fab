import { Injectable } from '@nestjs/common';
import { Database, WorkDatabase } from '../database/database.service';
import type { WorkBacklog } from '../work/work.statements';
import {
  ADD_WORDS,
  BACKLOG,
  CUSTOMERS,
  DUE_ACCOUNTS,
  FIND,
  SHARE_WORDS,
  TAKE_DIALOGS,
  TAKE_MESSAGES,
  TEXTS_OF_DIALOGS,
  TEXTS_OF_MESSAGES,
  type CustomerRow,
  type SaidOfThread,
} from './thread-search.statements';

/** The words of a dialog, as lexemes. */
export interface SearchDocument {
  thread_id: string;
  customer_words: readonly string[];
  words: readonly string[];
}

/** A dialog with what was said in it and is to be found. */
export interface UnsearchedDialog extends CustomerRow {
  said: readonly Omit<SaidOfThread, 'thread_id'>[];
}

/** Dialogs that a search finds, the newest first; `isAll`: there are no more. */
export interface FoundDialogs {
  ids: readonly string[];
  isAll: boolean;
}

/** How many found dialogs are compared with the other filters, at first and then. */
const FOUND_AT_ONCE = [500, 10_000];

const MESSAGES_AT_ONCE = 300;
const DIALOGS_AT_ONCE = 50;
/** Of a dialog that is read as a whole. */
const TEXTS_OF_A_DIALOG = 2_000;
/** Of one dialog. A write of 4,000 words makes 200 kB of log (measured). */
const WORDS_MOST = 4_000;

/** Where dialogs are found by words. */
@Injectable()
export class ThreadSearchRepository {
  constructor(
    private readonly database: Database,
    private readonly work: WorkDatabase,
  ) {}

  /**
   * What a search finds before a dialog by the index over words, in larger and larger parts.
   * @param before the id of a dialog; null: from the newest
   */
  async *find(accountId: string, query: string, before: string | null): AsyncGenerator<FoundDialogs> {
    for (const limit of FOUND_AT_ONCE) {
      const found = await this.database.runFor(accountId, FIND, { accountId, query, before, limit });
      yield { ids: found.map(({ id }) => id), isAll: found.length < limit };
    }
  }

  /** Accounts with something to add. */
  async dueAccounts(): Promise<string[]> {
    return (await this.work.run(DUE_ACCOUNTS)).map(({ account_id }) => account_id);
  }

  /** Messages and dialogs that are not found yet. */
  async backlog(accountId: string | null): Promise<WorkBacklog | undefined> {
    return (await this.work.run(BACKLOG, { accountId }))[0];
  }

  /**
   * Takes some of what is to be added, new messages before whole dialogs, and adds it, all or nothing.
   * @param describe makes the words of dialogs
   * @returns how much was taken
   */
  async addSome(
    accountId: string,
    describe: (dialogs: readonly UnsearchedDialog[]) => SearchDocument[],
  ): Promise<number> {
    return this.database.transactFor(accountId, async (transaction) => {
      await transaction.run(SHARE_WORDS, { accountId });
      const messages = await transaction.run(TAKE_MESSAGES, { accountId, limit: MESSAGES_AT_ONCE });
      const whole = await transaction.run(TAKE_DIALOGS, { accountId, limit: DIALOGS_AT_ONCE });
      const taken = messages.length + whole.length;
      if (taken === 0) return 0;
      const dialogIds = [...new Set(whole.map(({ thread_id }) => thread_id))];
      const ids = [...new Set([...dialogIds, ...messages.map(({ thread_id }) => thread_id)])];
      const messageIds = messages.flatMap(({ message_id }) => message_id ?? []);
      const customers = await transaction.run(CUSTOMERS, { accountId, ids });
      const texts = [
        ...(await transaction.run(TEXTS_OF_MESSAGES, { accountId, ids: messageIds })),
        ...(await transaction.run(TEXTS_OF_DIALOGS, { accountId, ids: dialogIds, limit: TEXTS_OF_A_DIALOG })),
      ];
      const byDialog = Map.groupBy(texts, ({ thread_id }) => thread_id);
      const documents = describe(
        customers.map((customer) => ({
          ...customer,
          said: byDialog.get(customer.id) ?? [],
        })),
      );
      const given = { documents: JSON.stringify(documents), mostWords: WORDS_MOST };
      await transaction.run(ADD_WORDS, { accountId, ...given });
      return taken;
    });
  }
}
