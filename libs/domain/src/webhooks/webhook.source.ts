import type { Channel } from '@app/contracts/message.words';
import type { ReceivingNumber } from '@app/persistence/messages/incoming.repository';
import type { WebhookProvider } from '@app/persistence/webhooks/webhook-delivery.entity';
import type { OwnOptWords } from './opt-out.words';
import type { NumberOfOurs } from './provider.events';

/** A webhook names a number that no bot of ours has. */
export class UnknownNumberError extends Error {
  constructor(number: NumberOfOurs) {
    super(number === null ? 'It does not say which number it is about.' : `No bot has the number ${number}.`);
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
  /**
   * The number that an event is about.
   * @throws UnknownNumberError
   */
  receivingNumberOf(number: NumberOfOurs): Promise<WebhookNumber>;
}
