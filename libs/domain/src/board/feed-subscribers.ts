import type { FeedEvent } from '@app/persistence/board/feed.repository';
import type { CommittedEvent } from '@app/persistence/threads/thread-log.statements';
import { Logger } from '@nestjs/common';
import { boardKey, type BoardAddress } from './board-address';

/** What the feed calls for one board. */
export interface FeedSubscriber {
  happened: (event: FeedEvent) => void;
  /** The log has lost events: what was delivered may no longer be true. */
  wentBack: () => void;
}

interface Board {
  address: BoardAddress;
  subscriber: FeedSubscriber;
  /** By `performance.now()`: when it was opened, or its funnel was changed. */
  funnelKnownAt: number;
}

/** The boards that are open in this process. */
export class FeedSubscribers {
  private readonly logger = new Logger('BoardFeed');
  private readonly boards = new Map<string, Board>();
  /** How many boards each account has open. */
  private readonly accounts = new Map<string, number>();

  get size(): number {
    return this.boards.size;
  }

  /** The agents whose boards are open. */
  get agents(): string[] {
    return [...this.boards.values()].map(({ address }) => address.assistantId);
  }

  watches(accountId: string): boolean {
    return this.accounts.has(accountId);
  }

  /** Adds a board; the latest subscriber of a board replaces the one before. @returns what removes it again */
  add(address: BoardAddress, subscriber: FeedSubscriber): () => void {
    const key = boardKey(address);
    if (!this.boards.has(key)) this.count(address.accountId, 1);
    this.boards.set(key, { address, subscriber, funnelKnownAt: performance.now() });
    return () => {
      if (this.boards.get(key)?.subscriber !== subscriber) return;
      this.boards.delete(key);
      this.count(address.accountId, -1);
    };
  }

  /** The funnel of a board has changed: what began before may name its stages as they were. */
  noteFunnel({ account_id: accountId, assistant_id: assistantId }: FeedEvent): void {
    const board = this.boards.get(boardKey({ accountId, assistantId }));
    if (board) board.funnelKnownAt = performance.now();
  }

  /** Whether an event began before its board knew the present funnel, so that it may name a stage as it was. */
  mayNameFormerStages({ accountId, told, begunAt }: CommittedEvent): boolean {
    const board = told && this.boards.get(boardKey({ accountId, assistantId: told.assistant_id }));
    return board ? begunAt < board.funnelKnownAt : false;
  }

  /** Whom an event is delivered to; undefined where its board is not open. */
  of({ account_id: accountId, assistant_id: assistantId }: FeedEvent): FeedSubscriber | undefined {
    return this.boards.get(boardKey({ accountId, assistantId }))?.subscriber;
  }

  /** Has every board opened anew. Never throws. */
  tellWentBack(): void {
    // A copy, because boards that are opened anew remove themselves meanwhile.
    for (const { subscriber } of [...this.boards.values()]) {
      try {
        subscriber.wentBack();
      } catch (error) {
        this.logger.error({ err: error }, 'A board could not be told that the log went back.');
      }
    }
  }

  private count(accountId: string, by: number): void {
    const boards = (this.accounts.get(accountId) ?? 0) + by;
    if (boards > 0) this.accounts.set(accountId, boards);
    else this.accounts.delete(accountId);
  }
}

/**
 * In one tick of the event loop. A thousand events at once, as a bulk of messages makes them, for many boards would
 * otherwise keep every call of the process waiting.
 */
const TURN_MS = 10;

/** Delivers in order, and for at most 10 ms in one tick of the event loop. */
export class PacedDeliveries {
  private readonly waiting: (() => void)[] = [];
  /** When this tick's first delivery began; null when there was none. */
  private turnBegan: number | null = null;
  private delivering = false;

  /** How many wait for a later tick. */
  get length(): number {
    return this.waiting.length;
  }

  /** Delivers at once where nothing waits and the tick has time left. @param deliver must not throw */
  add(deliver: () => void): void {
    this.waiting.push(deliver);
    this.run();
  }

  /** Resolves when all that was added before is delivered. */
  async reached(): Promise<void> {
    await new Promise<void>((resolve) => this.add(resolve));
  }

  private run(): void {
    if (this.delivering) return;
    this.delivering = true;
    const end = this.beginTurn() + TURN_MS;
    while (this.waiting.length > 0 && performance.now() < end) this.waiting.shift()?.();
    this.delivering = false;
  }

  private beginTurn(): number {
    if (this.turnBegan !== null) return this.turnBegan;
    setImmediate(() => {
      this.turnBegan = null;
      if (this.waiting.length > 0) this.run();
    });
    return (this.turnBegan = performance.now());
  }
}
