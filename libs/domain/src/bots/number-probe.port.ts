import type { Channel } from '@app/contracts/message.words';
import type { ChannelConnection } from '../messages/message-sender.port';

/** What a provider says about a number when it is asked with the stored credential. */
export type NumberReading =
  /** `number`: the phone with its plus; null where the provider does not name it. */
  | { ok: true; number: string | null }
  /** `response`: the provider's own words; null where it gave none. */
  | { ok: false; problem: string; response: unknown };

/** Asks a provider about a number by a request that changes and sends nothing. */
export abstract class NumberProbe {
  abstract readonly channels: readonly Channel[];

  /** Never throws because of the network or the provider. */
  abstract read(connection: ChannelConnection): Promise<NumberReading>;
}

/** The adapter of each channel. */
export abstract class NumberProbes {
  abstract of(channel: Channel): NumberProbe;
}
