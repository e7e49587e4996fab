import type { Channel } from '@app/contracts/message.words';
import { Injectable } from '@nestjs/common';
import { Database, type PreparedStatement } from '../database/database.service';

/** What is needed to send by a number of a bot; the credential still sealed. */
export interface ConnectedChannelRow {
  sender: string;
  settings: Record<string, string>;
  credential_key_id: string;
  credential: Buffer;
  messages_per_second: number | null;
}

export interface SenderOwner {
  accountId: string;
  botId: string;
}

/** Whether a row of `bot_channels` is stopped now; a stop may have an end. */
export const IS_STOPPED = '(stopped_at IS NOT NULL AND coalesce(stopped_until > clock_timestamp(), true))';

/** Whether it can send: it has a credential, and nothing stops it. */
export const IS_CONNECTED = `(credential IS NOT NULL AND NOT ${IS_STOPPED})`;

const FIND: PreparedStatement = {
  name: 'channel-connection-find',
  text: `SELECT sender, settings, credential_key_id, credential, messages_per_second FROM bot_channels
          WHERE account_id = $1 AND bot_id = $2 AND channel = $3 AND ${IS_CONNECTED}`,
};

/** A number that was disconnected here and connected there belongs to where it is connected. */
const BY_SENDER: PreparedStatement = {
  name: 'channel-connection-by-sender',
  text: `SELECT account_id AS "accountId", bot_id AS "botId" FROM bot_channels WHERE channel = $1 AND sender = $2
          ORDER BY credential IS NULL, created_at DESC LIMIT 1`,
};

/** Numbers of bots, as sending and webhooks need them. */
@Injectable()
export class ChannelConnectionRepository {
  constructor(private readonly database: Database) {}

  /** @returns null when the bot cannot send by the channel. */
  async findConnected(
    accountId: string,
    botId: string,
    channel: Channel,
  ): Promise<ConnectedChannelRow | null> {
    const values = [accountId, botId, channel];
    const [row] = await this.database.runFor<ConnectedChannelRow>(accountId, FIND, values);
    return row ?? null;
  }

  /** Whose number it is, connected or not: across accounts, for a webhook names the number alone. */
  async findBySender(channel: Channel, sender: string): Promise<SenderOwner | null> {
    const [row] = await this.database.run<SenderOwner>(BY_SENDER, [channel, sender]);
    return row ?? null;
  }
}
