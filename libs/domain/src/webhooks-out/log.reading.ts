import { randomUUIDv7 } from 'node:crypto';
import type {
  EndpointQueueRepository,
  FoundEvent,
  HeldEndpoint,
} from '@app/persistence/webhooks-out/endpoint-queue.repository';
import { eventIdOf } from './event.ids';

/** Numbers that are younger than this may still come to be visible in another order: they are read again. */
const OVERLAP_MS = 300;
/** From one look at all that is not taken over for good to the next. */
const WHOLE_LOOK_MS = 1_000;
/** A look at all may take this share of the time. */
const WHOLE_LOOK_SHARE = 10;

/** A number up to which all will be visible once no transaction before another one is open. */
interface Mark {
  seq: number;
  xid: bigint;
}

/**
 * Takes over the account's log for one endpoint: makes a delivery of each event that is for it, once. Numbers become visible in
 * any order. So a look begins some time before the last one, and each second at all that is not taken over for good: up to a
 * number below which nothing can appear any more.
 */
export class LogReading {
  /** What was read, with the highest number: the oldest look that later ones must overlap comes first. */
  private readonly looks: { at: number; head: number }[] = [];
  private head: number;
  private mark: Mark | null = null;
  /** Events above the position that have their deliveries, or had when they were found. */
  private readonly made = new Set<number>();
  private wholeLookAt = -Infinity;
  private wholeLookTookMs = 0;

  /** @param position every event up to it is taken over for good */
  constructor(
    private readonly queues: EndpointQueueRepository,
    private readonly held: HeldEndpoint,
    private position: number,
  ) {
    this.head = position;
  }

  /** Whether every event that was ever visible is taken over for good. */
  get isDone(): boolean {
    return this.position >= this.head;
  }

  /** In how many milliseconds the next look at all is to be made, unless nothing is left to take over. */
  get wholeLookInMs(): number {
    const pauseMs = Math.max(WHOLE_LOOK_MS, WHOLE_LOOK_SHARE * this.wholeLookTookMs);
    return Math.max(0, this.wholeLookAt + pauseMs - performance.now());
  }

  /** Looks at what is new, and at all when its time has come. */
  async look(): Promise<void> {
    if (this.wholeLookInMs === 0) await this.lookAtAll();
    else await this.takeOver(this.overlapped());
  }

  private async lookAtAll(): Promise<void> {
    const began = performance.now();
    const { oldest } = await this.queues.openTransactions(this.held);
    const final = this.mark && oldest >= this.mark.xid ? this.mark.seq : null;
    await this.takeOver(this.position);
    if (final !== null) await this.advanceTo(final);
    if (this.mark === null && this.head > this.position) {
      // Asked after the head was read: whoever has a number below it has an older transaction.
      const { current } = await this.queues.openTransactions(this.held);
      this.mark = { seq: this.head, xid: current };
    }
    this.wholeLookAt = performance.now();
    this.wholeLookTookMs = this.wholeLookAt - began;
  }

  private async advanceTo(seq: number): Promise<void> {
    await this.queues.advance(this.held, seq);
    this.position = seq;
    this.mark = null;
    for (const each of this.made) if (each <= seq) this.made.delete(each);
  }

  private async takeOver(above: number): Promise<void> {
    for (let from = above; ;) {
      const { last, full, events } = await this.queues.look(this.held, from);
      await this.make(events);
      if (last === null) break;
      from = last;
      this.head = Math.max(this.head, last);
      if (!full) break;
    }
    this.looks.push({ at: performance.now(), head: this.head });
  }

  private async make(found: readonly FoundEvent[]): Promise<void> {
    const events = found.filter(({ seq }) => !this.made.has(seq));
    if (events.length === 0) return;
    const { accountId } = this.held;
    // Those of one millisecond have no order by themselves.
    const ids = events.map(() => randomUUIDv7()).toSorted();
    const deliveries = events.map((event, place) => ({
      ...event,
      id: ids[place] ?? randomUUIDv7(),
      eventId: eventIdOf({ accountId, ...event }),
    }));
    await this.queues.make(this.held, deliveries);
    for (const { seq } of events) this.made.add(seq);
  }

  /** The highest number that was visible {@link OVERLAP_MS} ago. */
  private overlapped(): number {
    const until = performance.now() - OVERLAP_MS;
    while ((this.looks[1]?.at ?? Infinity) <= until) this.looks.shift();
    const [oldest] = this.looks;
    return oldest && oldest.at <= until ? Math.max(oldest.head, this.position) : this.position;
  }
}
