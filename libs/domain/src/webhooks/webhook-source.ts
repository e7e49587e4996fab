import type { Channel } from '@app/contracts/message.words';
import type { ReceivingNumber } from '@app/persistence/messages/incoming/incoming.repository';
import type { WebhookProvider } from '@app/persistence/webhooks/webhook-delivery.entity';
import type { OwnOptWords } from './opt-out.words';
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
