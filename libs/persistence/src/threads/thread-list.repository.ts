import type { MessageHandler } from '@app/contracts/lead.words';
import type { Channel, MessageRole } from '@app/contracts/message.words';
import type { StageKind } from '@app/contracts/stage.kinds';
import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.service';
import type { Visibility } from '../accounts/visibility.scope';
import type { CardRow } from './card.columns';
import { MESSAGES, MISSING, PAGE, PAGE_OF_CONTACTS, STAGE_EXISTS } from './thread-list.statements';

/** What dialogs are asked for; null and undefined ask for any. */
export interface ThreadFilter {
  botId?: string;
  channel?: Channel;
  /** Null: those at no stage. */
  statusId?: string | null;
  statusKind?: StageKind;
  messageHandler?: MessageHandler;
  waiting?: boolean;
  /** Whether an operator is asked for. */
  attention?: boolean;
  /** A regular expression of PostgreSQL for names and last messages, and digits for phones. */
  search?: { pattern: string; digits: string | null };
  createdAfter?: Date;
  createdBefore?: Date;
  activeAfter?: Date;
  /** Addresses that dialogs are found by. */
  contacts?: readonly string[];
}

/** A message as it stands under its dialog in a list. */
export interface ListedMessageRow {
  id: string;
  thread_id: string;
  role: MessageRole;
  text: string;
  created_at: Date;
}

@Injectable()
export class ThreadListRepository {
  constructor(private readonly database: Database) {}

  /**
   * Dialogs of the caller's agents, those opened last first.
   * @param before the id of the dialog that the page follows; null for the newest.
   */
  async page(of: Visibility, filter: ThreadFilter, before: string | null, limit: number): Promise<CardRow[]> {
    const values = [...filterValues(of, filter), before, limit];
    return filter.contacts === undefined
      ? this.database.runFor<CardRow>(of.accountId, PAGE, values)
      : this.database.runFor<CardRow>(of.accountId, PAGE_OF_CONTACTS, [...values, filter.contacts]);
  }

  /** Which of the filter's addresses none of the caller's dialogs has that the filter lets through. */
  async missingContacts(of: Visibility, filter: ThreadFilter): Promise<string[]> {
    const values = [...filterValues(of, filter), filter.contacts ?? []];
    const rows = await this.database.runFor<{ contact: string }>(of.accountId, MISSING, values);
    return rows.map(({ contact }) => contact);
  }

  /**
   * The newest messages of each dialog, newest first, dialog after dialog in the order given, until there are `most`.
   * Parts of replies that were never handed over are left out: nothing in a list would tell them from what was said.
   */
  async newestMessages(
    accountId: string,
    threadIds: readonly string[],
    each: number,
    most: number,
  ): Promise<ListedMessageRow[]> {
    const values = [accountId, threadIds, each, most];
    return this.database.runFor<ListedMessageRow>(accountId, MESSAGES, values);
  }

  /** Whether a stage is or was in the funnel of one of the caller's agents. */
  async stageExists(of: Visibility, statusId: string): Promise<boolean> {
    const values = [of.accountId, of.assistantIds, statusId];
    return (await this.database.runFor(of.accountId, STAGE_EXISTS, values)).length > 0;
  }
}

function filterValues(of: Visibility, filter: ThreadFilter): unknown[] {
  return [
    of.accountId,
    of.assistantIds,
    filter.botId ?? null,
    filter.channel ?? null,
    filter.statusId !== undefined,
    filter.statusId ?? null,
    filter.statusKind ?? null,
    filter.messageHandler ?? null,
    filter.waiting ?? null,
    filter.search?.pattern ?? null,
    filter.search?.digits ?? null,
    filter.createdAfter ?? null,
    filter.createdBefore ?? null,
    filter.activeAfter ?? null,
    filter.attention ?? null,
  ];
}
