import { randomUUIDv7 } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseUnavailableError } from '@app/persistence/database/database.errors';
import {
  WebhookDeliveryRepository,
  type ClaimedDelivery,
} from '@app/persistence/webhooks/webhook-delivery.repository';
import { asSpanOf } from '@app/contracts/trace-recorder';
import { Injectable, Logger } from '@nestjs/common';
import { LeaseRenewal } from '../work/lease-renewal';
import { Slots } from '../work/work-slots';
import { spanOfWork } from '../work/worker';
import { WORK_TIMES } from '../work/work-times';
import { BodyItems, groupsOf, type OpenItem } from './item-groups';
import { ErasedItems, type ErasedItem } from './erased-items';
import { WebhookReaders, type NumberOfOurs, type ProviderEvent, type WebhookItem } from './provider-events';
import { WebhookItemIntake } from './inbound-event.handler';
import { WebhookSources, type WebhookOrigin, type WebhookSource } from './webhook-source';
import { WebhookRejects } from './webhook-rejects.service';

/** Renewals within one lease, so that a failed one loses nothing. */
const RENEWALS = 3;
/** Customers' messages come in bodies of some kilobytes. A history has up to three megabytes and takes seconds. */
const SMALL_BYTES = 65_536;
/** Most deliveries of one claim. */
const CLAIMED_MAX = 32;
/**
 * From one claim of a process to the next, unless the last one left something. A webhook that comes alone is claimed at
 * once; frequent ones are claimed together. At 100 a second a claim takes ten, whose items share two statements: the
 * database's work for a webhook falls by a quarter (measured).
 */
const CLAIM_EVERY_MS = 100;
/** Most deliveries that wait to be marked as done while more are claimed: they are still in memory. */
const MARKING_MAX = 256;
/** Groups of one claim whose items share their statements: about as many as one statement takes. */
const TOGETHER_AT_ONCE = 64;
/** Items of one claim that need a connection each: a history of thousands of messages must leave some to all others. */
const ALONE_AT_ONCE = 3;
/** Kinds of events whose items share statements. */
const TOGETHER: ReadonlySet<ProviderEvent['kind']> = new Set(['message', 'state']);

/** One delivery that is being processed. */
interface Taken {
  delivery: ClaimedDelivery;
  /** Of the claim, by which the delivery is held. */
  token: string;
  source: WebhookSource;
  /** Index of the item, from 0. */
  positions: ReadonlyMap<WebhookItem, number>;
  items: BodyItems;
  /** Those that are about messages of erased customers. */
  erased: ErasedItem[];
}

/** What deliveries claimed together share. */
interface Claim {
  token: string;
  /** Deliveries that are neither done nor released. */
  open: Set<string>;
  sourceOf: (origin: WebhookOrigin) => WebhookSource;
  /** For groups of items. */
  groups: Slots;
  /** For items that need a connection each. */
  alone: Slots;
  /** Aborted when the process ends, or a lease was lost. */
  ending: AbortSignal;
}

/**
 * Processes stored webhooks. Each item is applied alone, or stored as a reject with its text. Only an outage of the
 * database makes the delivery be tried again; items applied before then have no second effect.
 */
@Injectable()
export class WebhookDeliveries {
  private readonly logger = new Logger(WebhookDeliveries.name);
  /** One at a time: the other slots of the process are for small ones, so that histories do not delay them. */
  private largeOneHeld = false;
  private claimedAt = -Infinity;
  /** Ends of deliveries that are being stored. */
  private readonly marking = new Set<Promise<void>>();
  /** Whether a claim waits for its time. */
  private claimWaits = false;

  constructor(
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly readers: WebhookReaders,
    private readonly sources: WebhookSources,
    private readonly intake: WebhookItemIntake,
    private readonly rejects: WebhookRejects,
    private readonly erasedItems: ErasedItems,
  ) {}

  /** Whether this process claims soon: what is stored by now is in that claim. */
  get isClaimComing(): boolean {
    return this.claimWaits;
  }

  /** Whether something is due that nobody holds. */
  async isAnyDue(): Promise<boolean> {
    return this.deliveries.isAnyDue();
  }

  /**
   * Processes due deliveries: an equal share of each number, the oldest first; of large ones, one at a time.
   * @param stopping aborted when the process stops: the remaining ones become due again
   * @returns whether more may be due. What was done may not be marked yet, see {@link untilMarked}.
   */
  async takeDue(stopping: AbortSignal): Promise<boolean> {
    if (!(await this.isTimeToClaim(stopping))) return false;
    if (this.marking.size > MARKING_MAX) await this.untilMarked();
    const token = randomUUIDv7();
    const claimed = await this.claim(token);
    const moreDue = claimed.some(({ more_due }) => more_due);
    if (moreDue) this.claimedAt = -Infinity;
    const open = new Set(claimed.map(({ id }) => id));
    const held = new AbortController();
    const ending = AbortSignal.any([stopping, held.signal]);
    await using _ = new LeaseRenewal(
      WORK_TIMES.webhookLeaseMs / RENEWALS,
      () => this.renew(open, token),
      () => held.abort(),
    );
    const claim = {
      token,
      open,
      ending,
      sourceOf: this.sources.together(),
      groups: new Slots(TOGETHER_AT_ONCE),
      alone: new Slots(ALONE_AT_ONCE),
    };
    try {
      // The smaller ones first, so that histories do not delay them.
      const bySize = claimed.toSorted((one, other) => Number(isLarge(one)) - Number(isLarge(other)));
      // Until all are over: while one is running, its lease is renewed.
      const taken = await Promise.allSettled(bySize.map((delivery) => this.take(delivery, claim)));
      for (const each of taken) if (each.status === 'rejected') throw each.reason;
    } finally {
      if (claimed.some(isLarge)) this.largeOneHeld = false;
    }
    return moreDue || claimed.some(isLarge);
  }

  /** Resolves when what was done is marked. */
  async untilMarked(): Promise<void> {
    await Promise.all(this.marking);
  }

  /**
   * Deliveries of several claims are marked together, up to 100 ms later, so no claim waits for it. The lease outlasts
   * that.
   */
  private mark(delivery: ClaimedDelivery, claim: Claim): void {
    const marking = this.deliveries
      .done(delivery.id, claim.token)
      .then(() => undefined)
      .catch((error: unknown) => this.giveUp(delivery, claim, error))
      .catch((error: unknown) => {
        const about = { err: error, delivery: delivery.id };
        this.logger.error(
          about,
          'A webhook could not be marked as done; it is due again when its lease ends.',
        );
      })
      .finally(() => this.marking.delete(marking));
    this.marking.add(marking);
  }

  /** Only one claim waits at a time. Webhooks that come meanwhile are in it. */
  private async isTimeToClaim(stopping: AbortSignal): Promise<boolean> {
    if (this.claimWaits) return false;
    const waitMs = this.claimedAt + CLAIM_EVERY_MS - performance.now();
    if (waitMs > 0) {
      this.claimWaits = true;
      await sleep(waitMs, undefined, { signal: stopping }).catch(() => undefined);
      this.claimWaits = false;
    }
    this.claimedAt = performance.now();
    return !stopping.aborted;
  }

  /** The slot for large ones is taken before it is known whether there is one. */
  private async claim(token: string): Promise<ClaimedDelivery[]> {
    const large = this.largeOneHeld ? 0 : 1;
    if (large > 0) this.largeOneHeld = true;
    let claimed: ClaimedDelivery[] = [];
    try {
      const limits = { count: CLAIMED_MAX, largest: SMALL_BYTES, large };
      claimed = await this.deliveries.claimDue(token, WORK_TIMES.webhookLeaseMs / 1_000, limits);
      return claimed;
    } finally {
      if (large > 0 && !claimed.some(isLarge)) this.largeOneHeld = false;
    }
  }

  /**
   * @returns whether all open deliveries are still held
   */
  private async renew(open: ReadonlySet<string>, token: string): Promise<boolean> {
    const ids = [...open];
    if (ids.length === 0) return true;
    const renewed = await this.deliveries.renew(ids, token, WORK_TIMES.webhookLeaseMs / 1_000);
    return ids.every((id) => renewed.has(id) || !open.has(id));
  }

  /** Processes one delivery and settles it. */
  private take(delivery: ClaimedDelivery, claim: Claim): Promise<void> {
    return asSpanOf(
      delivery.trace,
      () => spanOfWork('inbound-webhooks', null),
      () => this.takeWithin(delivery, claim),
    );
  }

  private async takeWithin(delivery: ClaimedDelivery, claim: Claim): Promise<void> {
    const { open, token, ending } = claim;
    try {
      const erased = await this.takeApart(delivery, claim);
      if (erased.length > 0 && !ending.aborted) {
        const { id, body } = delivery;
        // Its row may go: a renewal must not miss it.
        open.delete(id);
        await this.erasedItems.drop({ id, body, heldBy: token }, erased);
      }
      open.delete(delivery.id);
      if (ending.aborted) await this.deliveries.release(delivery.id, token);
      else this.mark(delivery, claim);
    } catch (error) {
      open.delete(delivery.id);
      await this.giveUp(delivery, claim, error);
    }
  }

  /**
   * An outage passes, so the delivery is tried again, with growing waits, for a week. Any other error would repeat
   * without end, so the whole delivery is rejected.
   */
  private async giveUp(delivery: ClaimedDelivery, { token, sourceOf }: Claim, error: unknown): Promise<void> {
    const about = { err: error, delivery: delivery.id };
    if (error instanceof DatabaseUnavailableError && !delivery.is_last_try) {
      this.logger.warn(about, 'A webhook could not be applied; it is tried again.');
      await this.deliveries.retryLater(delivery.id, token);
      return;
    }
    this.logger.error(about, 'A webhook could not be taken apart; it is kept aside.');
    const source = sourceOf(delivery);
    const raw = delivery.body.toString('utf8');
    const whole = { path: '', reason: String(error), raw, number: null };
    await this.rejects.keep(delivery, token, source, whole);
    await this.deliveries.done(delivery.id, token);
  }

  /** @returns the items about messages of erased customers */
  private async takeApart(
    delivery: ClaimedDelivery,
    { token, sourceOf, groups, alone, ending }: Claim,
  ): Promise<ErasedItem[]> {
    const source = sourceOf(delivery);
    const items = this.readers.of(delivery.provider).read(delivery.body);
    const positions = new Map<WebhookItem, number>(items.map((item, position) => [item, position]));
    const bodyItems = new BodyItems(delivery.body);
    const taken: Taken = { delivery, token, source, positions, items: bodyItems, erased: [] };
    const takeGroup = async (group: readonly OpenItem[]): Promise<void> => {
      for (const item of group) {
        if (ending.aborted) return;
        const take = (): Promise<void> => this.takeItem(taken, item);
        await ('event' in item && TOGETHER.has(item.event.kind) ? take() : alone.run(take));
      }
    };
    // All of them are over before the delivery is given back or done, however one of them ended.
    const ends = await Promise.allSettled(groupsOf(items).map((group) => groups.run(() => takeGroup(group))));
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed) throw failed.reason;
    return taken.erased;
  }

  /** @throws DatabaseUnavailableError */
  private async takeItem(
    { delivery, token, source: ofDelivery, positions, items, erased }: Taken,
    item: OpenItem,
  ): Promise<void> {
    const source = ofDelivery.within(item.businessId ?? null);
    const position = positions.get(item) ?? 0;
    const arrival = { receivedAt: delivery.arrived_at, position, webhook: delivery.id, heldBy: token };
    const { reason, isErased } = await this.intake.take(item, { source, arrival });
    const number = numberOf(item);
    if (isErased && 'event' in item) {
      const { accountId } = await source.receivingNumberOf(number);
      erased.push({ accountId, event: item.event });
    }
    if (reason === null) return;
    const { path } = item;
    const raw = 'raw' in item ? item.raw : items.textOf(path);
    await this.rejects.keep(delivery, token, source, { path, reason, raw, number });
  }
}

function numberOf(item: OpenItem): NumberOfOurs {
  if ('event' in item) return 'number' in item.event ? item.event.number : null;
  return item.number ?? null;
}

const isLarge = ({ body }: ClaimedDelivery): boolean => body.length > SMALL_BYTES;
