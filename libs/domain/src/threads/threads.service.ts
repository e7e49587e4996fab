import { idOrNothing } from '@app/contracts/uuid.format';
import type { CardRow } from '@app/persistence/threads/card.columns';
import type { ThreadSort } from '@app/contracts/list.words';
import type { ThreadPosition } from '@app/contracts/thread-position.format';
import type { ThreadFilter } from '@app/persistence/threads/thread.filter';
import { ThreadListRepository } from '@app/persistence/threads/thread-list.repository';
import type { Visibility } from '@app/persistence/accounts/visibility.scope';
import {
  NewestMessagesRepository,
  type ListedMessageRow,
} from '@app/persistence/messages/newest-messages.repository';
import { Injectable } from '@nestjs/common';
import { visibilityOf, type Principal } from '../accounts/principal.rules';
import { UserNotFoundError } from '../accounts/sign-in.errors';
import { AssistantNotFoundError, StatusNotFoundError } from '../leads/lead.errors';
import { BotAccess } from '../messages/bot.access';
import { ScenarioNotFoundError } from '../scenarios/scenario.errors';
import { contactOf } from '../messages/contact.address';
import { presentListedMessage, presentThread, type Thread } from './thread.presenter';
import { searchQuery } from './search.words';

/** The ids in a filter. */
export type NamedThings = Pick<ThreadFilter, 'statusId' | 'statusIds' | 'scenarioId' | 'assigneeId'>;

/** Which dialogs to list. */
export interface ThreadQuery extends Omit<ThreadFilter, 'query' | 'contacts' | 'among'> {
  assistantId?: string;
  phones?: readonly string[];
  search?: string;
  /** How many messages to return with each dialog. */
  messagesLimit: number;
  limit: number;
  sort: ThreadSort;
  /** The last dialog already seen, in a list of the same order. */
  after: ThreadPosition | null;
  /** Whether to count all dialogs that pass the filter, by stage. */
  counts: boolean;
}

export interface ThreadPage {
  threads: Thread[];
  /** Phones in the request that no dialog of the list has. */
  notFound: string[];
  hasMore: boolean;
  nextAfter: ThreadPosition | null;
  /** Where it was asked for. Null is no stage. */
  totals?: StageTotal[];
}

export interface StageTotal {
  status_id: string | null;
  total: number;
}

const NOTHING = { threads: [], hasMore: false, nextAfter: null };

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
   * A page of the dialogs that the principal sees. Several filters narrow the list together.
   * @throws AssistantNotFoundError, StatusNotFoundError, ScenarioNotFoundError, UserNotFoundError for an agent, a stage, a scenario or a person that the principal does not see;
   * BotNotFoundError, BotForbiddenError for a bot that does not exist or is not attached to the key.
   */
  async getThreads(by: Principal, query: ThreadQuery): Promise<ThreadPage> {
    const all = visibilityOf(by);
    const assistantId = query.assistantId?.toLowerCase();
    if (assistantId !== undefined && !all.assistantIds.includes(assistantId))
      throw new AssistantNotFoundError();
    if (query.botId !== undefined) await this.bots.requireBot(by, query.botId);
    const of = assistantId === undefined ? all : { ...all, assistantIds: [assistantId] };
    const named = namedIn(query);
    await this.requireNamed(of, named);
    const filter = filterOf(of, { ...query, ...named });
    const { sort, after, limit } = query;
    if (filter === null) {
      const notFound = [...new Set(query.phones ?? [])];
      return { ...NOTHING, notFound, ...(query.counts && { totals: [] }) };
    }
    const [rows, missing, totals] = await Promise.all([
      this.threads.page(of, filter, { sort, after, limit: limit + 1 }),
      filter.contacts ? this.threads.missingContacts(of, filter) : [],
      query.counts ? this.threads.totals(of, filter) : undefined,
    ]);
    const shown = rows.slice(0, limit);
    const threads = await this.withMessages(
      of.accountId,
      shown.map(({ row }) => row),
      query.messagesLimit,
    );
    const hasMore = rows.length > threads.length;
    return {
      threads,
      notFound: phonesOf(query.phones ?? [], new Set(missing)),
      hasMore,
      nextAfter: hasMore ? (shown[threads.length - 1]?.position ?? null) : null,
      ...(totals && { totals }),
    };
  }

  /**
   * What a filter names must be of agents that the caller sees, whatever the filter finds.
   * @throws StatusNotFoundError, ScenarioNotFoundError, UserNotFoundError
   */
  async requireNamed(
    of: Visibility,
    { statusId, statusIds = [], scenarioId, assigneeId }: NamedThings,
  ): Promise<void> {
    const stages = [statusId, ...statusIds].filter((id) => typeof id === 'string');
    if (stages.length === 0 && scenarioId === undefined && typeof assigneeId !== 'string') return;
    const named = { statusIds: stages, scenarioId, userId: assigneeId ?? undefined };
    const found = await this.threads.named(of, named);
    if (!found?.has_stages) throw new StatusNotFoundError();
    if (!found.has_scenario) throw new ScenarioNotFoundError();
    if (!found.has_user) throw new UserNotFoundError();
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

/** What a filter names by ids. A malformed one is an unknown one. */
export function namedIn({ statusId, statusIds, scenarioId, assigneeId }: NamedThings): NamedThings {
  const known = (id: string | null): string | null => id && idOrNothing(id);
  return {
    statusId: statusId === undefined ? undefined : known(statusId),
    statusIds: statusIds?.map(known),
    assigneeId: assigneeId === undefined ? undefined : known(assigneeId),
    scenarioId: scenarioId === undefined ? undefined : idOrNothing(scenarioId),
  };
}

/** Null: a search without a word, which finds nothing. */
function filterOf({ accountId }: Visibility, { search, phones, ...query }: ThreadQuery): ThreadFilter | null {
  const words = search === undefined ? undefined : searchQuery(accountId, search);
  if (words === null) return null;
  return { ...query, query: words, contacts: phones && [...new Set(phones.map(contactOf))] };
}

/** The phones of the request, each once. */
const phonesOf = (phones: readonly string[], contacts: ReadonlySet<string>): string[] =>
  [...new Set(phones)].filter((phone) => contacts.has(contactOf(phone)));
