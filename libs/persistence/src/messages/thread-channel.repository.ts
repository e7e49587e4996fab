import type { Channel } from '@app/contracts/message.words';
import { Injectable } from '@nestjs/common';
import { Database, type PreparedStatement } from '../database/database.service';
import type { Visibility } from '../accounts/visibility.scope';

/** The number by which a dialog continues, which never changes, and the recipient. */
export interface ThreadChannel {
  bot_id: string;
  channel: Channel;
  /** The customer's phone, or else the provider's id of the customer. */
  recipient: string;
}

/** $1 account $2 thread $3 agents */
const FIND: PreparedStatement = {
  name: 'thread-channel-find',
  text: `SELECT bot_id, channel, coalesce(phone, user_id, contact) AS recipient FROM threads
          WHERE account_id = $1 AND id = $2 AND assistant_id = ANY ($3::uuid[])`,
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
