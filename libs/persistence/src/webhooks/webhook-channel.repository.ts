import type { Channel } from '@app/contracts/message.words';
import { Injectable } from '@nestjs/common';
import { Database, type PreparedStatement } from '../database/database.service';

export interface ChannelOfBot {
  accountId: string;
  botId: string;
}

/** The numbers that a report is about: one, all of a bot, or all of a business account. */
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

/** $1 channel $2 sender $3 bot $4 business account: the first of them that is given */
const MEANT = `channel = $1 AND CASE WHEN $2::text IS NOT NULL THEN sender = $2::text
  WHEN $3::uuid IS NOT NULL THEN bot_id = $3::uuid ELSE settings ->> 'waba_id' = $4::text END`;

const ACCOUNTS: PreparedStatement = {
  name: 'webhook-channel-accounts',
  text: `SELECT DISTINCT account_id AS "accountId" FROM bot_channels WHERE ${MEANT}`,
};

/**
 * Changes the numbers that a report is about, unless it was applied to their account before, or a newer one was
 * applied to them. Of the same second both apply, because providers send whole seconds. A report without a time
 * counts as the newest. $5 the report's time $6 its mark
 */
const reported = (assignments: string): string => `
  WITH meant AS MATERIALIZED (
    SELECT account_id, bot_id, channel FROM bot_channels WHERE ${MEANT} ORDER BY account_id, bot_id FOR NO KEY UPDATE),
  marked AS (
    INSERT INTO webhook_marks (account_id, mark) SELECT DISTINCT account_id, $6::bytea FROM meant ORDER BY account_id
    ON CONFLICT DO NOTHING RETURNING account_id)
  UPDATE bot_channels c
     SET revision = c.revision + 1, reported_at = greatest(c.reported_at, least($5::timestamptz, clock_timestamp())), ${assignments}
    FROM meant m JOIN marked k ON k.account_id = m.account_id
   WHERE c.account_id = m.account_id AND c.bot_id = m.bot_id AND c.channel = m.channel
     AND ($5::timestamptz IS NULL OR c.reported_at IS NULL OR $5 >= date_trunc('second', c.reported_at))`;

/**
 * A stop without an end replaces one with an end, and of two ends the later one counts. $7 reason $8 end, null: none
 */
const STOP: PreparedStatement = {
  name: 'webhook-channel-stop',
  text: reported(`
         -- What is queued fails now, not when the pause is over.
         paused_until = NULL, stopped_at = coalesce(c.stopped_at, clock_timestamp()),
         stopped_reason = CASE WHEN c.stopped_at IS NULL OR c.stopped_until IS NOT NULL THEN $7::text ELSE c.stopped_reason END,
         stopped_until = CASE WHEN c.stopped_at IS NULL OR c.stopped_until IS NOT NULL AND $8::timestamptz IS NOT NULL
                              THEN greatest($8::timestamptz, c.stopped_until) END`),
};

const RESUME: PreparedStatement = {
  name: 'webhook-channel-resume',
  text: reported('stopped_at = NULL, stopped_reason = NULL, stopped_until = NULL'),
};

/** A report's identity and order. */
export interface ReportOfNumbers {
  /** By the provider's clock; null where it has no time. */
  at: Date | null;
  mark: Buffer;
}

/** Numbers of bots as providers name them. Searched across accounts, because a webhook names no account. */
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

  /** The provider accepts nothing from these numbers any more, or until a time. */
  async stop(
    meant: NumbersMeant,
    { at, mark }: ReportOfNumbers,
    { reason, until }: { reason: string; until: Date | null },
  ): Promise<void> {
    await this.database.run(STOP, [...valuesOf(meant), at, mark, reason, until]);
  }

  /** The provider accepts messages from them again. */
  async resume(meant: NumbersMeant, { at, mark }: ReportOfNumbers): Promise<void> {
    await this.database.run(RESUME, [...valuesOf(meant), at, mark]);
  }
}

const valuesOf = ({ channel, sender, botId, businessId }: NumbersMeant): unknown[] => [
  channel,
  sender,
  botId,
  businessId,
];
