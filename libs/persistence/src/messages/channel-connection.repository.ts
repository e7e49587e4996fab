import type { Channel } from '@app/contracts/message.words';
import { Injectable } from '@nestjs/common';
import type { BotChannelEntity } from '../bots/bot-channel.entity';
import { isConnected } from '../bots/connection.rules';
import { Database, type PreparedStatement } from '../database/database.service';

/** Everything needed to send by a number of a bot. The credential is still sealed. */
export type ConnectedChannelRow = Pick<BotChannelEntity, 'sender' | 'settings' | 'messages_per_second'> & {
  credential_key_id: string;
  credential: Buffer;
};

export interface SenderOwner {
  accountId: string;
  botId: string;
}

const FIND: PreparedStatement = {
  name: 'channel-connection-find',
  text: `SELECT sender, settings, credential_key_id, credential, messages_per_second FROM bot_channels
          WHERE account_id = $1 AND bot_id = $2 AND channel = $3 AND ${isConnected('bot_channels')}`,
};

/** A number that was disconnected here and connected elsewhere belongs to the latter. */
const BY_SENDER: PreparedStatement = {
  name: 'channel-connection-by-sender',
  text: `SELECT account_id AS "accountId", bot_id AS "botId" FROM bot_channels WHERE channel = $1 AND sender = $2
          ORDER BY credential IS NULL, created_at DESC LIMIT 1`,
};

/** Numbers of bots, for sending and webhooks. */
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

  /** The owner of a number, connected or not. Searched across accounts, because a webhook names only the number. */
  async findBySender(channel: Channel, sender: string): Promise<SenderOwner | null> {
    const [row] = await this.database.run<SenderOwner>(BY_SENDER, [channel, sender]);
    return row ?? null;
  }
}
