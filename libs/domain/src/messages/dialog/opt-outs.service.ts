import { hash } from 'node:crypto';
import type { ThreadAddress, ReceivingNumber } from '@app/persistence/messages/incoming/incoming.repository';
import { OptOutRepository, type OptRequestTime } from '@app/persistence/messages/incoming/opt-out.repository';
import { Injectable } from '@nestjs/common';
import { EventNotifier } from '../../events/event-notifier.service';

/** The history's words for who asked: the provider reported it, or the customer wrote it. */
const BY_PROVIDER = 'PROVIDER';
const BY_CUSTOMER = 'USER';

/**
 * Opt-outs that arrive other than as a new message: through the provider's control, a refused message, or an edit. Each
 * report marks the dialog and silences the agent once, however often it comes, and opens the dialog where there is none.
 * Only the customer's START undoes it.
 */
@Injectable()
export class OptOuts {
  constructor(
    private readonly optOuts: OptOutRepository,
    private readonly eventNotifier: EventNotifier,
  ) {}

  /**
   * The provider refused a message because its customer has opted out. @param optRequest the latest possible time of
   * the opt-out
   */
  async toldByRefusal(at: ReceivingNumber, messageId: string, optRequest: OptRequestTime): Promise<void> {
    const mark = markOf('refusal', messageId);
    if (await this.optOuts.optOutThreadOf(at, messageId, optRequest, mark, BY_PROVIDER))
      this.eventNotifier.notify(at.accountId);
  }

  /** The customer used the provider's control. @param report tells this use from others */
  async toldByControl(
    at: ReceivingNumber,
    customer: ThreadAddress,
    optRequest: OptRequestTime,
    report: readonly string[],
  ): Promise<void> {
    const mark = markOf('control', at.botId, at.channel, customer.contact, ...report);
    if (await this.optOuts.optOutCustomer(at, customer, optRequest, mark, BY_PROVIDER))
      this.eventNotifier.notify(at.accountId);
  }

  /**
   * The customer changed an earlier message into STOP, or one that had said it. @param editId the messenger's id of what
   * says it, the edit or the message
   */
  async toldByEdit(
    at: ReceivingNumber,
    customer: ThreadAddress,
    optRequest: OptRequestTime,
    editId: string,
  ): Promise<void> {
    const mark = markOf('edit', at.botId, at.channel, editId);
    if (await this.optOuts.optOutCustomer(at, customer, optRequest, mark, BY_CUSTOMER))
      this.eventNotifier.notify(at.accountId);
  }
}

const markOf = (...words: readonly string[]): Buffer => hash('sha256', JSON.stringify(words), 'buffer');
