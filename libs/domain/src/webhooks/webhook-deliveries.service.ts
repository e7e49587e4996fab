import { randomUUIDv7 } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseUnavailableError } from '@app/persistence/database/database.errors';
import {
  WebhookDeliveryRepository,
  type ClaimedDelivery,
} from '@app/persistence/webhooks/webhook-delivery.repository';
import { Injectable, Logger } from '@nestjs/common';
import { BodyItems } from './body.items';
import { EventApplier } from './event.applier';
import { lanesOf, type OpenItem } from './item.lanes';
import { WebhookReaders, type WebhookItem } from './provider.events';
import { SourceInlets } from './source.inlets';
import { UnknownNumberError, type WebhookSource } from './webhook.source';
import { WebhookRejects } from './webhook-rejects.service';

/** A process that ends with a delivery in its hands is followed by another one within this time. */
const LEASE_SECONDS = 15;
const RENEW_MS = 5_000;
/** What customers write comes in bodies of some kilobytes; a history has up to three megabytes and takes seconds. */
const SMALL_BYTES = 65_536;
/** Of one webhook: a history of thousands of messages must leave connections to all others. */
const LANES_AT_ONCE = 3;

/** One delivery that is being taken apart. */
interface Taken {
  delivery: ClaimedDelivery;
  source: WebhookSource;
  /** Of the items, from 0. */
  places: ReadonlyMap<WebhookItem, number>;
  items: BodyItems;
}

/**
 * Takes stored webhooks apart: each item is applied by itself, or kept aside with its text, and only an outage of the
 * database has the delivery tried again. What was applied before has no effect the second time.
 */
@Injectable()
export class WebhookDeliveries {
  private readonly logger = new Logger(WebhookDeliveries.name);
  /** One at a time: the other places of the process are for small ones, so that histories hold nobody up. */
  private largeOneHeld = false;

  constructor(
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly readers: WebhookReaders,
    private readonly inlets: SourceInlets,
    private readonly events: EventApplier,
    private readonly rejects: WebhookRejects,
  ) {}

  /** Whether something is due that nobody holds. */
  async isAnyDue(): Promise<boolean> {
    return this.deliveries.isAnyDue();
  }

  /**
   * Takes one due delivery apart, the oldest that nobody holds; of large ones, one at a time.
   * @param stopping aborted when the process ends: what is left is due again.
   * @returns whether there was one.
   */
  async takeOne(stopping: AbortSignal): Promise<boolean> {
    const token = randomUUIDv7();
    const delivery = await this.claimOne(token);
    if (!delivery) return false;
    const held = new AbortController();
    const ending = AbortSignal.any([stopping, held.signal]);
    const renewing = this.keepLease(delivery.id, token, held);
    try {
      await this.takeApart(delivery, ending);
      if (ending.aborted) await this.deliveries.release(delivery.id, token);
      else await this.deliveries.done(delivery.id, token);
    } catch (error) {
      await this.giveUp(delivery, token, error);
    } finally {
      if (isLarge(delivery)) this.largeOneHeld = false;
      held.abort();
      await renewing;
    }
    return true;
  }

  /** The large one's place is taken before it is known whether there is one. */
  private async claimOne(token: string): Promise<ClaimedDelivery | undefined> {
    const largest = this.largeOneHeld ? SMALL_BYTES : null;
    if (largest === null) this.largeOneHeld = true;
    let claimed: ClaimedDelivery | undefined;
    try {
      [claimed] = await this.deliveries.claimDue(token, LEASE_SECONDS, 1, largest);
      return claimed;
    } finally {
      if (largest === null && !(claimed && isLarge(claimed))) this.largeOneHeld = false;
    }
  }

  /**
   * An outage passes, so the delivery comes again, later each time and for a week; anything else would fail for ever, so
   * it is kept aside whole.
   */
  private async giveUp(delivery: ClaimedDelivery, token: string, error: unknown): Promise<void> {
    const about = { err: error, delivery: delivery.id };
    if (error instanceof DatabaseUnavailableError && !delivery.is_last_try) {
      this.logger.warn(about, 'A webhook could not be applied; it is tried again.');
      await this.deliveries.retryLater(delivery.id, token);
      return;
    }
    this.logger.error(about, 'A webhook could not be taken apart; it is kept aside.');
    const source = this.inlets.sourceOf(delivery.provider, delivery.bot_id);
    const raw = delivery.body.toString('utf8');
    await this.rejects.keep(delivery, source, { path: '', fault: String(error), raw, number: null });
    await this.deliveries.done(delivery.id, token);
  }

  private async takeApart(delivery: ClaimedDelivery, ending: AbortSignal): Promise<void> {
    const source = this.inlets.sourceOf(delivery.provider, delivery.bot_id);
    const items = this.readers.of(delivery.provider).read(delivery.body);
    const places = new Map<WebhookItem, number>(items.map((item, place) => [item, place]));
    const taken = { delivery, source, places, items: new BodyItems(delivery.body) };
    const lanes = lanesOf(items).values();
    const work = async (): Promise<void> => {
      for (const lane of lanes) {
        for (const item of lane) {
          if (ending.aborted) return;
          await this.takeItem(taken, item);
        }
      }
    };
    // All of them are over before the delivery is given back or done, however one of them ended.
    const ends = await Promise.allSettled(Array.from({ length: LANES_AT_ONCE }, work));
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed) throw failed.reason;
  }

  /** @throws DatabaseUnavailableError */
  private async takeItem({ delivery, source, places, items }: Taken, item: OpenItem): Promise<void> {
    if ('fault' in item) return this.rejects.keep(delivery, source, { ...item, number: null });
    const number = 'number' in item.event ? item.event.number : null;
    try {
      const arrival = { receivedAt: delivery.arrived_at, place: places.get(item) ?? 0 };
      await this.events.apply(source, item.event, arrival);
    } catch (error) {
      if (error instanceof DatabaseUnavailableError) throw error;
      const expected = error instanceof UnknownNumberError;
      if (!expected) {
        const about = { err: error, delivery: delivery.id, path: item.path };
        this.logger.error(about, 'An item of a webhook could not be applied; it is kept aside.');
      }
      const fault = error instanceof Error ? error.message : String(error);
      await this.rejects.keep(delivery, source, {
        path: item.path,
        fault,
        raw: items.textOf(item.path),
        number,
      });
    }
  }

  /** Renews the lease until the work is over; ends the work when the lease is lost. */
  private async keepLease(id: string, token: string, held: AbortController): Promise<void> {
    while (!held.signal.aborted) {
      await sleep(RENEW_MS, undefined, { signal: held.signal }).catch(() => undefined);
      if (held.signal.aborted) return;
      const renewed = await this.deliveries.renew(id, token, LEASE_SECONDS).catch(() => null);
      if (renewed === false) held.abort();
    }
  }
}

const isLarge = ({ body }: ClaimedDelivery): boolean => body.length > SMALL_BYTES;
