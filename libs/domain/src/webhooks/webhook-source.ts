import type { Channel } from '@app/contracts/message.words';
import type { ReceivingNumber } from '@app/persistence/messages/incoming/incoming.repository';
import { WebhookChannelRepository } from '@app/persistence/webhooks/webhook-channel.repository';
import type {
  WebhookProvider,
  WebhookDeliveryEntity,
} from '@app/persistence/webhooks/webhook-delivery.entity';
import { Injectable } from '@nestjs/common';
import { ChannelConnections } from '../messages/sending/channel-connections.service';
import { type OwnOptWords, ownOptWords } from './opt-out.words';
import type { AccountReport, NumberOfOurs } from './provider-events';

/** A webhook names a number that no bot of ours has. */
export class UnknownNumberError extends Error {
  constructor(number: NumberOfOurs, message = explained(number)) {
    super(message);
  }
}

const explained = (number: NumberOfOurs): string =>
  number === null ? 'It does not say which number it is about.' : `No bot has the number ${number}.`;

/** A webhook of one business account names a number of another one. */
export class ForeignBusinessError extends UnknownNumberError {
  constructor(number: NumberOfOurs, businessId: string) {
    super(number, `The number ${number} is not of the business account ${businessId}, which tells of it.`);
  }
}

/** A webhook that a number's own app signed tells of another number. */
export class ForeignSignatureError extends UnknownNumberError {
  constructor(number: NumberOfOurs) {
    super(
      number,
      `The webhook is not signed for the number ${number}: another number's app secret signed it.`,
    );
  }
}

/** A report about an account of a provider's, or a number, that none of ours is of. */
export class UnmatchedReportError extends UnknownNumberError {
  constructor({ number, phone, businessId }: AccountReport) {
    const named = [
      number && `the number ${number}`,
      phone && `the phone ${phone}`,
      businessId && `the business account ${businessId}`,
    ];
    super(
      number,
      `No bot has a number of this report: ${named.filter(Boolean).join(', ') || 'it names none'}.`,
    );
  }
}

/** The channel of a provider's webhooks. */
export const CHANNEL_OF: Record<WebhookProvider, Channel> = { cloud: 'waba_coexistence', gupshup: 'waba' };

/** A number of ours, with what its account says of messages to it. */
export interface WebhookNumber extends ReceivingNumber {
  optWords: OwnOptWords;
}

/** Where a webhook came from. */
export interface WebhookSource {
  provider: WebhookProvider;
  /** The bot of the address; null where the body names the number. */
  botId: string | null;
  /** The identities of the numbers of which alone it may tell; null: its signature limits it to none. */
  signedFor: readonly string[] | null;
  /**
   * The number that an event is about.
   * @throws UnknownNumberError
   */
  receivingNumberOf(number: NumberOfOurs): Promise<WebhookNumber>;
  /** The same for what a business account tells, which is believed about its own numbers only. */
  within(businessId: string | null): WebhookSource;
}

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
