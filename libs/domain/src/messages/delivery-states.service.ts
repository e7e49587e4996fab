import {
  DeliveryStateRepository,
  type DeliveryReport,
} from '@app/persistence/messages/delivery-state.repository';
import type { ReceivingNumber } from '@app/persistence/messages/incoming.repository';
import { Injectable } from '@nestjs/common';
import { EventNotifier } from '../events/event-notifier.service';
import { Slots } from '../work/work.slots';
import { OptOuts } from './opt-outs.service';
import { UnpaidBatches } from './unpaid-batches.service';

const CHECKED_AT_ONCE = 500;
/** Messages of which this process waits for whoever holds them: each takes a connection. */
const HELD_MESSAGES_AT_ONCE = 3;

/**
 * Reports of providers about our messages. They come late, twice, in any order, and before we have stored the
 * message. A state never goes backwards, and none is lost.
 */
@Injectable()
export class DeliveryStates {
  private readonly heldMessages = new Slots(HELD_MESSAGES_AT_ONCE);

  constructor(
    private readonly states: DeliveryStateRepository,
    private readonly optOuts: OptOuts,
    private readonly unpaid: UnpaidBatches,
    private readonly eventNotifier: EventNotifier,
  ) {}

  /** Applies a report, or stores it until its message is known. */
  async take(at: ReceivingNumber, report: DeliveryReport): Promise<void> {
    if (await this.apply(at, report)) return;
    const id = report.providerId ?? report.whatsappId;
    if (id === null) throw new Error('the report names no message that is known, and no id to wait for');
    await this.states.park(at, id, report);
    // The message may have become known since the search, and nothing else would look for the report.
    await this.settleParked(at, [id]);
  }

  /**
   * Applies reports that came before their messages were known. Call it each second or so. Whoever stores a
   * provider's id does not look for such reports, because most numbers' reports name our id and never wait.
   */
  async sweepParked(): Promise<void> {
    for (let checked = CHECKED_AT_ONCE; checked === CHECKED_AT_ONCE;) {
      const parked = await this.states.checkParked(CHECKED_AT_ONCE);
      for (const { providerId, ...at } of parked.known) await this.settleParked(at, [providerId]);
      checked = parked.checked;
    }
  }

  /** Applies the reports that wait for a message with one of these ids. Idempotent. */
  private async settleParked(at: ReceivingNumber, providerIds: readonly string[]): Promise<void> {
    const settled: string[] = [];
    for (const { id, report } of await this.states.parked(at, providerIds)) {
      if (await this.apply(at, report)) settled.push(id);
    }
    if (settled.length > 0) await this.states.unpark(at.accountId, settled);
  }

  /**
   * @returns whether the message is known
   */
  private async apply(at: ReceivingNumber, report: DeliveryReport): Promise<boolean> {
    const together = await this.states.applyTogether(at, report);
    const message =
      together === 'held' ? await this.heldMessages.run(() => this.states.apply(at, report)) : together;
    if (!message) return false;
    if (message.logged) this.eventNotifier.notify();
    if (report.optedOut) await this.optOuts.toldByRefusal(at, message.threadId, message.messageId, report);
    // Each such report stops the batch once more: it finds what was put back meanwhile.
    const isUnpaid = message.status === 'failed' && report.error?.code === 'BILLING_ERROR';
    if (isUnpaid && message.batchId !== null) await this.unpaid.stop(at.accountId, message.batchId);
    if (message.identified) {
      const ids = [message.providerId, message.whatsappId].filter((id) => id !== null);
      await this.settleParked(at, ids);
    }
    return true;
  }
}
