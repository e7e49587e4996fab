import { Injectable } from '@nestjs/common';
import type { OpenChannel } from '../messages/sending/channel-connections.service';
import { MessageSenders } from '../messages/dispatch/message-sender.port';

/** Shows the customer that their message was read and is being answered. */
@Injectable()
export class Typing {
  constructor(private readonly senders: MessageSenders) {}

  /**
   * Best effort, not awaited.
   * @param providerId of the customer's message, where it is known
   */
  show({ connection }: OpenChannel, providerId: string | null): void {
    if (providerId === null) return;
    this.senders
      .of(connection.channel)
      .markRead(connection, providerId, true)
      .catch(() => undefined);
  }
}
