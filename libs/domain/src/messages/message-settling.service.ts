import type { Message } from '@app/contracts/message.words';
import { idOrNothing } from '@app/contracts/uuid.format';
import {
  MessageSettlingRepository,
  type FoundOutcome,
} from '@app/persistence/messages/message-settling.repository';
import { Injectable } from '@nestjs/common';
import { actorOf, visibilityOf, type Principal } from '../accounts/principal.rules';
import { EventNotifier } from '../events/event-notifier.service';
import { MessageNotFoundError } from './message.errors';
import { presentMessage } from './message.presenter';

const BY_HAND = 'A person found that it did not go out.';

/** Messages of which the machine will never know whether the provider took them. */
@Injectable()
export class MessageSettling {
  constructor(
    private readonly messages: MessageSettlingRepository,
    private readonly eventNotifier: EventNotifier,
  ) {}

  /**
   * Says what became of an unknown message. One that is not unknown stays as it is; what the provider reports later
   * moves it on as ever.
   * @throws MessageNotFoundError
   */
  async settle(
    by: Principal,
    id: string,
    outcome: FoundOutcome['status'],
  ): Promise<Message & { changed: boolean }> {
    const row = await this.messages.settle(
      { ...visibilityOf(by), botIds: by.botIds },
      {
        messageId: idOrNothing(id),
        status: outcome,
        reason: outcome === 'failed' ? BY_HAND : null,
        by: 'SYSTEM',
        actor: actorOf(by),
      },
    );
    if (!row) throw new MessageNotFoundError();
    if (row.changed) this.eventNotifier.notify();
    return { ...presentMessage(row), changed: row.changed };
  }
}
