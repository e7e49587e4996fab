import type { Channel } from '@app/contracts/message.words';
import { Injectable } from '@nestjs/common';
import { Database, type PreparedStatement } from '../database/database.service';

export interface ChannelOfBot {
  accountId: string;
  botId: string;
}

/** Which numbers a provider speaks of: one, all of a bot, or all of a business account. */
export interface NumbersMeant {
  channel: Channel;
  sender: string | null;
  botId: string | null;
  businessId: string | null;
}

const OF_BOT: PreparedStatement = {
  name: 'webhook-channel-of-bot',
  text: `SELECT c.account_id AS "accountId", c.bot_id AS "botId"
           FROM bots b JOIN bot_channels c ON c.account_id = b.account_id AND c.bot_id = b.id
          WHERE b.id = $1 AND c.channel = $2 ORDER BY c.credential IS NULL, c.created_at DESC LIMIT 1`,
};

/** $1 channel $2 sender $3 bot $4 business account, the first of them that is given */
const MEANT = `channel = $1 AND CASE WHEN $2::text IS NOT NULL THEN sender = $2::text
  WHEN $3::uuid IS NOT NULL THEN bot_id = $3::uuid ELSE settings ->> 'waba_id' = $4::text END`;

const ACCOUNTS: PreparedStatement = {
  name: 'webhook-channel-accounts',
  text: `SELECT DISTINCT account_id AS "accountId" FROM bot_channels WHERE ${MEANT}`,
};

const STOP: PreparedStatement = {
  name: 'webhook-channel-stop',
  text: `UPDATE bot_channels SET stopped_at = clock_timestamp(), stopped_reason = $5::text
          WHERE ${MEANT} AND stopped_at IS NULL`,
};

const RESUME: PreparedStatement = {
  name: 'webhook-channel-resume',
  text: `UPDATE bot_channels SET stopped_at = NULL, stopped_reason = NULL WHERE ${MEANT} AND stopped_at IS NOT NULL`,
};

/** Numbers of bots as providers name them: across accounts, for a webhook names no account. */
@Injectable()
export class WebhookChannelRepository {
  constructor(private readonly database: Database) {}

  /** @returns null when there is no such bot, or it has no such channel. */
  async ofBot(botId: string, channel: Channel): Promise<ChannelOfBot | null> {
    const [row] = await this.database.run<ChannelOfBot>(OF_BOT, [botId, channel]);
    return row ?? null;
  }

  async accountsOf(meant: NumbersMeant): Promise<string[]> {
    const rows = await this.database.run<{ accountId: string }>(ACCOUNTS, valuesOf(meant));
    return rows.map(({ accountId }) => accountId);
  }

  /** The provider takes nothing from these numbers any more. */
  async stop(meant: NumbersMeant, reason: string): Promise<void> {
    await this.database.run(STOP, [...valuesOf(meant), reason]);
  }

  /** The provider takes messages from them again. */
  async resume(meant: NumbersMeant): Promise<void> {
    await this.database.run(RESUME, valuesOf(meant));
  }
}

const valuesOf = ({ channel, sender, botId, businessId }: NumbersMeant): unknown[] => [
  channel,
  sender,
  botId,
  businessId,
];
