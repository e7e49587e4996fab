import { idOrNothing } from '@app/contracts/uuid.format';
import type { CardRow } from '@app/persistence/threads/card.columns';
import { ThreadListRepository, type ThreadFilter } from '@app/persistence/threads/thread-list.repository';
import {
  NewestMessagesRepository,
  type ListedMessageRow,
} from '@app/persistence/messages/newest-messages.repository';
import { Injectable } from '@nestjs/common';
import { visibilityOf, type Principal } from '../accounts/principal.rules';
import { AssistantNotFoundError, StatusNotFoundError } from '../leads/lead.errors';
import { BotAccess } from '../messages/bot.access';
import { contactOf } from '../messages/contact.address';
import { presentListedMessage, presentThread, type Thread } from './thread.presenter';
import { searchedDigits, searchPattern } from './search.pattern';

/** Which dialogs to list. */
export interface ThreadQuery extends Omit<ThreadFilter, 'search' | 'contacts'> {
  assistantId?: string;
  phones?: readonly string[];
  search?: string;
  /** Messages with each dialog. */
  messagesLimit: number;
  limit: number;
  /** The id of the last dialog already seen. */
  before: string | null;
}

export interface ThreadPage {
  threads: Thread[];
  /** Phones asked for that no dialog of the list has. */
  notFound: string[];
  hasMore: boolean;
  nextBefore: string | null;
}

/** Messages in one answer, for its size: a page that would have more ends before, and the next one goes on. */
const MESSAGES_OF_A_PAGE = 5_000;

/** Lists of dialogs. */
@Injectable()
export class ThreadsService {
  constructor(
    private readonly threads: ThreadListRepository,
    private readonly newestMessages: NewestMessagesRepository,
    private readonly bots: BotAccess,
  ) {}

  /**
   * A page of the dialogs that the principal sees, those opened last first. Filters together narrow the list.
   * @throws AssistantNotFoundError, StatusNotFoundError for an agent or a stage that the principal does not see;
   * BotNotFoundError, BotForbiddenError for a bot that does not exist, or is not the principal's.
   */
  async getThreads(by: Principal, query: ThreadQuery): Promise<ThreadPage> {
    const all = visibilityOf(by);
    const assistantId = query.assistantId?.toLowerCase();
    if (assistantId !== undefined && !all.assistantIds.includes(assistantId))
      throw new AssistantNotFoundError();
    if (query.botId !== undefined) await this.bots.requireBot(by, query.botId);
    const of = assistantId === undefined ? all : { ...all, assistantIds: [assistantId] };
    const filter = filterOf(query);
    const [rows, missing] = await Promise.all([
      this.threads.page(of, filter, query.before, query.limit + 1),
      filter.contacts ? this.threads.missingContacts(of, filter) : [],
    ]);
    if (rows.length === 0 && filter.statusId && !(await this.threads.stageExists(of, filter.statusId)))
      throw new StatusNotFoundError();
    const shown = rows.slice(0, query.limit);
    const threads = await this.withMessages(of.accountId, shown, query.messagesLimit);
    const hasMore = rows.length > threads.length;
    return {
      threads,
      notFound: phonesOf(query.phones ?? [], new Set(missing)),
      hasMore,
      nextBefore: hasMore ? (shown[threads.length - 1]?.id ?? null) : null,
    };
  }

  /** The dialogs with their messages, as many of them as one answer holds. */
  private async withMessages(accountId: string, rows: CardRow[], each: number): Promise<Thread[]> {
    if (each === 0) return rows.map(presentThread);
    const ids = rows.map(({ id }) => id);
    const messages = await this.newestMessages.of(accountId, ids, each, MESSAGES_OF_A_PAGE + 1);
    const byThread = Map.groupBy(messages, ({ thread_id }) => thread_id);
    // The dialog at which the reading stopped lacks some of its messages.
    const cutAt = messages.length > MESSAGES_OF_A_PAGE ? messages.at(-1)?.thread_id : undefined;
    const whole = cutAt === undefined ? rows : rows.slice(0, ids.indexOf(cutAt));
    const messagesOf = (id: string): ListedMessageRow[] => byThread.get(id) ?? [];
    return whole.map((row) => ({
      ...presentThread(row),
      messages: messagesOf(row.id).map(presentListedMessage),
    }));
  }
}

function filterOf({ search, phones, statusId, ...query }: ThreadQuery): ThreadFilter {
  return {
    ...query,
    statusId: typeof statusId === 'string' ? idOrNothing(statusId) : statusId,
    search:
      search === undefined ? undefined : { pattern: searchPattern(search), digits: searchedDigits(search) },
    contacts: phones && [...new Set(phones.map(contactOf))],
  };
}

/** The phones as they were asked for, each once. */
const phonesOf = (phones: readonly string[], contacts: ReadonlySet<string>): string[] =>
  [...new Set(phones)].filter((phone) => contacts.has(contactOf(phone)));
