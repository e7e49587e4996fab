import type { Channel } from '@app/contracts/message.words';
import { Injectable } from '@nestjs/common';
import type { BotChannelEntity } from '../bots/bot-channel.entity';
import { Database } from '../database/database.service';
import type { CamelCased } from '../database/row.types';
import { statement } from '../database/sql.statement';
import { appendTroubles } from '../bots/trouble.fragments';
import { ownerOfNumber, type SenderOwner } from '../messages/channel-connection.repository';

export type ChannelOfBot = CamelCased<Pick<BotChannelEntity, 'account_id' | 'bot_id'>>;

/** The numbers that a report is about: one, all of a bot, or all of a business account. */
export interface NumbersMeant {
  channel: Channel;
  sender: string | null;
  botId: string | null;
  businessId: string | null;
}

const OF_BOT = statement('webhook-channel-of-bot')
  .takes('botId', 'channel')
  .returns<SenderOwner>(
    `SELECT ${ownerOfNumber('c')}
     FROM bots b JOIN bot_channels c ON c.account_id = b.account_id AND c.bot_id = b.id
     JOIN accounts a ON a.id = b.account_id
    WHERE b.id = :botId AND c.channel = :channel ORDER BY c.credential IS NULL, c.created_at DESC LIMIT 1`,
  );

/** By the sender, the bot or the business account, the first of them that is given. */
const MEANT = `channel = :channel AND CASE WHEN :sender::text IS NOT NULL THEN sender = :sender::text
  WHEN :botId::uuid IS NOT NULL THEN bot_id = :botId::uuid ELSE settings ->> 'waba_id' = :businessId::text END`;
const NUMBERS = [
  'channel',
  'sender',
  'botId',
  'businessId',
] as const satisfies readonly (keyof NumbersMeant)[];

const ACCOUNTS = statement('webhook-channel-accounts')
  .takes(...NUMBERS)
  .returns<Pick<ChannelOfBot, 'accountId'>>(
    `SELECT DISTINCT account_id AS "accountId" FROM bot_channels WHERE ${MEANT}`,
  );

/**
 * Changes the numbers that a report is about, unless it was applied to their account before, or a newer one was
 * applied to them. Of the same second both apply, because providers send whole seconds. A report without a time
 * counts as the newest.
 * @param tell tells of the numbers `turned`: those that are in trouble by it, or no longer
 */
const reported = (assignments: string, tell: string): string => `
  WITH meant AS MATERIALIZED (
    SELECT account_id, bot_id, channel, trouble_code AS was FROM bot_channels
     WHERE ${MEANT} ORDER BY account_id, bot_id FOR NO KEY UPDATE),
  marked AS (
    INSERT INTO webhook_marks (account_id, mark) SELECT DISTINCT account_id, :mark::bytea FROM meant ORDER BY account_id
    ON CONFLICT DO NOTHING RETURNING account_id),
  timed AS MATERIALIZED (
    SELECT m.*, clock_timestamp() AS now FROM meant m JOIN marked k ON k.account_id = m.account_id),
  changed AS (
    UPDATE bot_channels c
       SET revision = c.revision + 1, reported_at = greatest(c.reported_at, least(:at::timestamptz, m.now)), ${assignments}
      FROM timed m
     WHERE c.account_id = m.account_id AND c.bot_id = m.bot_id AND c.channel = m.channel
       AND (:at::timestamptz IS NULL OR c.reported_at IS NULL OR :at >= date_trunc('second', c.reported_at))
    RETURNING c.account_id, c.bot_id, c.channel, c.trouble_code, m.was),
  turned AS (
    SELECT account_id, bot_id, channel, 'STOPPED' AS code FROM changed
     WHERE trouble_code IS DISTINCT FROM was AND 'STOPPED' IN (trouble_code, was)),
  told AS (${tell})
  SELECT count(*)::int AS told FROM told`;

/** How many numbers are told of. */
interface ToldNumbers {
  told: number;
}

/** A stop without an end outlasts one that has an end, and of two ends the later one counts. */
const STOP = statement('webhook-channel-stop')
  .takes(...NUMBERS, 'at', 'mark', 'reason', 'until')
  .returns<ToldNumbers>(
    reported(
      `
         -- What is queued fails now, not when the pause is over.
         paused_until = NULL, stopped_at = coalesce(c.stopped_at, m.now),
         stopped_reason = CASE WHEN c.stopped_at IS NULL OR c.stopped_until IS NOT NULL THEN :reason::text ELSE c.stopped_reason END,
         stopped_until = CASE WHEN c.stopped_at IS NULL OR c.stopped_until IS NOT NULL AND :until::timestamptz IS NOT NULL
                              THEN greatest(:until::timestamptz, c.stopped_until) END,
         trouble_code = CASE WHEN c.credential IS NOT NULL THEN 'STOPPED' ELSE c.trouble_code END,
         trouble_at = CASE WHEN c.credential IS NOT NULL AND c.trouble_code IS DISTINCT FROM 'STOPPED' THEN m.now
                           ELSE c.trouble_at END`,
      appendTroubles('turned', `'The provider has closed the number: ' || :reason::text || '.'`),
    ),
  );

const RESUME = statement('webhook-channel-resume')
  .takes(...NUMBERS, 'at', 'mark')
  .returns<ToldNumbers>(
    reported(
      `stopped_at = NULL, stopped_reason = NULL, stopped_until = NULL, trouble_code = nullif(c.trouble_code, 'STOPPED'),
         trouble_at = CASE WHEN c.trouble_code <> 'STOPPED' THEN c.trouble_at END`,
      appendTroubles('turned', null),
    ),
  );

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
  async ofBot(botId: string, channel: Channel): Promise<SenderOwner | null> {
    const [row] = await this.database.run(OF_BOT, { botId, channel });
    return row ?? null;
  }

  async accountsOf(meant: NumbersMeant): Promise<string[]> {
    const rows = await this.database.run(ACCOUNTS, { ...meant });
    return rows.map(({ accountId }) => accountId);
  }

  /** The provider accepts nothing from these numbers any more, or until a time. @returns whether that was told */
  async stop(
    meant: NumbersMeant,
    { at, mark }: ReportOfNumbers,
    { reason, until }: { reason: string; until: Date | null },
  ): Promise<boolean> {
    const [row] = await this.database.run(STOP, { ...meant, at, mark, reason, until });
    return (row?.told ?? 0) > 0;
  }

  /** The provider accepts messages from them again. @returns whether that was told */
  async resume(meant: NumbersMeant, { at, mark }: ReportOfNumbers): Promise<boolean> {
    const [row] = await this.database.run(RESUME, { ...meant, at, mark });
    return (row?.told ?? 0) > 0;
  }
}
