import type { Channel } from '@app/contracts/message.words';
import type { ChannelConnection } from '../messages/dispatch/message-sender.port';

/** What a provider says about a number when it is asked with the stored credential. */
export type NumberReading =
  /** `number`: the phone with its plus; null where the provider does not name it. */
  | { ok: true; number: string | null }
  /** `response`: the provider's own words; null where it gave none. */
  | { ok: false; problem: string; response: unknown };

/** Whose a number is, as far as its provider says. */
export type NumberConfirmation =
  /** Of whoever has the credential. `number`: the phone with its plus; null where the provider does not name it. */
  | { kind: 'confirmed'; number: string | null }
  /** Not theirs, or the credential does not work. `message` goes on after "the number". */
  | { kind: 'denied'; message: string }
  /** The provider has not said: it could not be reached, has a fault, or is asked too often. */
  | { kind: 'unanswered'; message: string; response: unknown };

/** Asks a provider about a number by requests that change and send nothing. Never throws because of the network or the provider. */
export abstract class NumberProbe {
  abstract readonly channels: readonly Channel[];

  /** Whether the connection works. */
  abstract read(connection: ChannelConnection): Promise<NumberReading>;

  /** Whether the number is of the business account, or app, of the settings, and both are of who has the credential. */
  abstract confirm(connection: ChannelConnection): Promise<NumberConfirmation>;
}

/** The adapter of each channel. */
export abstract class NumberProbes {
  abstract of(channel: Channel): NumberProbe;
}
