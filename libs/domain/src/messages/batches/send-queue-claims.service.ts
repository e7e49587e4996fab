import { setTimeout as sleep } from 'node:timers/promises';
import { RowBusyError } from '@app/persistence/database/database.errors';
import {
  SendQueueRepository,
  type Claimed,
  type Lease,
  type Postponed,
  type SendQueueKey,
} from '@app/persistence/messages/batches/send-queue.repository';
import { Injectable, Logger } from '@nestjs/common';
import { MessengerLimits } from '../sending/messenger-limits';
import { retryThroughOutages } from '../dispatch/outage-retry';

/** A statement on a lost connection may still run for as long as a statement may take (5 s), and then succeed. */
const MAY_BE_DONE_MS = 6_000;
const LOOK_AGAIN_MS = 1_000;

/** Claims messages of a queue, and returns those that were not begun. */
@Injectable()
export class SendQueueClaims {
  private readonly logger = new Logger(SendQueueClaims.name);

  constructor(
    private readonly queues: SendQueueRepository,
    private readonly limits: MessengerLimits,
  ) {}

  /**
   * Claims a group for the holder of this lease, which sends by the given connection. Messages of a claim whose
   * answer was lost go back to the queue.
   * @throws whatever the statement failed with.
   */
  async claim(queue: SendQueueKey, lease: Lease, ids: readonly string[], token: string): Promise<Claimed[]> {
    try {
      return await this.queues.claim(queue, lease, ids, token, this.limits.claimMs);
    } catch (error) {
      // Not awaited: the queue continues without it.
      if (!(error instanceof RowBusyError)) void this.takeBack(queue, token);
      throw error;
    }
  }

  /** Never throws. A message that cannot be returned becomes unknown at its deadline, although no byte of it left. */
  async putBack({ accountId }: SendQueueKey, ids: readonly string[], token: string): Promise<void> {
    try {
      await retryThroughOutages(() => this.queues.putBack(accountId, ids, token), this.limits.claimMs);
    } catch (error) {
      this.logger.error({ err: error, message_ids: ids }, 'Messages not begun could not be put back.');
    }
  }

  /** Never throws. A message that cannot be postponed is read again. */
  async postpone({ accountId }: SendQueueKey, messages: readonly Postponed[]): Promise<void> {
    try {
      await this.queues.postpone(accountId, messages);
    } catch (error) {
      this.logger.warn({ err: error }, 'Messages whose recipients have to wait could not be postponed.');
    }
  }

  private async takeBack(queue: SendQueueKey, token: string): Promise<void> {
    const last = performance.now() + MAY_BE_DONE_MS;
    try {
      for (;;) {
        const back = await retryThroughOutages(
          () => this.queues.putBackAll(queue, token),
          this.limits.claimMs,
        );
        if (back > 0 || performance.now() > last) return;
        await sleep(LOOK_AGAIN_MS, undefined, { ref: false });
      }
    } catch (error) {
      this.logger.error({ err: error }, 'What a lost claim took, if anything, could not be put back.');
    }
  }
}
