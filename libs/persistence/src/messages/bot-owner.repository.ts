import { Injectable } from '@nestjs/common';
import { Database, type PreparedStatement } from '../database/database.service';

/** The account of a bot. */
export interface BotOwner {
  accountId: string;
  assistantId: string;
  /** In our spelling, whatever letter case was asked for. */
  botId: string;
}

const FIND: PreparedStatement = {
  name: 'bot-owner-find',
  text: `SELECT account_id AS "accountId", assistant_id AS "assistantId", id AS "botId" FROM bots
          WHERE id = $1 ORDER BY account_id <> $2 LIMIT 1`,
};

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
    const [owner] = await this.database.runFor<BotOwner>(accountId, FIND, [botId, accountId]);
    return owner ?? null;
  }
}
