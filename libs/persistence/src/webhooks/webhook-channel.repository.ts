import type { Channel } from '@app/contracts/message.words';
import { Injectable } from '@nestjs/common';
import { type BotChannelEntity, identityOf } from '../bots/bot.entity';
import { Database } from '../database/database.service';
import type { CamelCased, OrNull } from '../database/row-types';
import { statement } from '../database/sql.statements';
import { appendTroubles } from '../bots/bot-trouble.repository';
import { tellBoardsOfNumbers } from '../events/event.statements';
import { contactIn } from '../messages/incoming/address.statements';
import { ownerOfNumber, type SenderOwner } from '../messages/sending/channel-connection.repository';

export type ChannelOfBot = CamelCased<Pick<BotChannelEntity, 'account_id' | 'bot_id'>>;

/** Whose templates a report is about: of an account, or of one bot alone. */
export type ReportedOwner = Pick<ChannelOfBot, 'accountId'> & OrNull<Pick<ChannelOfBot, 'botId'>>;

/**
 * The numbers that a report is about: those of a bot, or those of a business account, or of them one that is named by
 * its phone, or without a bot by its sender.
 */
export interface NumbersMeant {
  channel: Channel;
  sender: string | null;
  /** Digits. */
  phone: string | null;
  botId: string | null;
  businessId: string | null;
  /** Only of those with these identities; null: of all. */
  signedFor: readonly string[] | null;
}

const OF_BOT = statement('webhook-channel-of-bot')
  .takes('botId', 'channel')
  .returns<SenderOwner>(
    `SELECT ${ownerOfNumber('c')}
     FROM bots b JOIN bot_channels c ON c.account_id = b.account_id AND c.bot_id = b.id
     JOIN accounts a ON a.id = b.account_id
    WHERE b.id = :botId AND c.channel = :channel ORDER BY c.credential IS NULL, c.created_at DESC LIMIT 1`,
  );

/** By the bot, else by what is given of sender and business account. */
const amongMeant = (
  c: string,
): string => `${c}.channel = :channel AND CASE WHEN :botId::uuid IS NOT NULL THEN ${c}.bot_id = :botId::uuid
  ELSE coalesce(:sender::text, :businessId::text) IS NOT NULL
       AND (:sender::text IS NULL OR ${c}.sender = :sender::text)
       AND (:businessId::text IS NULL OR ${c}.settings ->> 'waba_id' = :businessId::text) END
  AND (:signedFor::text[] IS NULL OR ${identityOf(c)} = ANY (:signedFor::text[]))`;

const phoneOf = (c: string): string => `'+' || ltrim(coalesce(${c}.phone, ${c}.sender), '+')`;
const PHONE = `'+' || :phone::text`;

/** Of numbers `c`. By the phone, too, where it is given: as it is, and in another form only where none of them has it as it is. */
const MEANT = `${amongMeant('c')}
  AND (:phone::text IS NULL OR ${phoneOf('c')} = ${PHONE} OR ${contactIn(phoneOf('c'))} = ${contactIn(PHONE)}
       AND NOT EXISTS (SELECT 1 FROM bot_channels o WHERE ${amongMeant('o')} AND ${phoneOf('o')} = ${PHONE}))`;
const NUMBERS = [
  'channel',
  'sender',
  'phone',
  'botId',
  'businessId',
  'signedFor',
] as const satisfies readonly (keyof NumbersMeant)[];

const OWNERS = statement('webhook-channel-owners')
  .takes(...NUMBERS)
  .returns<ReportedOwner>(
    `SELECT DISTINCT account_id AS "accountId",
            CASE WHEN :botId::uuid IS NOT NULL OR :signedFor::text[] IS NOT NULL THEN bot_id END AS "botId"
       FROM bot_channels c WHERE ${MEANT}`,
  );

/** Connected numbers whose bots lack a template, or all where `any`. A draft of its name is not the provider's. */
const LACKING = statement('webhook-channel-lacking')
  .takes(...NUMBERS, 'any', 'providerId', 'name', 'language')
  .returns<ChannelOfBot>(
    `SELECT account_id AS "accountId", bot_id AS "botId" FROM bot_channels c
      WHERE ${MEANT} AND credential IS NOT NULL AND (:any OR NOT EXISTS (
        SELECT 1 FROM templates t
         WHERE t.account_id = c.account_id AND t.bot_id = c.bot_id AND t.channel = c.channel
           AND (t.provider_id = :providerId OR t.provider_id IS NULL AND t.status <> 'draft' AND t.name = :name
                AND t.language = replace(:language, '-', '_'))))
      ORDER BY account_id, bot_id`,
  );

const OUTCOME = `SELECT (SELECT count(*)::int FROM meant) AS meant, (SELECT count(*)::int FROM told) AS told`;

const MARKED = `
  INSERT INTO webhook_marks (account_id, mark) SELECT DISTINCT account_id, :mark::bytea FROM meant ORDER BY account_id
    ON CONFLICT DO NOTHING RETURNING account_id`;

/**
 * Changes the numbers that a report is about, unless it was applied to their account before, or a newer one was
 * applied to them. Of the same second both apply, because providers send whole seconds. A report without a time
 * counts as the newest.
 * @param tell tells of the numbers `turned`: those that are in trouble by it, or no longer
 */
const reported = (assignments: string, tell: string): string => `
  WITH meant AS MATERIALIZED (
    SELECT account_id, bot_id, channel, trouble_code AS was FROM bot_channels c
     WHERE ${MEANT} ORDER BY account_id, bot_id FOR NO KEY UPDATE),
  marked AS (${MARKED}),
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
  heard AS (${tellBoardsOfNumbers('turned')}),
  told AS (${tell})
  ${OUTCOME}`;

/** How many numbers of ours are meant, and how many are told of. */
export interface ReportOutcome {
  meant: number;
  told: number;
}

/** A stop without an end outlasts one that has an end, and of two ends the later one counts. */
const STOP = statement('webhook-channel-stop')
  .takes(...NUMBERS, 'at', 'mark', 'reason', 'until')
  .returns<ReportOutcome>(
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
  .returns<ReportOutcome>(
    reported(
      `stopped_at = NULL, stopped_reason = NULL, stopped_until = NULL, trouble_code = nullif(c.trouble_code, 'STOPPED'),
         trouble_at = CASE WHEN c.trouble_code <> 'STOPPED' THEN c.trouble_at END`,
      appendTroubles('turned', null),
    ),
  );

/** Tells of the connected numbers that a report is about, and changes nothing of them. */
const TELL = statement('webhook-channel-tell')
  .takes(...NUMBERS, 'mark', 'reason')
  .returns<ReportOutcome>(
    `
  WITH meant AS MATERIALIZED (
    SELECT account_id, bot_id, channel, credential IS NOT NULL AS connected FROM bot_channels c WHERE ${MEANT}),
  marked AS (${MARKED}),
  noticed AS (
    SELECT m.account_id, m.bot_id, m.channel, 'NOTICE' AS code FROM meant m JOIN marked k ON k.account_id = m.account_id
     WHERE m.connected),
  told AS (${appendTroubles('noticed', `'The provider reports: ' || :reason::text || '.'`)})
  ${OUTCOME}`,
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

  async ownersOf(meant: NumbersMeant): Promise<ReportedOwner[]> {
    return this.database.run(OWNERS, { ...meant });
  }

  /** Whose bots lack a template of the provider; or all of them, where `any`. */
  async lacking(
    meant: NumbersMeant,
    template: { any: boolean; providerId: string; name: string; language: string | null },
  ): Promise<ChannelOfBot[]> {
    const { any, providerId, name, language } = template;
    return this.database.run(LACKING, { ...meant, any, providerId, name, language });
  }

  /** The provider accepts nothing from these numbers any more, or until a time. */
  async stop(
    meant: NumbersMeant,
    { at, mark }: ReportOfNumbers,
    { reason, until }: { reason: string; until: Date | null },
  ): Promise<ReportOutcome> {
    return outcomeOf(await this.database.run(STOP, { ...meant, at, mark, reason, until }));
  }

  /** The provider accepts messages from them again. */
  async resume(meant: NumbersMeant, { at, mark }: ReportOfNumbers): Promise<ReportOutcome> {
    return outcomeOf(await this.database.run(RESUME, { ...meant, at, mark }));
  }

  /** The provider tells of them what changes nothing here. */
  async tell(meant: NumbersMeant, { mark }: ReportOfNumbers, reason: string): Promise<ReportOutcome> {
    return outcomeOf(await this.database.run(TELL, { ...meant, mark, reason }));
  }
}

const outcomeOf = ([row]: readonly ReportOutcome[]): ReportOutcome => row ?? { meant: 0, told: 0 };
