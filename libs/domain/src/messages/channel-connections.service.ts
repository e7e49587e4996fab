import type { Channel } from '@app/contracts/message.words';
import {
  ChannelConnectionRepository,
  type SenderOwner,
} from '@app/persistence/messages/channel-connection.repository';
import { Injectable } from '@nestjs/common';
import { boundTo, ChannelCipher } from './channel-cipher.port';
import type { ChannelConnection } from './message-sender.port';

/** A number that can send now. */
export interface OpenChannel {
  connection: ChannelConnection;
  /** How many messages a second the provider takes from it. */
  messagesPerSecond: number;
}

/** Where a number has no rate of its own: 20 is fixed for a number that is also on a phone, 80 is what others begin with. */
const MESSAGES_PER_SECOND: Record<Channel, number> = { waba_coexistence: 20, waba: 80 };

/** The number is connected, but its credential does not open: it was sealed by another key, or for another number. */
export class SealedCredentialError extends Error {
  constructor(cause: unknown) {
    super('The credential of a number does not open.', { cause });
  }
}

/** The numbers by which bots send, and whose a number is. */
@Injectable()
export class ChannelConnections {
  constructor(
    private readonly channels: ChannelConnectionRepository,
    private readonly cipher: ChannelCipher,
  ) {}

  /**
   * @returns null when the bot has no such channel, or it is disconnected or stopped.
   * @throws SealedCredentialError
   */
  async find(accountId: string, botId: string, channel: Channel): Promise<OpenChannel | null> {
    const row = await this.channels.findConnected(accountId, botId, channel);
    if (!row) return null;
    const { sender, settings, credential_key_id: keyId, credential: sealed } = row;
    const credential = this.open(keyId, sealed, boundTo(accountId, botId, channel));
    return {
      connection: { accountId, botId, channel, sender, settings, credential },
      messagesPerSecond: row.messages_per_second ?? MESSAGES_PER_SECOND[channel],
    };
  }

  private open(keyId: string, sealed: Buffer, bound: string): string {
    try {
      return this.cipher.open(keyId, sealed, bound);
    } catch (error) {
      throw new SealedCredentialError(error);
    }
  }

  /** Whose number it is, over all accounts: for webhooks, which name the number alone. */
  async bySender(channel: Channel, sender: string): Promise<SenderOwner | null> {
    return this.channels.findBySender(channel, sender);
  }
}
