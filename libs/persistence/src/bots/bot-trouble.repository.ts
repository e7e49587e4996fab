import type { Channel, TroubleCode } from '@app/contracts/message.words';
import { Injectable } from '@nestjs/common';
import { appendAccountEvents, tellBoardsOfNumbers } from '../events/event.statements';
import { WorkDatabase } from '../database/database.service';
import type { CamelCased } from '../database/row-types';
import { statement } from '../database/sql.statements';
import { type BotChannelEntity, isStopped } from './bot.entity';

/** The columns of a number that is in no trouble. */
export const NO_TROUBLE = { trouble_code: null, trouble_at: null } satisfies Partial<BotChannelEntity>;

/** The same for a statement. */
const ENDS_TROUBLE = Object.keys(NO_TROUBLE)
  .map((column) => `${column} = NULL`)
  .join(', ');

/**
 * Tells of numbers that are in trouble, or no longer.
 * @param numbers rows with account_id, bot_id, channel and code
 * @param message an expression over `n`: what to do about it; null: it is over
 */
export const appendTroubles = (numbers: string, message: string | null): string =>
  appendAccountEvents(
    `(SELECT n.account_id, o.assistant_id, jsonb_build_object(
               'bot_id', n.bot_id, 'channel', n.channel, 'code', n.code, 'message', ${message ?? 'NULL'},
               'resolved', ${String(message === null)}) AS body
        FROM ${numbers} n JOIN bots o ON o.account_id = n.account_id AND o.id = n.bot_id)`,
    `'bot_trouble'`,
  );

/** A number: a bot's on a channel. */
export type NumberKey = CamelCased<Pick<BotChannelEntity, 'account_id' | 'bot_id' | 'channel'>>;

const IS_IT = 'b.account_id = :accountId AND b.bot_id = :botId AND b.channel = :channel';

/** Whether the number was in none before. */
const BEGIN = statement('bot-trouble-begin').takes('accountId', 'botId', 'channel', 'code', 'message')
  .returns<{ begun: number }>(`
  WITH locked AS MATERIALIZED (
    SELECT b.account_id, b.bot_id, b.channel FROM bot_channels b
     WHERE ${IS_IT} AND b.credential IS NOT NULL AND b.trouble_code IS NULL FOR NO KEY UPDATE),
  clock AS MATERIALIZED (SELECT l.*, clock_timestamp() AS at FROM locked l),
  begun AS (
    UPDATE bot_channels b SET trouble_code = :code, trouble_at = c.at FROM clock c
     WHERE ${IS_IT} AND b.bot_id = c.bot_id
    RETURNING b.account_id, b.bot_id, b.channel, b.trouble_code AS code),
  told AS (${appendTroubles('begun', ':message::text')})
  SELECT count(*)::int AS begun FROM told`);

/** @param heard what else hears of the numbers `ended` */
const ended = (which: string, heard = ''): string => `
  WITH held AS MATERIALIZED (
    SELECT b.account_id, b.bot_id, b.channel, b.trouble_code AS code FROM bot_channels b
     WHERE b.trouble_code IS NOT NULL AND ${which}
     ORDER BY b.account_id, b.bot_id, b.channel FOR NO KEY UPDATE SKIP LOCKED),
  ended AS (
    UPDATE bot_channels b SET ${ENDS_TROUBLE} FROM held h
     WHERE b.account_id = h.account_id AND b.bot_id = h.bot_id AND b.channel = h.channel
    RETURNING h.*),
  ${heard}told AS (${appendTroubles('ended', null)})
  SELECT count(*)::int AS ended FROM told`;

/** A message that the provider took after the trouble began has arrived. */
const END_BY_MESSAGE = statement('bot-trouble-end-by-message')
  .takes('accountId', 'botId', 'channel', 'messageId')
  .returns<{ ended: number }>(
    ended(`${IS_IT} AND NOT ${isStopped('b')} AND EXISTS (
       SELECT 1 FROM messages m WHERE m.account_id = :accountId AND m.id = :messageId AND m.accepted_at > b.trouble_at)`),
  );

const STOP_IS_OVER = `b.trouble_code = 'STOPPED' AND NOT ${isStopped('b')}`;

/** Of all accounts. */
const OVER_STOPS = statement('bot-trouble-over-stops').returns<NumberKey>(`
  SELECT b.account_id AS "accountId", b.bot_id AS "botId", b.channel FROM bot_channels b WHERE ${STOP_IS_OVER}`);

const END_OF_STOP = statement('bot-trouble-end-of-stop')
  .takes('accountId', 'botId', 'channel')
  .returns<{ ended: number }>(
    ended(`${IS_IT} AND ${STOP_IS_OVER}`, `heard AS (${tellBoardsOfNumbers('ended')}), `),
  );

const IN_TROUBLE = statement('bot-trouble-list').returns<NumberKey>(`
  SELECT account_id AS "accountId", bot_id AS "botId", channel FROM bot_channels WHERE trouble_code IS NOT NULL`);

/**
 * Numbers that send nothing until a person has seen to it. Each beginning and each end is told once, however many messages
 * and processes notice it. A number is in one trouble at a time: the one that began first, or that its provider closed it.
 */
@Injectable()
export class BotTroubleRepository {
  constructor(private readonly work: WorkDatabase) {}

  /**
   * Does nothing for a number that is in trouble already, or that a person has disconnected.
   * @returns whether it was told
   */
  async begin(number: NumberKey, code: TroubleCode, message: string): Promise<boolean> {
    const [row] = await this.work.run(BEGIN, { ...keyOf(number), code, message });
    return (row?.begun ?? 0) > 0;
  }

  /** @returns whether the trouble is over by that */
  async endByMessage(number: NumberKey, messageId: string): Promise<boolean> {
    const [row] = await this.work.run(END_BY_MESSAGE, { ...keyOf(number), messageId });
    return (row?.ended ?? 0) > 0;
  }

  /** Of numbers whose provider said until when they are closed. @returns how many */
  async endOfStops(): Promise<number> {
    let count = 0;
    for (const number of await this.work.run(OVER_STOPS)) {
      const [row] = await this.work.run(END_OF_STOP, keyOf(number));
      count += row?.ended ?? 0;
    }
    return count;
  }

  async inTrouble(): Promise<NumberKey[]> {
    return this.work.run(IN_TROUBLE);
  }
}

const keyOf = ({ accountId, botId, channel }: NumberKey): NumberKey => ({ accountId, botId, channel });

/** The number's bot on its channel, as a key. */
export const numberKeyOf = ({ botId, channel }: { botId: string; channel: Channel }): string =>
  `${botId} ${channel}`;
