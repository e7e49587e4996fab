import type { Channel } from '@app/contracts/message.words';
import {
  ChannelConnectionRepository,
  type ConnectedChannelRow,
  type SenderOwner,
} from '@app/persistence/messages/sending/channel-connection.repository';
import { Injectable, Logger } from '@nestjs/common';
import { SecretCipher } from '../../accounts/secret-cipher.port';
import { ChannelNotConnectedError, CredentialSealedError } from '../dialog/message.errors';
import type { ChannelConnection } from '../dispatch/message-sender.port';

/** The owner of a number's sealed credential: it cannot be opened for another bot or channel. */
export const boundTo = (accountId: string, botId: string, channel: Channel): string =>
  `${accountId}/${botId}/${channel}`;

/** The same of the app secret beside it: neither opens in the place of the other. */
export const appSecretBoundTo = (accountId: string, botId: string, channel: Channel): string =>
  `${boundTo(accountId, botId, channel)}/app_secret`;

/** A number that can send now. */
export interface OpenChannel {
  connection: ChannelConnection;
  /** How many messages a second the provider accepts from it. */
  messagesPerSecond: number;
}

/** For numbers without a setting: 20 is fixed for a number that is also on a phone, 80 is the default of others. */
const MESSAGES_PER_SECOND: Record<Channel, number> = { waba_coexistence: 20, waba: 80 };

/**
 * The number is connected, but its credential cannot be opened: it was sealed with another key, or for another
 * number.
 */
export class SealedCredentialError extends Error {
  constructor(cause: unknown) {
    super('The credential of a number does not open', { cause });
  }
}

/** The numbers by which bots send, and which bot has a number. */
@Injectable()
export class ChannelConnections {
  private readonly logger = new Logger(ChannelConnections.name);

  constructor(
    private readonly channels: ChannelConnectionRepository,
    private readonly cipher: SecretCipher,
  ) {}

  /**
   * For a worker. Does not wait behind the account's calls.
   * @returns null when the bot has no such channel, or it is disconnected or stopped.
   * @throws SealedCredentialError
   */
  async findForWork(accountId: string, botId: string, channel: Channel): Promise<OpenChannel | null> {
    const row = await this.channels.findForWork(accountId, botId, channel);
    return row && this.opened(row, accountId, botId, channel);
  }

  /**
   * For a caller that names the channel in its request.
   * @param path the field of the request that leads to the channel
   * @throws ChannelNotConnectedError, CredentialSealedError
   */
  async require(accountId: string, botId: string, channel: Channel, path?: string): Promise<OpenChannel> {
    try {
      const row = await this.channels.findConnected(accountId, botId, channel);
      if (row) return this.opened(row, accountId, botId, channel);
    } catch (error) {
      if (!(error instanceof SealedCredentialError)) throw error;
      // An operator must learn of it: perhaps the former key only has to be set again.
      this.logger.error(
        { err: error, bot_id: botId, channel },
        'A number cannot send, for its credential does not open.',
      );
      throw new CredentialSealedError(path);
    }
    throw new ChannelNotConnectedError(path);
  }

  /** @throws SealedCredentialError */
  private opened(row: ConnectedChannelRow, accountId: string, botId: string, channel: Channel): OpenChannel {
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

  /** The owner of a number, searched over all accounts, because webhooks name only the number. */
  async bySender(channel: Channel, sender: string): Promise<SenderOwner | null> {
    return this.channels.findBySender(channel, sender);
  }
}
