import { createHash, randomUUIDv7 } from 'node:crypto';
import type {
  FoundEvent,
  NewDelivery,
  EndpointQueueRepository,
  HeldEndpoint,
} from '@app/persistence/webhooks-out/endpoint-queue.repository';

/** What tells one event of the log from all others, also from one that has its number after a backup was restored. */
interface EventIdentity {
  accountId: string;
  threadId: string;
  seq: number;
  at: Date;
}

/**
 * The id by which receivers know an event: a UUID of version 8 (RFC 9562) that follows from the event. So it is the same for all
 * endpoints and tries, and also where the event is replayed long after its deliveries are forgotten.
 */
export function eventIdOf({ accountId, threadId, seq, at }: EventIdentity): string {
  const bytes = createHash('sha256')
    .update(`${accountId} ${threadId} ${seq} ${at.toISOString()}`)
    .digest()
    .subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** Deliveries to make of an account's events: by their ids as well in the order of the events. */
export function deliveriesOf(accountId: string, events: readonly FoundEvent[]): NewDelivery[] {
  // Those of one millisecond have no order by themselves.
  const ids = events.map(() => randomUUIDv7()).toSorted();
  return events.map((event, place) => ({
    ...event,
    id: ids[place] ?? randomUUIDv7(),
    eventId: eventIdOf({ accountId, ...event }),
  }));
}

/** Numbers that are younger than this may still come to be visible in another order: they are read again. */
const OVERLAP_MS = 300;
/** From one look at all that is not taken over for good to the next. */
const WHOLE_LOOK_MS = 1_000;
/** A look at all may take this share of the time. */
const WHOLE_LOOK_SHARE = 10;
/** A look reads so often, and for so long, at most: between two looks the lease is renewed, and what was found is sent. */
const READS_AT_ONCE = 10;
const READ_AT_ONCE_MS = 100;
/** So many numbers above the position are remembered. */
const MADE_MOST = 10_000;

/** A number up to which all will be visible once no transaction before another one is open. */
interface Mark {
  seq: number;
  xid: bigint;
}

/** What a look may still read. */
interface Allowance {
  reads: number;
  until: number;
}

/**
 * Takes over the account's log for one endpoint: makes a delivery of each event that is for it, once, a part at a time. Numbers
 * become visible in any order. So a look begins some time before the last one, and what lies above the position is read again,
 * up to a number below which nothing can appear any more: there the position moves.
 */
export class LogReading {
  /** What was read, with the highest number: the oldest look that later ones must overlap comes first. */
  private readonly looks: { at: number; head: number }[] = [];
  private head: number;
  private mark: Mark | null = null;
  /** Below it nothing can appear any more. */
  private complete: number;
  /** Every number up to it was read after that was known. */
  private swept: number;
  /** Events above the position that have their deliveries, or had when they were found. */
  private readonly made = new Set<number>();
  private behind = true;
  private wholeLookAt = -Infinity;
  private wholeLookTookMs = 0;

  /** @param position every event up to it is taken over for good */
  constructor(
    private readonly queues: EndpointQueueRepository,
    private readonly held: HeldEndpoint,
    private position: number,
  ) {
    this.head = position;
    this.complete = position;
    this.swept = position;
  }

  /** Whether every event that was ever visible is taken over for good. */
  get isDone(): boolean {
    return !this.behind && this.position >= this.head;
  }

  /** Whether the last look left something to read: the next one is to follow at once. */
  get isBehind(): boolean {
    return this.behind || this.swept < this.complete;
  }

  /** In how many milliseconds the next look at all is to be made, unless nothing is left to take over. */
  get wholeLookInMs(): number {
    const pauseMs = Math.max(WHOLE_LOOK_MS, WHOLE_LOOK_SHARE * this.wholeLookTookMs);
    return Math.max(0, this.wholeLookAt + pauseMs - performance.now());
  }

  /** Looks at what is new, and at all when its time has come; of a long log at a part. {@link isBehind} tells whether more is left. */
  async look(): Promise<void> {
    const began = performance.now();
    const allowed: Allowance = { reads: READS_AT_ONCE, until: began + READ_AT_ONCE_MS };
    const looksAtAll = this.isBehind || this.wholeLookInMs === 0;
    if (looksAtAll) await this.passMark();
    await this.readNew(allowed);
    await this.readAgain(allowed);
    if (looksAtAll) await this.markHead();
    if (!looksAtAll) return;
    this.wholeLookAt = performance.now();
    this.wholeLookTookMs = this.wholeLookAt - began;
  }

  private async readNew(allowed: Allowance): Promise<void> {
    for (let from = this.overlapped(); ; from = this.next) {
      this.behind = (await this.read(from)) !== null;
      if (!this.behind || !mayGoOn(allowed)) break;
      await this.markEnd();
    }
    this.looks.push({ at: performance.now(), head: this.head });
  }

  /** What could not be seen before, below the number that is complete now. */
  private async readAgain(allowed: Allowance): Promise<void> {
    while (this.swept < this.complete && mayGoOn(allowed)) await this.read(this.swept);
  }

  /** @returns up to which number was read; null: to the end of the log */
  private async read(from: number): Promise<number | null> {
    const { last, full, events } = await this.queues.look(this.held, from);
    await this.make(events);
    if (last !== null) this.head = Math.max(this.head, last);
    const end = full ? last : null;
    if (from <= this.swept) await this.sweepTo(end ?? this.complete);
    return end;
  }

  private async sweepTo(seq: number): Promise<void> {
    this.swept = Math.max(this.swept, seq);
    const position = Math.min(this.swept, this.complete);
    if (position <= this.position) return;
    await this.queues.advance(this.held, position);
    this.position = position;
    for (const each of this.made) if (each <= position) this.made.delete(each);
  }

  private async passMark(): Promise<void> {
    if (this.mark === null || (await this.queues.oldestTransaction(this.held)) < this.mark.xid) return;
    this.complete = this.mark.seq;
    this.swept = this.position;
    this.mark = null;
  }

  /** What is left to read lies mostly below the newest number. Where that is complete at once, as is usual, it is read once. */
  private async markEnd(): Promise<void> {
    if (this.mark !== null || this.swept < this.complete) return;
    await this.markAt(await this.queues.newest(this.held));
    await this.passMark();
  }

  private async markHead(): Promise<void> {
    const isOpen = this.mark !== null || this.isBehind;
    if (!isOpen && this.head > this.position) await this.markAt(this.head);
  }

  private async markAt(seq: number): Promise<void> {
    // The transaction is asked for after the number was seen: whoever has a number below it has an older one.
    this.mark = { seq, xid: await this.queues.currentTransaction(this.held) };
  }

  private async make(found: readonly FoundEvent[]): Promise<void> {
    const events = found.filter(({ seq }) => !this.made.has(seq));
    if (events.length === 0) return;
    await this.queues.make(this.held, deliveriesOf(this.held.accountId, events));
    // While a transaction is open for hours, the position stands. What is forgotten is found to have its delivery.
    if (this.made.size > MADE_MOST) this.made.clear();
    for (const { seq } of events) this.made.add(seq);
  }

  /** Where reading goes on before the end is reached. */
  private get next(): number {
    return this.swept < this.complete ? this.swept : this.head;
  }

  /** The highest number that was visible {@link OVERLAP_MS} ago, unless the end was not reached. */
  private overlapped(): number {
    if (this.behind) return this.next;
    const until = performance.now() - OVERLAP_MS;
    while ((this.looks[1]?.at ?? Infinity) <= until) this.looks.shift();
    const [oldest] = this.looks;
    return oldest && oldest.at <= until ? Math.max(oldest.head, this.position) : this.position;
  }
}

/** Takes one read of those that are allowed. */
function mayGoOn(allowed: Allowance): boolean {
  allowed.reads -= 1;
  return allowed.reads > 0 && performance.now() < allowed.until;
}
