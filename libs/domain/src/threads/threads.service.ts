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
import { ScenarioNotFoundError } from '../scenarios/scenario.errors';
import { contactOf } from '../messages/contact.address';
import { presentListedMessage, presentThread, type Thread } from './thread.presenter';
import { searchedDigits, searchPattern } from './search.pattern';

/** Which dialogs to list. */
export interface ThreadQuery extends Omit<ThreadFilter, 'search' | 'contacts'> {
  assistantId?: string;
  phones?: readonly string[];
  search?: string;
  /** How many messages to return with each dialog. */
  messagesLimit: number;
  limit: number;
  /** The id of the last dialog already seen. */
  before: string | null;
}

export interface ThreadPage {
  threads: Thread[];
  /** Phones in the request that no dialog of the list has. */
  notFound: string[];
  hasMore: boolean;
  nextBefore: string | null;
}

/**
 * Most messages in one answer, to bound its size. A page that would exceed it ends earlier, and the next page
 * continues.
 */
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
   * A page of the dialogs that the principal sees, the last opened first. Several filters narrow the list together.
   * @throws AssistantNotFoundError, StatusNotFoundError, ScenarioNotFoundError for an agent, a stage or a scenario that the principal does not see;
   * BotNotFoundError, BotForbiddenError for a bot that does not exist or is not attached to the key.
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
    if (rows.length === 0 && filter.scenarioId && !(await this.threads.scenarioExists(of, filter.scenarioId)))
      throw new ScenarioNotFoundError();
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

  /** The dialogs with their messages, as many as fit into one answer. */
  private async withMessages(accountId: string, rows: CardRow[], each: number): Promise<Thread[]> {
    if (each === 0) return rows.map(presentThread);
    const ids = rows.map(({ id }) => id);
    const messages = await this.newestMessages.of(accountId, ids, each, MESSAGES_OF_A_PAGE + 1);
    const byThread = Map.groupBy(messages, ({ thread_id }) => thread_id);
    // Reading stopped within this dialog, so some of its messages are missing.
    const cutAt = messages.length > MESSAGES_OF_A_PAGE ? messages.at(-1)?.thread_id : undefined;
    const whole = cutAt === undefined ? rows : rows.slice(0, ids.indexOf(cutAt));
    const messagesOf = (id: string): ListedMessageRow[] => byThread.get(id) ?? [];
    return whole.map((row) => ({
      ...presentThread(row),
      messages: messagesOf(row.id).map(presentListedMessage),
    }));
  }
}

function filterOf({ search, phones, statusId, scenarioId, ...query }: ThreadQuery): ThreadFilter {
  return {
    ...query,
    statusId: typeof statusId === 'string' ? idOrNothing(statusId) : statusId,
    scenarioId: scenarioId === undefined ? undefined : idOrNothing(scenarioId),
    search:
      search === undefined ? undefined : { pattern: searchPattern(search), digits: searchedDigits(search) },
    contacts: phones && [...new Set(phones.map(contactOf))],
  };
}

/** The phones of the request, each once. */
const phonesOf = (phones: readonly string[], contacts: ReadonlySet<string>): string[] =>
  [...new Set(phones)].filter((phone) => contacts.has(contactOf(phone)));
