import type { Channel } from '@app/contracts/message.words';
import {
  DeliveryStateRepository,
  type DeliveryReport,
} from '@app/persistence/messages/delivery-state.repository';
import type { Inlet } from '@app/persistence/messages/incoming.repository';
import { Injectable } from '@nestjs/common';
import { EventBell } from '../events/event-bell.service';
import { OptOuts } from './opt-outs.service';

const FORGOTTEN_AT_ONCE = 100;
/** Providers repeat what was not acknowledged for seven days; nothing older than two weeks belongs to a message of ours. */
const PARKED_DAYS = 14;

/**
 * What providers report of our messages. It comes late, twice, in any order, and before our own record of the message:
 * a state never goes backwards, and none is lost.
 */
@Injectable()
export class DeliveryStates {
  constructor(
    private readonly states: DeliveryStateRepository,
    private readonly optOuts: OptOuts,
    private readonly bell: EventBell,
  ) {}

  /** Applies a report, or keeps it until its message is known. */
  async take(at: Inlet, report: DeliveryReport): Promise<void> {
    if (await this.apply(at, report)) return;
    const id = report.providerId ?? report.whatsappId;
    if (id === null) throw new Error('the report names no message that is known, and no id to wait for');
    await this.states.park(at, id, report);
    // The message may have become known since it was looked for, and nobody looks for the report again.
    await this.settleParked(at.accountId, at.botId, at.channel, [id]);
  }

  /**
   * Applies the reports that came before their messages were known: to be called once the ids that the provider gave
   * are stored. Again without effect.
   */
  async settleParked(
    accountId: string,
    botId: string,
    channel: Channel,
    providerIds: readonly string[],
  ): Promise<void> {
    if (providerIds.length === 0) return;
    const at = { accountId, botId, channel };
    const settled: string[] = [];
    for (const { id, report } of await this.states.parked(at, providerIds)) {
      if (await this.apply(at, report)) settled.push(id);
    }
    if (settled.length > 0) await this.states.unpark(accountId, settled);
  }

  /** Applies what a process left behind that ended between the two. */
  async sweepParked(): Promise<void> {
    for (const { accountId, botId, channel, providerId } of await this.states.forgotten(FORGOTTEN_AT_ONCE)) {
      await this.settleParked(accountId, botId, channel, [providerId]);
    }
  }

  async forgetParked(): Promise<void> {
    await this.states.forgetParked(PARKED_DAYS);
  }

  /** @returns whether the message is known. */
  private async apply(at: Inlet, report: DeliveryReport): Promise<boolean> {
    const message = await this.states.apply(at, report);
    if (!message) return false;
    if (message.seq !== null) this.bell.ring();
    if (report.optedOut) await this.optOuts.toldByRefusal(at, message.threadId, message.messageId);
    if (message.identified) {
      const ids = [message.providerId, message.whatsappId].filter((id) => id !== null);
      await this.settleParked(at.accountId, at.botId, at.channel, ids);
    }
    return true;
  }
}
