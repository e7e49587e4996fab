import { AsyncResource } from 'node:async_hooks';
import {
  FeedRepository,
  identityOf,
  type FeedEvent,
  type Look,
} from '@app/persistence/board/feed.repository';
import type { CommittedEvent } from '@app/persistence/threads/thread-log.statements';
import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { EventNotifier, EventNotices } from '../events/event-notifier.service';
import { waitForDatabase } from '../work/database-retry';
import type { BoardAddress } from './board-address';
import { EventGaps, GAPS_MAX } from './event-gaps-tracker';
import { FeedSubscribers, type FeedSubscriber, PacedDeliveries } from './feed-subscribers';

const LAST_RESORT_LOOK_MS = 1_000;
/**
 * From the start of one look to the start of the next while events arrive all the time, so that those of 10 ms share a
 * look. A look after each move cost 230 µs of the server and 312 µs of PostgreSQL a move (measured). A single event is
 * looked for at once.
 */
const BACK_OFF_MS = 10;
/** With more waiting, the feed reads its own events from the log: the next look begins only when these are delivered. */
const DELIVERIES_WAITING_MAX = 1_000;

/**
 * Follows the event log for the boards of this process. It looks at the log after a commit of its own, on a NOTIFY of
 * another process, and every second as the last resort. It delivers what a look finds at once, whether earlier numbers
 * are still missing or not; a late commit is delivered when it becomes visible. Events of one thread become visible in
 * their order, because each is appended under the thread's lock.
 *
 * An event that this process committed itself is delivered without a look where its number is the next one and none is
 * missing: then a look could find nothing that belongs before it. A look costs 0.8 ms of the 3.5 ms from a request to a
 * board (measured).
 *
 * Events are never deleted. Where a known one is gone, or its number has another event, the database went back: to a
 * standby that was behind, or to a backup. Then the feed begins anew. Each look compares two events that the feed
 * knows: the newest, and the newest that an earlier look found. An event of its own may have got the number of one that
 * was lost, and then only the other tells.
 */
@Injectable()
export class BoardFeed implements BeforeApplicationShutdown {
  private readonly logger = new Logger(BoardFeed.name);
  private readonly subscribers = new FeedSubscribers();
  private readonly deliveries = new PacedDeliveries();
  /** Committed by this process, and neither delivered nor found by a look; by their numbers. */
  private readonly own = new Map<number, CommittedEvent>();
  private ownCameAt = -Infinity;
  private gaps = new EventGaps(0);
  /** Which event has the newest number. */
  private newestIs: string | null = null;
  /** The newest event that a look found. */
  private verified: { seq: number; is: string | null } = { seq: 0, is: null };
  private lost = 0;
  private delivered = 0;
  private looking: Promise<void> | null = null;
  private again = false;
  private begunAt = -Infinity;
  private backOffMs = 0;
  private backOff: NodeJS.Timeout | null = null;
  private ownDue: NodeJS.Timeout | null = null;
  private tick: NodeJS.Timeout | null = null;
  private stopped = false;
  private failing = false;

  constructor(
    private readonly events: FeedRepository,
    private readonly notices: EventNotices,
    private readonly eventNotifier: EventNotifier,
  ) {}

  /** Starts reading the log, in processes that have boards, before the first one is opened. */
  async start(): Promise<void> {
    await waitForDatabase(() => this.startFromNewest());
    this.eventNotifier.watchedBy((accountId) => this.subscribers.watches(accountId));
    // Runs outside the request's context: a look is about the log, not about the call that appended to it.
    this.eventNotifier.onNotify(AsyncResource.bind((committed) => this.takeOwn(committed)));
    this.notices.start(() => this.wake());
    this.tick = setInterval(() => this.look(), LAST_RESORT_LOOK_MS);
  }

  /** Stops with the boards, before the connections to the database are closed. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    if (this.tick) clearInterval(this.tick);
    if (this.backOff) clearTimeout(this.backOff);
    if (this.ownDue) clearTimeout(this.ownDue);
    await this.looking?.catch(() => undefined);
  }

  /** Every event up to this number has been delivered, or will never exist. */
  get mark(): number {
    return this.delivered;
  }

  /** Numbers up to this one were given twice, or may yet be: nobody can say what a client that stored one has seen. */
  get ambiguousUpTo(): number {
    return this.lost;
  }

  get agentsWatched(): number {
    return this.subscribers.size;
  }

  get openGaps(): number {
    return this.gaps.open.length;
  }

  /** Whether the last look at the log succeeded. True in processes without boards. */
  get healthy(): boolean {
    return !this.failing;
  }

  /**
   * Delivers every event of a board from now on. Events that a look finds which began before may be missing. A snapshot
   * that is read after {@link lookUnderWay} contains them.
   */
  subscribe(address: BoardAddress, subscriber: FeedSubscriber): () => void {
    return this.subscribers.add(address, subscriber);
  }

  /** Resolves when the present read, if there is one, is over. */
  async lookUnderWay(): Promise<void> {
    await this.looking;
  }

  /** Looks where a board is open. Without one, the look of each second keeps the mark young enough. */
  private wake(): void {
    if (this.subscribers.size > 0) this.look();
  }

  /**
   * Delivers an event of this process, or looks for it. An event without its card is looked for where its account has a
   * board: that may have been opened while the event was being committed. So is one that may name a stage as it was.
   */
  private takeOwn(event: CommittedEvent | undefined): void {
    const busy = performance.now() - this.ownCameAt < BACK_OFF_MS;
    this.ownCameAt = performance.now();
    const needsLook =
      !event ||
      (!event.told && this.subscribers.watches(event.accountId)) ||
      this.subscribers.mayNameFormerStages(event);
    // The log has every event, so what waits here may be let go.
    const full = Math.max(this.deliveries.length, this.own.size) > DELIVERIES_WAITING_MAX;
    if (needsLook || full) return this.wake();
    // With no board open, only the look of each second reads on.
    if (this.subscribers.size === 0 || !this.gaps.awaits(event.seq)) return;
    this.own.set(event.seq, event);
    this.followOwn();
    if (this.own.size > 0) this.lookForOwn(busy);
  }

  /** Delivers the events of this process whose numbers are next. */
  private followOwn(): void {
    for (;;) {
      const event = this.own.get(this.gaps.newest + 1);
      if (!event || !this.gaps.follow(event.seq)) return;
      this.own.delete(event.seq);
      this.newestIs = identityOf(event);
      this.deliverUpTo(event.seq, event.told ? [{ ...event.told, message: null }] : []);
    }
  }

  /**
   * Looks for what is missing before the events of this process. While these come all the time it waits a little, for
   * what is missing is most often committed by this process a moment later.
   */
  private lookForOwn(busy: boolean): void {
    if (!busy) return this.look();
    this.ownDue ??= setTimeout(() => {
      this.ownDue = null;
      if (this.own.size > 0) this.look();
    }, BACK_OFF_MS);
  }

  private look(): void {
    if (this.stopped || this.backOff) return;
    if (this.looking) {
      this.again = true;
      return;
    }
    const wait = this.begunAt + this.backOffMs - performance.now();
    if (wait <= 0) return this.beginLook();
    this.backOff = setTimeout(() => {
      this.backOff = null;
      this.beginLook();
    }, wait);
  }

  private beginLook(): void {
    this.begunAt = performance.now();
    this.looking = this.lookUntilDone().finally(() => {
      this.looking = null;
      if (this.again) {
        this.again = false;
        this.look();
      }
    });
  }

  private async lookUntilDone(): Promise<void> {
    try {
      let full = true;
      while (full && !this.stopped) full = await this.lookOnce();
      if (this.failing) this.logger.log('The event feed reads the log again.');
      this.failing = false;
    } catch (error) {
      if (!this.failing)
        this.logger.warn({ err: error }, 'The event feed cannot read the log; it tries every second.');
      this.failing = true;
    }
  }

  private async lookOnce(): Promise<boolean> {
    const { gaps, newestIs, verified } = this;
    const seen = { head: gaps.newest, verified: verified.seq, gaps: gaps.open };
    const look = await this.events.look(seen, this.subscribers.agents);
    if (look.atHead !== newestIs || look.atVerified !== verified.is) {
      await this.beginAnew();
      return false;
    }
    this.verified = { seq: seen.head, is: newestIs };
    this.backOffMs = look.seqs.length > 1 ? BACK_OFF_MS : 0;
    this.takeLook(look);
    await this.deliveries.reached();
    if (gaps.needBound) gaps.bind(await this.events.currentTransactionId());
    return look.full;
  }

  /** Takes in what a look found, but for events of this process that were delivered while the look was under way. */
  private takeLook({ xmin, seqs, atLast, events }: Look): void {
    const { gaps } = this;
    const fresh = events.filter(({ seq }) => gaps.awaits(seq));
    const last = seqs.at(-1);
    if (last !== undefined && last > gaps.newest) {
      this.newestIs = atLast;
      this.verified = { seq: last, is: atLast };
    }
    const passedOver = gaps.see({ xmin, seqs });
    if (passedOver > 0)
      this.logger.warn(
        `The event log has very many holes below ${gaps.newest}: ${passedOver} numbers are not waited for.`,
      );
    for (const event of fresh) if (event.type === 'funnel') this.subscribers.noteFunnel(event);
    for (const [seq, event] of this.own) {
      if (seq > gaps.newest && !this.subscribers.mayNameFormerStages(event)) continue;
      // Committed after the look's snapshot, or with the former name of a stage: the next look finds it.
      if (gaps.awaits(seq)) this.again = true;
      this.own.delete(seq);
    }
    this.deliverUpTo(gaps.mark, fresh);
    this.followOwn();
  }

  /**
   * A board that is opened while deliveries wait for a later tick reads a snapshot that contains these events, and gets
   * them as well.
   */
  private deliverUpTo(mark: number, events: readonly FeedEvent[]): void {
    for (const event of events) this.deliveries.add(() => this.deliver(event));
    this.deliveries.add(() => (this.delivered = mark));
  }

  /** Never throws. */
  private deliver(event: FeedEvent): void {
    try {
      this.subscribers.of(event)?.happened(event);
    } catch (error) {
      this.logger.error({ err: error, seq: event.seq }, 'A board could not take an event.');
    }
  }

  private async startFromNewest(): Promise<void> {
    const { head, atHead, floor, recent } = await this.events.start();
    const missing: number[] = [];
    const known = new Set(recent);
    for (let seq = head - 1; seq > floor && missing.length < GAPS_MAX; seq--) {
      if (!known.has(seq)) missing.push(seq);
    }
    this.gaps = new EventGaps(head, missing);
    this.own.clear();
    this.deliverUpTo(this.gaps.mark, []);
    this.newestIs = atHead;
    this.verified = { seq: head, is: atHead };
  }

  private async beginAnew(): Promise<void> {
    const { newest } = this.gaps;
    await this.startFromNewest();
    this.lost = Math.max(this.lost, newest);
    this.logger.warn(
      `The event log has gone back: its number ${newest} is not what it was, the newest is now ${this.gaps.newest}. The boards are told to open anew.`,
    );
    this.deliveries.add(() => this.subscribers.tellWentBack());
    await this.deliveries.reached();
  }
}
