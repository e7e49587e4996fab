import { randomUUIDv7 } from 'node:crypto';
import { CodedError } from '@app/contracts/coded.errors';
import type { ClaimedDelivery } from '@app/persistence/webhooks/webhook-delivery.repository';
import { WebhookRejectRepository } from '@app/persistence/webhooks/webhook-reject.repository';
import { Injectable } from '@nestjs/common';
import { Slots } from '../work/work-slots';
import type { NumberOfOurs } from './provider-events';
import { UnknownNumberError, type WebhookSource } from './webhook-source';

/** A webhook came to the address of a bot that does not exist. */
export class UnknownAddressError extends CodedError {
  readonly code = 'NOT_FOUND';

  constructor() {
    super('No bot has this address. Take the address from the bot as it is shown to an admin.');
  }
}

export class WebhookRejectNotFoundError extends CodedError {
  readonly code = 'WEBHOOK_REJECT_NOT_FOUND';

  constructor() {
    super('There is no such part of a webhook: it was taken in, deleted, or is older than 30 days.');
  }
}

/** Longer reasons are cut. */
export const REASON_LENGTH_MAX = 500;
/** Each takes a connection. */
const STORED_AT_ONCE = 3;

interface RejectedItem {
  /** Its path in the body. */
  path: string;
  /** Why it could not be processed. */
  reason: string;
  /** Its text. */
  raw: string;
  /** The number that it is about, where that could be read. */
  number: NumberOfOurs;
}

/** Items that could not be processed, stored with their text for people to read. */
@Injectable()
export class WebhookRejects {
  private readonly slots = new Slots(STORED_AT_ONCE);

  constructor(private readonly rejects: WebhookRejectRepository) {}

  /**
   * Stores an item as a reject. Idempotent. Of a webhook that is not held any more nothing is stored: its customer was
   * erased, or another process takes it in.
   * @param heldBy the token of the lease
   */
  async keep(
    delivery: ClaimedDelivery,
    heldBy: string,
    source: WebhookSource,
    item: RejectedItem,
  ): Promise<void> {
    await this.slots.run(async () =>
      this.rejects.add(heldBy, {
        id: randomUUIDv7(),
        account_id: await accountOf(source, item.number),
        provider: delivery.provider,
        bot_id: delivery.bot_id,
        delivery_id: delivery.id,
        path: item.path,
        reason: item.reason.slice(0, REASON_LENGTH_MAX),
        item: Buffer.from(item.raw),
        received_at: delivery.received_at,
      }),
    );
  }
}

async function accountOf(source: WebhookSource, number: NumberOfOurs): Promise<string | null> {
  if (source.botId === null && number === null) return null;
  try {
    return (await source.receivingNumberOf(number)).accountId;
  } catch (error) {
    if (error instanceof UnknownNumberError) return null;
    throw error;
  }
}
