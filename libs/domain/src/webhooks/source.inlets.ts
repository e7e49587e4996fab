import type { Inlet } from '@app/persistence/messages/incoming.repository';
import type { WebhookProvider } from '@app/persistence/webhooks/webhook-delivery.repository';
import { WebhookChannelRepository } from '@app/persistence/webhooks/webhook-channel.repository';
import { Injectable } from '@nestjs/common';
import { ChannelConnections } from '../messages/channel-connections.service';
import type { NumberOfOurs } from './provider.events';
import { CHANNEL_OF, UnknownNumberError, type WebhookSource } from './webhook.source';

/** Finds whose numbers a webhook is about. */
@Injectable()
export class SourceInlets {
  constructor(
    private readonly connections: ChannelConnections,
    private readonly channels: WebhookChannelRepository,
  ) {}

  /** The source of one webhook, which asks for each of its numbers once. */
  sourceOf(provider: WebhookProvider, botId: string | null): WebhookSource {
    const found = new Map<NumberOfOurs, Promise<Inlet>>();
    const inletOf = (number: NumberOfOurs): Promise<Inlet> => {
      const inlet = found.get(number) ?? this.find(provider, botId, number);
      found.set(number, inlet);
      return inlet;
    };
    return { provider, botId, inletOf };
  }

  /** Where the address names a bot, it says whose number it is, whatever the body calls that. */
  private async find(provider: WebhookProvider, botId: string | null, number: NumberOfOurs): Promise<Inlet> {
    const channel = CHANNEL_OF[provider];
    const owner =
      botId !== null
        ? await this.channels.ofBot(botId, channel)
        : number !== null && (await this.connections.bySender(channel, number));
    if (!owner) throw new UnknownNumberError(number ?? botId);
    return { accountId: owner.accountId, botId: owner.botId, channel };
  }
}
