import type {
  WebhookDeliveryEntity,
  WebhookProvider,
} from '@app/persistence/webhooks/webhook-delivery.entity';
import { WebhookChannelRepository } from '@app/persistence/webhooks/webhook-channel.repository';
import { Injectable } from '@nestjs/common';
import { ChannelConnections } from '../messages/sending/channel-connections.service';
import { ownOptWords } from './opt-out.words';
import type { NumberOfOurs } from './provider-events';
import {
  CHANNEL_OF,
  ForeignBusinessError,
  ForeignSignatureError,
  UnknownNumberError,
  type WebhookNumber,
  type WebhookSource,
} from './webhook-source';

/** A number, and the business account that it belongs to; null: its address or its bot says enough. */
interface OwnedNumber {
  number: WebhookNumber;
  businessId: string | null;
  identity: string;
}

/** What a stored webhook says of where it came from. */
export type WebhookOrigin = Pick<WebhookDeliveryEntity, 'provider' | 'bot_id' | 'signed_for'>;

/** Finds the numbers that a webhook is about. */
@Injectable()
export class WebhookSources {
  constructor(
    private readonly connections: ChannelConnections,
    private readonly channels: WebhookChannelRepository,
  ) {}

  /** The sources of webhooks that are processed together. Each of their numbers is looked up once. */
  together(): (origin: WebhookOrigin) => WebhookSource {
    const found = new Map<string, Promise<OwnedNumber>>();
    const ownedBy = (
      provider: WebhookProvider,
      botId: string | null,
      number: NumberOfOurs,
    ): Promise<OwnedNumber> => {
      const key = JSON.stringify([provider, botId, number]);
      const owned = found.get(key) ?? this.find(provider, botId, number);
      found.set(key, owned);
      return owned;
    };
    const sourceOf = (origin: WebhookOrigin, business: string | null): WebhookSource => {
      const { provider, bot_id: botId, signed_for: signedFor } = origin;
      return {
        provider,
        botId,
        signedFor,
        receivingNumberOf: async (number) => {
          const owned = await ownedBy(provider, botId, number);
          if (signedFor !== null && !signedFor.includes(owned.identity))
            throw new ForeignSignatureError(number);
          if (business !== null && owned.businessId !== null && owned.businessId !== business)
            throw new ForeignBusinessError(number, business);
          return owned.number;
        },
        within: (businessId) => sourceOf(origin, businessId),
      };
    };
    return (origin) => sourceOf(origin, null);
  }

  /** Where the address names a bot, the number is that bot's, whatever the body says. */
  private async find(
    provider: WebhookProvider,
    botId: string | null,
    number: NumberOfOurs,
  ): Promise<OwnedNumber> {
    const channel = CHANNEL_OF[provider];
    const owner =
      botId !== null
        ? await this.channels.ofBot(botId, channel)
        : number !== null && (await this.connections.bySender(channel, number));
    if (!owner) throw new UnknownNumberError(number ?? botId);
    const { optOutWords, optInWords, businessId, identity, ...ids } = owner;
    const found = { ...ids, channel, optWords: ownOptWords(optOutWords, optInWords) };
    return { number: found, businessId: botId === null ? businessId : null, identity };
  }
}
