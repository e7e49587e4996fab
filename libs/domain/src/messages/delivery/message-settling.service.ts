import type { Message } from '@app/contracts/message.words';
import { idOrNothing } from '@app/contracts/uuid.format';
import {
  MessageSettlingRepository,
  type FoundOutcome,
} from '@app/persistence/messages/delivery/message-settling.repository';
import { Injectable } from '@nestjs/common';
import { callOf, setterOf, sendingVisibilityOf, type Principal } from '../../accounts/principal.rules';
import { EventNotifier } from '../../events/event-notifier.service';
import { MessageNotFoundError } from '../dialog/message.errors';
import { presentMessage } from '../dialog/message.presenter';

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
