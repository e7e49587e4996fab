import { threadIdOrNothing, formatThreadId } from '@app/contracts/uuid.format';
import type { PresenceNews } from '@app/contracts/board-events';
import { ThreadRepository } from '@app/persistence/threads/thread.repository';
import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { requireMay, visibilityOf, type Principal } from '../accounts/principal.rules';
import { ThreadNotFoundError } from '../leads/lead.errors';
import { boardKey, type BoardAddress } from './board-address';
import { isSame, PRESENCE_TIMES, PresenceBook, type Presence, PresenceNotices } from './presence-notices';

/** After one process asked who is where, others that ask soon have heard the answers too. */
const ANSWER_EVERY_MS = 1_000;

type Tell = (news: PresenceNews) => void;

/** Where a connection of this process is. */
interface OwnPresence {
  presence: Presence;
  toldAt: number;
  /** It was said again since it was told. */
  isRepeated: boolean;
}

/** Who looks at which dialog, over all processes. It lives in memory alone. */
@Injectable()
export class PresenceService implements BeforeApplicationShutdown {
  private readonly book = new PresenceBook((address, threadId) => this.changed(address, threadId));
  /** Of this process' connections. */
  private readonly own = new Map<string, OwnPresence>();
  /** The last request of each connection: only that counts. */
  private readonly turns = new Map<string, number>();
  private readonly watchers = new Map<string, Tell>();
  /** Dialogs of watched boards whose people may have changed. */
  private readonly due = new Map<string, { address: BoardAddress; threadId: string }>();
  private telling: NodeJS.Timeout | null = null;
  private expiring: NodeJS.Timeout | null = null;
  private answeredAt = -Infinity;

  constructor(
    private readonly threads: ThreadRepository,
    private readonly notices: PresenceNotices,
  ) {}

  /** In processes that have boards. */
  start(): void {
    this.notices.start({
      heard: (connection, presence) => this.take(connection, presence),
      asked: () => this.answer(),
    });
    this.expiring = setInterval(() => this.expire(), PRESENCE_TIMES.expireEveryMs);
  }

  beforeApplicationShutdown(): void {
    if (this.expiring) clearInterval(this.expiring);
    if (this.telling) clearTimeout(this.telling);
  }

  /**
   * A person is in a dialog by a connection, until it says otherwise, or nothing for 30 s. Null: in none.
   * @throws ForbiddenError for a key, which has no name, ThreadNotFoundError
   */
  async set(by: Principal, connection: string, threadId: string | null, typing: boolean): Promise<void> {
    requireMay(by, 'presence.set');
    const turn = (this.turns.get(connection) ?? 0) + 1;
    this.turns.set(connection, turn);
    if (threadId === null) return this.leaveDialog(connection);
    const of = visibilityOf(by);
    const uuid = threadIdOrNothing(threadId);
    const assistantId = await this.threads.agentOf(of, uuid);
    if (assistantId === null) throw new ThreadNotFoundError();
    // Meanwhile the connection was closed, or asked for another dialog.
    if (this.turns.get(connection) !== turn) return;
    const { id: userId, name } = by;
    const address = { accountId: of.accountId, assistantId };
    const presence = { ...address, threadId: formatThreadId(uuid), userId, name, typing };
    this.take(connection, presence);
    const before = this.own.get(connection);
    if (before && isSame(before.presence, presence)) this.repeat(connection, before);
    else this.tell(connection, presence);
  }

  /** A connection of this process is closed. */
  leave(connection: string): void {
    this.turns.delete(connection);
    this.leaveDialog(connection);
  }

  /** Where a connection of this process is. */
  placeOf(connection: string): BoardAddress | undefined {
    return this.own.get(connection)?.presence;
  }

  /** Tells of each change in a board's dialogs. @returns what ends it */
  watch(address: BoardAddress, tell: Tell): () => void {
    const key = boardKey(address);
    this.watchers.set(key, tell);
    return () => {
      if (this.watchers.get(key) === tell) this.watchers.delete(key);
    };
  }

  /** Who is in a board's dialogs now. */
  in(address: BoardAddress): PresenceNews[] {
    return this.book.threadsOf(address).map((threadId) => this.newsOf(address, threadId));
  }

  private tell(connection: string, presence: Presence): void {
    this.own.set(connection, { presence, toldAt: performance.now(), isRepeated: false });
    this.notices.tell(presence.accountId, connection, presence);
  }

  private repeat(connection: string, own: OwnPresence): void {
    own.isRepeated = true;
    if (performance.now() - own.toldAt >= PRESENCE_TIMES.repeatedEveryMs) this.tell(connection, own.presence);
  }

  private leaveDialog(connection: string): void {
    const own = this.own.get(connection);
    if (!own) return;
    this.own.delete(connection);
    this.take(connection, null);
    this.notices.tell(own.presence.accountId, connection, null);
  }

  private take(connection: string, presence: Presence | null): void {
    if (presence) this.book.put(connection, presence, performance.now());
    else this.book.drop(connection);
  }

  private expire(): void {
    this.book.expire(performance.now());
    for (const [connection, own] of this.own) {
      if (!this.book.has(connection)) this.leaveDialog(connection);
      else if (own.isRepeated) this.repeat(connection, own);
    }
  }

  private answer(): void {
    if (performance.now() - this.answeredAt < ANSWER_EVERY_MS) return;
    this.answeredAt = performance.now();
    for (const [connection, { presence }] of this.own) this.tell(connection, presence);
  }

  private changed(address: BoardAddress, threadId: string): void {
    if (!this.watchers.has(boardKey(address))) return;
    this.due.set(`${boardKey(address)} ${threadId}`, { address, threadId });
    this.telling ??= setTimeout(() => this.tellDue(), PRESENCE_TIMES.tellEveryMs);
  }

  private tellDue(): void {
    this.telling = null;
    const due = [...this.due.values()];
    this.due.clear();
    for (const { address, threadId } of due)
      this.watchers.get(boardKey(address))?.(this.newsOf(address, threadId));
  }

  private newsOf(address: BoardAddress, threadId: string): PresenceNews {
    return { event: 'presence', thread_id: threadId, users: this.book.usersOf(address, threadId) };
  }
}
