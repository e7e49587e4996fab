import { setTimeout as sleep } from 'node:timers/promises';
import { RowBusyError } from '@app/persistence/database/database.errors';
import {
  LaneRepository,
  type ClaimedMessage,
  type Lane,
  type Lease,
  type PutBack,
} from '@app/persistence/messages/lane.repository';
import { Injectable, Logger } from '@nestjs/common';
import { MessengerLimits } from './messenger.limits';
import { throughOutages } from './outage.patience';

/** A statement whose connection is gone may go on for as long as a statement may take (5 s), and be done after all. */
const MAY_BE_DONE_MS = 6_000;
const LOOK_AGAIN_MS = 1_000;

/** Claims of a lane's messages, and their way back when nothing of them was begun. */
@Injectable()
export class LaneClaims {
  private readonly logger = new Logger(LaneClaims.name);

  constructor(
    private readonly lanes: LaneRepository,
    private readonly limits: MessengerLimits,
  ) {}

  /**
   * Claims what is due, for whoever has the lane by this lease and sends by the connection that it names. What a claim
   * took whose answer was lost goes back.
   * @param from where in the queue it begins to look, an `up_to`; null: at its beginning
   * @throws whatever the statement failed with.
   */
  async claim(
    lane: Lane,
    lease: Lease,
    most: number,
    token: string,
    from: string | null,
  ): Promise<ClaimedMessage[]> {
    try {
      return await this.lanes.claim(lane, lease, most, token, this.limits.claimMs, from);
    } catch (error) {
      // Not waited for: the lane goes on without it.
      if (!(error instanceof RowBusyError)) void this.takeBack(lane, token);
      throw error;
    }
  }

  /** Never throws: what cannot be put back becomes unknown at its deadline, though no byte of it left. */
  async putBack({ accountId }: Lane, messages: readonly PutBack[], token: string): Promise<void> {
    try {
      await throughOutages(() => this.lanes.unclaim(accountId, messages, token), this.limits.claimMs);
    } catch (error) {
      const ids = messages.map(({ id }) => id);
      this.logger.error({ err: error, message_ids: ids }, 'Messages not begun could not be put back.');
    }
  }

  private async takeBack(lane: Lane, token: string): Promise<void> {
    const last = performance.now() + MAY_BE_DONE_MS;
    try {
      for (;;) {
        const back = await throughOutages(() => this.lanes.unclaimAll(lane, token), this.limits.claimMs);
        if (back > 0 || performance.now() > last) return;
        await sleep(LOOK_AGAIN_MS, undefined, { ref: false });
      }
    } catch (error) {
      this.logger.error({ err: error }, 'What a lost claim took, if anything, could not be put back.');
    }
  }
}
