import { Injectable } from '@nestjs/common';
import { Database, type PreparedStatement } from '../database/database.service';

/** Whose a bot is. */
export interface BotOwner {
  accountId: string;
  assistantId: string;
  /** As we write it, in whatever case it was asked for. */
  botId: string;
}

const FIND: PreparedStatement = {
  name: 'bot-owner-find',
  text: `SELECT account_id AS "accountId", assistant_id AS "assistantId", id AS "botId" FROM bots
          WHERE id = $1 ORDER BY account_id <> $2 LIMIT 1`,
};

/** Bots across accounts: a bot that exists anywhere is told from one that does not, and webhooks name the bot alone. */
@Injectable()
export class BotOwnerRepository {
  constructor(private readonly database: Database) {}

  /**
   * @param accountId who asks, and whose bot is meant should two accounts have the same id.
   * @returns null when no account has such a bot.
   */
  async find(accountId: string, botId: string): Promise<BotOwner | null> {
    const [owner] = await this.database.runFor<BotOwner>(accountId, FIND, [botId, accountId]);
    return owner ?? null;
  }
}
