import type { MessageError, TroubleCode, Message } from '@app/contracts/message.words';
import { idOrNothing } from '@app/contracts/uuid.format';
import {
  DeliveryStateRepository,
  type DeliveryReport,
  type Reported,
  type ReportedMessage,
} from '@app/persistence/messages/delivery/delivery-state.repository';
import {
  MessageSettlingRepository,
  type FoundOutcome,
} from '@app/persistence/messages/delivery/message-settling.repository';
import { CustomerRepository, toldBy } from '@app/persistence/messages/incoming/customer.repository';
import type { ReceivingNumber, ThreadAddress } from '@app/persistence/messages/incoming/incoming.repository';
import { Injectable, Logger } from '@nestjs/common';
import { callOf, setterOf, sendingVisibilityOf, type Principal } from '../../accounts/principal.rules';
import { EventNotifier } from '../../events/event-notifier.service';
import { Slots } from '../../work/work-slots';
import { UnpaidBatches } from '../batches/batch-progress.service';
import { MessageNotFoundError } from '../dialog/message.errors';
import { presentMessage } from '../dialog/message.presenter';
import { OptOuts } from '../dialog/opt-outs.service';
import { BotTroubles } from './bot-troubles.service';

const CHECKED_AT_ONCE = 500;
/** Messages of which this process waits for whoever holds them: each takes a connection. */
const HELD_MESSAGES_AT_ONCE = 3;
/** Reports of this process whose further statements run at once: each takes a connection. */
const FOLLOWED_UP_AT_ONCE = 3;

/**
 * Reports of providers about our messages. They come late, twice, in any order, and before we have stored the
 * message. A state never goes backwards, and none is lost.
 */
@Injectable()
export class DeliveryStates {
  private readonly logger = new Logger(DeliveryStates.name);
  private readonly heldMessages = new Slots(HELD_MESSAGES_AT_ONCE);
  /** For what follows the shared statement. No slot of it is asked for by work that has one. */
  private readonly followUps = new Slots(FOLLOWED_UP_AT_ONCE);

  constructor(
    private readonly states: DeliveryStateRepository,
    private readonly customers: CustomerRepository,
    private readonly optOuts: OptOuts,
    private readonly unpaid: UnpaidBatches,
    private readonly troubles: BotTroubles,
    private readonly eventNotifier: EventNotifier,
  ) {}

  /**
   * Applies a report, or stores it until its message is known.
   * @returns whether the message is one of an erased customer: then it does neither
   */
  async take(at: ReceivingNumber, report: DeliveryReport): Promise<boolean> {
    const message = await this.applyReport(at, report);
    if (message === 'erased') return true;
    if (message === null) await this.followUps.run(() => this.park(at, report));
    else if (this.hasFollowUp(at, report, message))
      await this.followUps.run(() => this.followUp(at, report, message));
    return false;
  }

  private async park(at: ReceivingNumber, report: DeliveryReport): Promise<void> {
    const id = report.providerId ?? report.whatsappId;
    if (id === null) throw new Error('the report names no message that is known, and no id to wait for');
    await this.states.park(at, id, report);
    // The message may have become known since the search, and nothing else would look for the report.
    await this.settleParked(at, [id]);
  }

  /**
   * Applies reports that came before their messages were known. Call it every second or so. Whoever stores a
   * provider's id does not look for such reports, because most numbers' reports name our id and never wait. One that
   * cannot be applied, for its thread is locked for example, delays no other and is checked again.
   */
  async sweepParked(): Promise<void> {
    for (let checked = CHECKED_AT_ONCE; checked === CHECKED_AT_ONCE;) {
      const parked = await this.states.checkParked(CHECKED_AT_ONCE);
      for (const { providerId, ...at } of parked.known) await this.trySettling(at, providerId);
      checked = parked.checked;
    }
  }

  private async trySettling(at: ReceivingNumber, providerId: string): Promise<void> {
    try {
      await this.settleParked(at, [providerId], false);
    } catch (error) {
      const about = { err: error, bot_id: at.botId, provider_id: providerId };
      this.logger.warn(
        about,
        'A report that came before its message could not be applied; it is tried again.',
      );
    }
  }

  /**
   * Applies the reports that wait for a message with one of these ids. Idempotent.
   * @param mayWait whether for whoever holds the message; otherwise such a report goes on waiting
   */
  private async settleParked(
    at: ReceivingNumber,
    providerIds: readonly string[],
    mayWait = true,
  ): Promise<void> {
    const settled: string[] = [];
    for (const { id, report } of await this.states.parked(at, providerIds)) {
      if (await this.apply(at, report, mayWait)) settled.push(id);
    }
    if (settled.length > 0) await this.states.unpark(at.accountId, settled);
  }

  /**
   * For work that has a slot for follow-ups already, or needs none.
   * @returns whether it waits no more: the message is known, or erased
   */
  private async apply(at: ReceivingNumber, report: DeliveryReport, mayWait: boolean): Promise<boolean> {
    const message = await this.applyReport(at, report, mayWait);
    if (message !== null && message !== 'erased') await this.followUp(at, report, message);
    return message !== null;
  }

  /** @returns null when the message is not known, or it is held and this may not wait */
  private async applyReport(at: ReceivingNumber, report: DeliveryReport, mayWait = true): Promise<Reported> {
    const together = await this.states.applyTogether(at, report);
    if (together === 'held' && !mayWait) return null;
    const message =
      together === 'held' ? await this.heldMessages.run(() => this.states.apply(at, report)) : together;
    if (message !== null && message !== 'erased' && message.logged) this.eventNotifier.notify(at.accountId);
    return message;
  }

  private async followUp(
    at: ReceivingNumber,
    report: DeliveryReport,
    message: ReportedMessage,
  ): Promise<void> {
    if (beginsTrouble(message, report))
      await this.troubles.begin(at, { code: report.trouble, message: report.error.message });
    if (this.mayEndTrouble(at, report)) await this.troubles.arrived(at, message.messageId);
    // Before an opt-out, which then holds for all dialogs of the customer.
    if (message.teaches && report.recipient) await this.learn(at, message.messageId, report.recipient);
    if (report.optedOut) await this.optOuts.toldByRefusal(at, message.messageId, report);
    // Each such report stops the batch once more: it finds what was put back meanwhile.
    if (message.batchId !== null && isUnpaid(message, report))
      await this.unpaid.stop(at.accountId, message.batchId);
    if (message.identified) {
      const ids = [message.providerId, message.whatsappId].filter((id) => id !== null);
      await this.settleParked(at, ids);
    }
  }

  private async learn(
    at: ReceivingNumber,
    messageId: string,
    recipient: Omit<ThreadAddress, 'name'>,
  ): Promise<void> {
    if (await this.customers.learn(at, { messageId }, toldBy(recipient)))
      this.eventNotifier.notify(at.accountId);
  }

  private hasFollowUp(at: ReceivingNumber, report: DeliveryReport, message: ReportedMessage): boolean {
    const isOfNumber = beginsTrouble(message, report) || this.mayEndTrouble(at, report);
    return (
      report.optedOut || message.teaches || message.identified || isUnpaid(message, report) || isOfNumber
    );
  }

  private mayEndTrouble(at: ReceivingNumber, { state }: DeliveryReport): boolean {
    return (state === 'delivered' || state === 'read') && this.troubles.mayBeOver(at);
  }
}

const isUnpaid = ({ status }: ReportedMessage, { error }: DeliveryReport): boolean =>
  status === 'failed' && error?.code === 'BILLING_ERROR';

/** A report that is repeated, or comes after a later state, says nothing of the number as it is now. */
const beginsTrouble = (
  { status, logged }: ReportedMessage,
  report: DeliveryReport,
): report is DeliveryReport & { trouble: TroubleCode; error: MessageError } =>
  status === 'failed' && logged && report.trouble !== undefined && report.error !== null;

const BY_HAND = 'A person found that it did not go out.';

/** Messages whose outcome the service will never learn from the provider. */
@Injectable()
export class MessageSettling {
  constructor(
    private readonly messages: MessageSettlingRepository,
    private readonly eventNotifier: EventNotifier,
  ) {}

  /**
   * Sets the outcome of an unknown message. A message in another state stays as it is. Later reports of the provider
   * still apply.
   * @throws MessageNotFoundError
   */
  async settle(
    by: Principal,
    id: string,
    outcome: FoundOutcome['status'],
  ): Promise<Message & { changed: boolean }> {
    const row = await this.messages.settle(sendingVisibilityOf(by), {
      messageId: idOrNothing(id),
      status: outcome,
      reason: outcome === 'failed' ? BY_HAND : null,
      by: setterOf(by),
      ...callOf(by),
    });
    if (!row) throw new MessageNotFoundError('id');
    if (row.changed) this.eventNotifier.notify(sendingVisibilityOf(by).accountId);
    return { ...presentMessage(row), changed: row.changed };
  }
}
