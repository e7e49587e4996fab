import { hash } from 'node:crypto';
import type { ThreadAddress, ReceivingNumber } from '@app/persistence/messages/incoming.repository';
import { OptOutRepository, type OptRequestTime } from '@app/persistence/messages/opt-out.repository';
import { Injectable } from '@nestjs/common';
import { EventNotifier } from '../events/event-notifier.service';

/** The word of the history for an opt-out that the provider told of; the customer's own word is `USER`. */
const BY_PROVIDER = 'PROVIDER';

/**
 * Customers who told the provider to be left alone: by its own control, or as it says when it refuses a message. The
 * dialog, opened where there is none, is marked and the agent silenced once for each report, however often that comes; only the customer's own
 * START undoes it.
 */
@Injectable()
export class OptOuts {
  constructor(
    private readonly optOuts: OptOutRepository,
    private readonly eventNotifier: EventNotifier,
  ) {}

  /** The provider refused a message because its customer has opted out. @param optRequest when, at the latest */
  async toldByRefusal(
    at: ReceivingNumber,
    threadId: string,
    messageId: string,
    optRequest: OptRequestTime,
  ): Promise<void> {
    const mark = markOf('refusal', messageId);
    if (await this.optOuts.optOutThread(at, threadId, optRequest, mark, BY_PROVIDER))
      this.eventNotifier.notify();
  }

  /** The customer used the provider's control. @param report what tells this use from any other */
  async toldByControl(
    at: ReceivingNumber,
    customer: ThreadAddress,
    optRequest: OptRequestTime,
    report: readonly string[],
  ): Promise<void> {
    const mark = markOf('control', at.botId, at.channel, customer.contact, ...report);
    if (await this.optOuts.optOutCustomer(at, customer, optRequest, mark, BY_PROVIDER))
      this.eventNotifier.notify();
  }
}

const markOf = (...words: readonly string[]): Buffer => hash('sha256', JSON.stringify(words), 'buffer');
