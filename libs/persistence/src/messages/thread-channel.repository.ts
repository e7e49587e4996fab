import type { Channel } from '@app/contracts/message.words';
import { Injectable } from '@nestjs/common';
import { Database, type PreparedStatement } from '../database/database.service';
import type { Visibility } from '../leads/lead.repository';

/** By which number a dialog goes on. Neither ever changes. */
export interface ThreadChannel {
  bot_id: string;
  channel: Channel;
}

/** $1 account $2 thread $3 agents */
const FIND: PreparedStatement = {
  name: 'thread-channel-find',
  text: `SELECT bot_id, channel FROM threads WHERE account_id = $1 AND id = $2 AND assistant_id = ANY ($3::uuid[])`,
};

@Injectable()
export class ThreadChannelRepository {
  constructor(private readonly database: Database) {}

  /** @returns null when the caller sees no such dialog. */
  async find(of: Visibility, threadId: string): Promise<ThreadChannel | null> {
    const values = [of.accountId, threadId, of.assistantIds];
    const [row] = await this.database.runFor<ThreadChannel>(of.accountId, FIND, values);
    return row ?? null;
  }
}
