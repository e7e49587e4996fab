import type { WebhookProvider } from '@app/persistence/webhooks/webhook-delivery.entity';
import { WebhookChannelRepository } from '@app/persistence/webhooks/webhook-channel.repository';
import { Injectable } from '@nestjs/common';
import { ChannelConnections } from '../messages/channel-connections.service';
import { ownOptWords } from './opt-out.words';
import type { NumberOfOurs } from './provider.events';
import { CHANNEL_OF, UnknownNumberError, type WebhookNumber, type WebhookSource } from './webhook.source';

/** Finds the numbers that a webhook is about. */
@Injectable()
export class WebhookSources {
  constructor(
    private readonly connections: ChannelConnections,
    private readonly channels: WebhookChannelRepository,
  ) {}

  /** The sources of webhooks that are processed together. Each of their numbers is looked up once. */
  together(): (provider: WebhookProvider, botId: string | null) => WebhookSource {
    const found = new Map<string, Promise<WebhookNumber>>();
    return (provider, botId) => {
      const receivingNumberOf = (number: NumberOfOurs): Promise<WebhookNumber> => {
        const key = JSON.stringify([provider, botId, number]);
        const receivingNumber = found.get(key) ?? this.find(provider, botId, number);
        found.set(key, receivingNumber);
        return receivingNumber;
      };
      return { provider, botId, receivingNumberOf };
    };
  }

  /** Where the address names a bot, the number is that bot's, whatever the body says. */
  private async find(
    provider: WebhookProvider,
    botId: string | null,
    number: NumberOfOurs,
  ): Promise<WebhookNumber> {
    const channel = CHANNEL_OF[provider];
    const owner =
      botId !== null
        ? await this.channels.ofBot(botId, channel)
        : number !== null && (await this.connections.bySender(channel, number));
    if (!owner) throw new UnknownNumberError(number ?? botId);
    const { optOutWords, optInWords, ...ids } = owner;
    return { ...ids, channel, optWords: ownOptWords(optOutWords, optInWords) };
  }
}
