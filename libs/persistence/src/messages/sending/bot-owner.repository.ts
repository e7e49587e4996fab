import { Injectable } from '@nestjs/common';
import type { BotEntity } from '../../bots/bot.entity';
import { Database } from '../../database/database.service';
import type { CamelCased, Prefixed } from '../../database/row-types';
import { statement } from '../../database/sql.statements';

/** The account of a bot, and the bot's id as it is stored, in whatever case it was asked for. */
export type BotOwner = CamelCased<
  Pick<BotEntity, 'account_id' | 'assistant_id'> & Prefixed<'bot_', Pick<BotEntity, 'id'>>
>;

const FIND = statement('bot-owner-find')
  .takes('botId', 'accountId')
  .returns<BotOwner>(
    `SELECT account_id AS "accountId", assistant_id AS "assistantId", id AS "botId" FROM bots
    WHERE id = :botId ORDER BY account_id <> :accountId LIMIT 1`,
  );

/**
 * Bots across accounts: the API tells a bot that exists anywhere from one that does not, and webhooks name only the
 * bot.
 */
@Injectable()
export class BotOwnerRepository {
  constructor(private readonly database: Database) {}

  /**
   * @param accountId the caller's account, which is meant if two accounts have the same id
   * @returns null when no account has such a bot.
   */
  async find(accountId: string, botId: string): Promise<BotOwner | null> {
    const [owner] = await this.database.runFor(accountId, FIND, { botId, accountId });
    return owner ?? null;
  }
}
