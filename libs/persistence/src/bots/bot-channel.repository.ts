import type { Channel } from '@app/contracts/message.words';
import { Injectable } from '@nestjs/common';
import { violatedIndex } from '../database/database.errors';
import { Database, type PreparedStatement } from '../database/database.service';

export interface NumberOfBot {
  accountId: string;
  botId: string;
  channel: Channel;
  sender: string;
  settings: Readonly<Record<string, string>>;
  /** Null: the one that is there stays. */
  credential: { keyId: string; sealed: Buffer } | null;
  messagesPerSecond: number | null;
}

export type ConnectOutcome = 'connected' | 'sender_taken' | 'credential_missing';

/**
 * What stopped the channel has been mended by hand. A pause was asked for by the provider of the former number, or is
 * that of a credential that did not open: it ends with another number or credential.
 */
const CONNECT: PreparedStatement = {
  name: 'bot-channel-connect',
  text: `
  INSERT INTO bot_channels AS c (account_id, bot_id, channel, sender, settings, credential_key_id, credential, messages_per_second)
  SELECT $1, $2, $3, $4, $5, $6, $7, $8
   WHERE $7::bytea IS NOT NULL OR EXISTS (
     SELECT FROM bot_channels WHERE account_id = $1 AND bot_id = $2 AND channel = $3 AND credential IS NOT NULL)
  ON CONFLICT (account_id, bot_id, channel) DO UPDATE
     SET sender = EXCLUDED.sender, settings = EXCLUDED.settings, messages_per_second = EXCLUDED.messages_per_second,
         credential_key_id = coalesce(EXCLUDED.credential_key_id, c.credential_key_id),
         credential = coalesce(EXCLUDED.credential, c.credential),
         stopped_at = NULL, stopped_reason = NULL, stopped_until = NULL, revision = c.revision + 1,
         reported_at = CASE WHEN c.sender = EXCLUDED.sender THEN c.reported_at END,
         paused_until = CASE WHEN c.sender = EXCLUDED.sender AND EXCLUDED.credential IS NULL THEN c.paused_until END
   WHERE coalesce(EXCLUDED.credential, c.credential) IS NOT NULL
  RETURNING channel`,
};

const DISCONNECT: PreparedStatement = {
  name: 'bot-channel-disconnect',
  text: `UPDATE bot_channels
            SET credential = NULL, credential_key_id = NULL, stopped_at = NULL, stopped_reason = NULL, stopped_until = NULL,
                paused_until = NULL, revision = revision + 1
          WHERE account_id = $1 AND bot_id = $2 AND channel = $3`,
};

/** Numbers of bots, as they are connected and disconnected. */
@Injectable()
export class BotChannelRepository {
  constructor(private readonly database: Database) {}

  /** Connects a number to a bot's channel, or changes the one that is there; ends a stop. */
  async connect(number: NumberOfBot): Promise<ConnectOutcome> {
    const { accountId, botId, channel, sender, settings, credential, messagesPerSecond } = number;
    const secret = [credential?.keyId ?? null, credential?.sealed ?? null];
    const values = [accountId, botId, channel, sender, settings, ...secret, messagesPerSecond];
    try {
      const rows = await this.database.run(CONNECT, values);
      return rows.length > 0 ? 'connected' : 'credential_missing';
    } catch (error) {
      if (violatedIndex(error) === 'bot_channels_sender') return 'sender_taken';
      throw error;
    }
  }

  /** Forgets the credential. The row stays: dialogs, messages and templates are of it. */
  async disconnect(accountId: string, botId: string, channel: Channel): Promise<void> {
    await this.database.run(DISCONNECT, [accountId, botId, channel]);
  }
}
