import type { Channel } from '@app/contracts/message.words';
import { Injectable } from '@nestjs/common';
import { Database, type PreparedStatement } from '../database/database.service';
import { IS_CONNECTED, IS_STOPPED } from '../messages/channel-connection.repository';

/** A number of a bot as it may be shown: all but the credential. */
export interface BotChannelRow {
  channel: Channel;
  sender: string;
  settings: Record<string, string>;
  messages_per_second: number | null;
  connected: boolean;
  stopped_reason: string | null;
}

export interface BotRow {
  id: string;
  account_id: string;
  assistant_id: string;
  name: string;
  created_at: Date;
  channels: BotChannelRow[];
}

export interface BotChange {
  name?: string;
  assistantId?: string;
}

const COLUMNS = `b.id, b.account_id, b.assistant_id, b.name, b.created_at,
  coalesce((SELECT jsonb_agg(jsonb_build_object('channel', channel, 'sender', sender, 'settings', settings,
       'messages_per_second', messages_per_second, 'connected', ${IS_CONNECTED},
       'stopped_reason', CASE WHEN ${IS_STOPPED} THEN stopped_reason END) ORDER BY channel)
     FROM bot_channels WHERE account_id = b.account_id AND bot_id = b.id), '[]') AS channels`;

const LIST: PreparedStatement = {
  name: 'bot-list',
  text: `SELECT ${COLUMNS} FROM bots b WHERE ($1::uuid IS NULL OR b.account_id = $1) AND b.id > $2 ORDER BY b.id LIMIT $3`,
};
const FIND: PreparedStatement = {
  name: 'bot-find',
  text: `SELECT ${COLUMNS} FROM bots b WHERE b.id = $1 LIMIT 1`,
};
const CREATE: PreparedStatement = {
  name: 'bot-create',
  text: `WITH b AS (
           INSERT INTO bots (account_id, id, assistant_id, name)
           SELECT account_id, $2, id, $4 FROM assistants WHERE account_id = $1 AND id = $3
           RETURNING id, account_id, assistant_id, name, created_at)
         SELECT ${COLUMNS} FROM b`,
};
const CHANGE: PreparedStatement = {
  name: 'bot-change',
  text: `WITH b AS (
           UPDATE bots SET name = coalesce($3, name), assistant_id = coalesce($4::uuid, assistant_id)
            WHERE account_id = $1 AND id = $2
              AND ($4::uuid IS NULL OR EXISTS (SELECT FROM assistants WHERE account_id = $1 AND id = $4))
           RETURNING id, account_id, assistant_id, name, created_at)
         SELECT ${COLUMNS} FROM b`,
};

/** Bots as the installation's admin governs them: found across accounts, for a bot tells its account. */
@Injectable()
export class BotRepository {
  constructor(private readonly database: Database) {}

  /** In the order of their making; of one account when it is given. */
  async list(accountId: string | null, afterId: string, limit: number): Promise<BotRow[]> {
    return this.database.run<BotRow>(LIST, [accountId, afterId, limit]);
  }

  async find(id: string): Promise<BotRow | null> {
    const [bot] = await this.database.run<BotRow>(FIND, [id]);
    return bot ?? null;
  }

  /** @returns null when the account has no such agent. */
  async create(accountId: string, id: string, assistantId: string, name: string): Promise<BotRow | null> {
    const [bot] = await this.database.run<BotRow>(CREATE, [accountId, id, assistantId, name]);
    return bot ?? null;
  }

  /**
   * Changes what is given.
   * @returns null when the account has no such agent.
   */
  async change(accountId: string, id: string, change: BotChange): Promise<BotRow | null> {
    const values = [accountId, id, change.name ?? null, change.assistantId ?? null];
    const [bot] = await this.database.run<BotRow>(CHANGE, values);
    return bot ?? null;
  }
}
