import { ReplyRepository } from '@app/persistence/agent/reply.repository';
import { DeliveryStateRepository } from '@app/persistence/messages/delivery-state.repository';
import { IdempotencyRepository } from '@app/persistence/messages/idempotency.repository';
import { WebhookDeliveryRepository } from '@app/persistence/webhooks/webhook-delivery.repository';
import { WebhookMarkRepository } from '@app/persistence/webhooks/webhook-mark.repository';
import { WebhookRejectRepository } from '@app/persistence/webhooks/webhook-reject.repository';
import { Injectable, Logger } from '@nestjs/common';

/** What one statement deletes takes far less than its time limit. */
const ROWS_AT_ONCE = 1_000;
/** Of those with bodies, each of which may have 3 MiB. */
const BODIES_AT_ONCE = 100;

interface Purge {
  what: string;
  atOnce: number;
  /** Deletes what is past its time, at most so much; how much it was. */
  act: (limit: number) => Promise<number>;
}

/** Against growth: what nobody needs any more is deleted, however much there is. */
@Injectable()
export class Retention {
  private readonly logger = new Logger(Retention.name);
  private readonly purges: readonly Purge[];

  constructor(
    keys: IdempotencyRepository,
    states: DeliveryStateRepository,
    marks: WebhookMarkRepository,
    rejects: WebhookRejectRepository,
    deliveries: WebhookDeliveryRepository,
    replies: ReplyRepository,
  ) {
    this.purges = [
      { what: 'idempotency keys', atOnce: ROWS_AT_ONCE, act: (limit) => keys.purge(limit) },
      { what: 'replies', atOnce: ROWS_AT_ONCE, act: (limit) => replies.purge(limit) },
      { what: 'states without a message', atOnce: ROWS_AT_ONCE, act: (limit) => states.purgeParked(limit) },
      { what: 'marks of webhooks', atOnce: ROWS_AT_ONCE, act: (limit) => marks.purge(limit) },
      { what: 'webhooks kept aside', atOnce: BODIES_AT_ONCE, act: (limit) => rejects.purge(limit) },
      { what: 'webhooks taken apart', atOnce: BODIES_AT_ONCE, act: (limit) => deliveries.purgeDone(limit) },
    ];
  }

  /**
   * To be called every few minutes, on any number of processes. What cannot be deleted is logged, and holds nothing
   * else up.
   * @param stopping aborted when the process ends: what is left is deleted another time.
   */
  async run(stopping: AbortSignal): Promise<void> {
    for (const { what, atOnce, act } of this.purges) {
      try {
        // Fewer than asked for are not the last ones: who works on a row just now has it passed over.
        while (!stopping.aborted && (await act(atOnce)) > 0);
      } catch (error) {
        this.logger.warn({ err: error }, `Old ${what} could not be deleted; it is tried again.`);
      }
    }
  }
}
