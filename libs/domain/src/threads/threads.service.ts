import type { Card } from '@app/contracts/board-events';
import type { ThreadSort } from '@app/contracts/lead.words';
import type { Media } from '@app/contracts/media.words';
import type { MessageRole } from '@app/contracts/message.words';
import type { ThreadPosition } from '@app/contracts/values/list-position.format';
import { contactOf } from '@app/contracts/values/phone.words';
import {
  MessageListRepository,
  type ListedMessageRow,
} from '@app/persistence/messages/dialog/message-list.repository';
import type { CardRow } from '@app/persistence/threads/card-columns';
import { ThreadListRepository } from '@app/persistence/threads/thread-list.repository';
import { Injectable } from '@nestjs/common';
import { visibilityOf, type Principal } from '../accounts/principal.rules';
import { AssistantNotFoundError } from '../leads/lead.errors';
import { presentCard } from '../leads/lead.presenter';
import { ReplyAbility } from '../leads/reply-ability';
import { presentMedia } from '../messages/dialog/message.presenter';
import { BotAccess } from '../messages/sending/bot-access';
import { NamedThings } from './named-things.service';
import { askedFilterOf, namedIn, threadFilterOf, type ListFilter } from './thread-filter.rules';

interface ListedMessage {
  id: string;
  role: MessageRole;
  text: string;
  media: Media | null;
  created_at: string;
}

/** A dialog as lists show it. */
export interface Thread extends Card {
  /** Newest first; absent when none were asked for. */
  messages?: ListedMessage[];
}

const presentListedMessage = (row: ListedMessageRow): ListedMessage => ({
  id: row.id,
  role: row.role,
  text: row.text,
  media: presentMedia(row.media, row.role),
  created_at: row.created_at.toISOString(),
});

/** Which dialogs to list. */
export interface ThreadQuery extends ListFilter {
  assistantId?: string;
  /** How many messages to return with each dialog. */
  messagesLimit: number;
  limit: number;
  sort: ThreadSort;
  /** The last dialog already seen, in a list of the same order. */
  after: ThreadPosition | null;
  /** Whether to count all dialogs that pass the filter, by stage. */
  counts: boolean;
}

interface ThreadPage {
  threads: Thread[];
  /** Phones in the request that no dialog of the list has. */
  notFound: string[];
  /** User ids in the request that no dialog of the list has. */
  notFoundUserIds: string[];
  hasMore: boolean;
  nextAfter: ThreadPosition | null;
  /** Where it was asked for. Null is no stage. */
  totals?: StageTotal[];
}

interface StageTotal {
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
    private readonly messages: MessageListRepository,
    private readonly bots: BotAccess,
    private readonly named: NamedThings,
    private readonly ability: ReplyAbility,
  ) {}

  /**
   * A page of the dialogs that the principal sees. Several filters narrow the list together.
   * @throws AssistantNotFoundError, StatusNotFoundError, ScenarioNotFoundError, UserNotFoundError for an agent, a stage, a scenario or a person that the principal does not see;
   * BotNotFoundError, BotForbiddenError for a bot that does not exist or is not attached to the key; ThreadsNotFoundError for
   * dialogs that are not of these agents.
   */
  async getThreads(by: Principal, query: ThreadQuery): Promise<ThreadPage> {
    const all = visibilityOf(by);
    const assistantId = query.assistantId?.toLowerCase();
    if (assistantId !== undefined && !all.assistantIds.includes(assistantId))
      throw new AssistantNotFoundError();
    if (query.botId !== undefined) await this.bots.requireBot(by, query.botId);
    const of = assistantId === undefined ? all : { ...all, assistantIds: [assistantId] };
    await this.named.requireAll(of, namedIn(query));
    await this.named.requireThreads(of, query.threadIds ?? []);
    const filter = threadFilterOf(of.accountId, askedFilterOf(query, this.ability.hasModel));
    const { sort, after, limit } = query;
    if (filter === null) {
      const notFound = [...new Set(query.phones ?? [])];
      const notFoundUserIds = [...new Set(query.userIds ?? [])];
      return { ...NOTHING, notFound, notFoundUserIds, ...(query.counts && { totals: [] }) };
    }
    const [rows, missing, totals] = await Promise.all([
      this.threads.page(of, filter, { sort, after, limit: limit + 1 }),
      filter.contacts ? this.threads.missingContacts(of, filter) : [],
      query.counts ? this.threads.totals(of, filter) : undefined,
    ]);
    const isMissing = new Set<string>(missing);
    const shown = rows.slice(0, limit);
    const threads = await this.withMessages(
      of.accountId,
      shown.map(({ row }) => row),
      query.messagesLimit,
    );
    const hasMore = rows.length > threads.length;
    return {
      threads,
      notFound: phonesOf(query.phones ?? [], isMissing),
      notFoundUserIds: [...new Set(query.userIds ?? [])].filter((userId) => isMissing.has(userId)),
      hasMore,
      nextAfter: hasMore ? (shown[threads.length - 1]?.position ?? null) : null,
      ...(totals && { totals }),
    };
  }

  /** The dialogs with their messages, as many as fit into one answer. */
  private async withMessages(accountId: string, rows: CardRow[], each: number): Promise<Thread[]> {
    if (each === 0) return rows.map((row) => presentCard(row, this.ability));
    const ids = rows.map(({ id }) => id);
    const messages = await this.messages.newest(accountId, ids, each, MESSAGES_OF_A_PAGE + 1);
    const byThread = Map.groupBy(messages, ({ thread_id }) => thread_id);
    // Reading stopped within this dialog, so some of its messages are missing.
    const cutAt = messages.length > MESSAGES_OF_A_PAGE ? messages.at(-1)?.thread_id : undefined;
    const whole = cutAt === undefined ? rows : rows.slice(0, ids.indexOf(cutAt));
    const messagesOf = (id: string): ListedMessageRow[] => byThread.get(id) ?? [];
    return whole.map((row) => ({
      ...presentCard(row, this.ability),
      messages: messagesOf(row.id).map(presentListedMessage),
    }));
  }
}

/** The phones of the request, each once. */
const phonesOf = (phones: readonly string[], contacts: ReadonlySet<string>): string[] =>
  [...new Set(phones)].filter((phone) => contacts.has(contactOf(phone)));
