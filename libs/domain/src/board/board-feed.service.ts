import { AsyncResource } from 'node:async_hooks';
import { setImmediate as nextTick } from 'node:timers/promises';
import { FeedRepository, type FeedEventRow } from '@app/persistence/board/feed.repository';
import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { EventNotifier } from '../events/event-notifier.service';
import { EventNotices } from '../events/event-notices.service';
import { boardKey, type BoardAddress } from './board.address';
import { EventGaps, GAPS_MAX } from './event-gaps.tracker';

/** What a board gets from the log. */
export interface FeedSubscriber {
  happened: (event: FeedEventRow) => void;
  /** The log has lost events, so what boards show may be wrong. */
  wentBack: () => void;
}

const LAST_RESORT_LOOK_MS = 1_000;
const TICK_MS = 10;
/**
 * From the beginning of one read to the next while events come all the time: events of 10 ms are read together.
 * Reading after each move cost 230 µs of the server and 312 µs of PostgreSQL a move (measured). An event that comes
 * alone is read at once.
 */
const REST_MS = 10;

/**
 * Follows the event log for the boards of this process. It reads after its own commits, on a NOTIFY of other
 * processes, and each second as the last resort. It delivers each event as soon as it sees it, in the order of each
 * dialog, also while earlier numbers are missing; a late commit is delivered when it becomes visible. Events are
 * never deleted, so the newest event seen must stay. If it is gone, or its number belongs to another event, the
 * database was replaced by an older state: a standby that was behind, or a backup. Then the feed starts from the
 * beginning.
 */
@Injectable()
export class BoardFeed implements BeforeApplicationShutdown {
  private readonly logger = new Logger(BoardFeed.name);
  private readonly subscribers = new Map<string, { address: BoardAddress; subscriber: FeedSubscriber }>();
  private gaps = new EventGaps(0);
  /** The identity of the newest event seen. */
  private newestIs: string | null = null;
  private lost = 0;
  /** The mark when the last read had delivered everything it found. A delivery pauses between portions. */
  private delivered = 0;
  private looking: Promise<void> | null = null;
  private again = false;
  private begunAt = -Infinity;
  private backOffMs = 0;
  private resting: NodeJS.Timeout | null = null;
  private stopped = false;
  private tick: NodeJS.Timeout | null = null;
  private failing = false;

  constructor(
    private readonly events: FeedRepository,
    private readonly notices: EventNotices,
    private readonly eventNotifier: EventNotifier,
  ) {}

  /** Starts reading the log, in processes that have boards, before the first board is opened. */
  async start(): Promise<void> {
    await this.startFromNewest();
    // Runs outside the request's context: what a read logs is about the log, not about the call that caused it.
    this.eventNotifier.onNotify(AsyncResource.bind(() => this.wake()));
    this.notices.start(() => this.wake());
    this.tick = setInterval(() => this.look(), LAST_RESORT_LOOK_MS);
  }

  /** Called when boards are closed, before the connections to the database are. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    if (this.tick) clearInterval(this.tick);
    if (this.resting) clearTimeout(this.resting);
    await this.looking?.catch(() => undefined);
  }

  /** Every event up to this number has been delivered, or will never exist. */
  get mark(): number {
    return this.delivered;
  }

  /**
   * Numbers up to this one were given twice, or may yet be, so a client's stored number of this range means nothing.
   */
  get ambiguousUpTo(): number {
    return this.lost;
  }

  get agentsWatched(): number {
    return this.subscribers.size;
  }

  get openGaps(): number {
    return this.gaps.open.length;
  }

  /** Whether the last read of the log succeeded. True in processes without boards. */
  get healthy(): boolean {
    return !this.failing;
  }

  /**
   * Delivers every event of a board from now on. Events of a read that is already under way may come without their
   * card, or not at all: a snapshot read after {@link lookUnderWay} contains them.
   */
  subscribe(address: BoardAddress, subscriber: FeedSubscriber): () => void {
    const key = boardKey(address);
    this.subscribers.set(key, { address, subscriber });
    return () => {
      if (this.subscribers.get(key)?.subscriber === subscriber) this.subscribers.delete(key);
    };
  }

  /** Resolves when the present read, if there is one, is over. */
  async lookUnderWay(): Promise<void> {
    await this.looking;
  }

  /** With no board open the read of each second is enough. */
  private wake(): void {
    if (this.subscribers.size > 0) this.look();
  }

  private look(): void {
    if (this.stopped || this.resting) return;
    if (this.looking) {
      this.again = true;
      return;
    }
    const wait = this.begunAt + this.backOffMs - performance.now();
    if (wait <= 0) return this.beginLook();
    this.resting = setTimeout(() => {
      this.resting = null;
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
        this.logger.warn({ err: error }, 'The event feed cannot read the log; it tries each second.');
      this.failing = true;
    }
  }

  private async lookOnce(): Promise<boolean> {
    const { gaps } = this;
    const agents = [...this.subscribers.values()].map(({ address }) => address.assistantId);
    const { xmin, atHead, seqs, atLast, events, full } = await this.events.look(
      gaps.newest,
      gaps.open,
      agents,
    );
    if (atHead !== this.newestIs) {
      await this.beginAnew();
      return false;
    }
    this.backOffMs = seqs.length > 1 ? REST_MS : 0;
    const passedOver = gaps.see({ xmin, seqs });
    if (passedOver > 0)
      this.logger.warn(
        `The event log has very many holes below ${gaps.newest}: ${passedOver} numbers are not waited for.`,
      );
    if (atLast !== null && seqs.at(-1) === gaps.newest) this.newestIs = atLast;
    await this.deliverAll(events);
    this.delivered = gaps.mark;
    if (gaps.needBound) gaps.bind(await this.events.currentTransactionId());
    return full;
  }

  /**
   * Delivers in portions. A thousand events at once, as a list of messages causes them, for many boards would delay
   * every call of this process. A board that is opened between two portions reads a snapshot that contains the later
   * ones, and also gets them.
   */
  private async deliverAll(events: readonly FeedEventRow[]): Promise<void> {
    let since = performance.now();
    for (const event of events) {
      if (performance.now() - since > TICK_MS) {
        await nextTick();
        since = performance.now();
      }
      this.deliver(event);
    }
  }

  private deliver(event: FeedEventRow): void {
    const key = boardKey({ accountId: event.account_id, assistantId: event.assistant_id });
    try {
      this.subscribers.get(key)?.subscriber.happened(event);
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
    this.delivered = this.gaps.mark;
    this.newestIs = atHead;
  }

  private async beginAnew(): Promise<void> {
    const { newest } = this.gaps;
    await this.startFromNewest();
    this.lost = Math.max(this.lost, newest);
    this.logger.warn(
      `The event log has gone back: its number ${newest} is not what it was, the newest is now ${this.gaps.newest}. The boards are told to open anew.`,
    );
    // A listener may remove itself meanwhile.
    for (const { subscriber } of [...this.subscribers.values()]) {
      try {
        subscriber.wentBack();
      } catch (error) {
        this.logger.error({ err: error }, 'A board could not be told that the log went back.');
      }
    }
  }
}
