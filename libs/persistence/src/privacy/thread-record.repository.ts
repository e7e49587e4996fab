import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.service';
import { statement } from '../database/sql.statements';
import { CARD_COLUMNS, type CardRow } from '../threads/card-columns';
import type { ThreadAddressEntity, ThreadEntity } from '../threads/thread.entity';
import { mediaOf } from '../media/media.entity';
import type { MessageRow } from '../messages/dialog/message-columns';
import type { MessageEntity } from '../messages/dialog/message.entity';

/** A thread with all that names its customer. */
export type ThreadRecordRow = CardRow & {
  /** All by which the dialog is found. */
  addresses: ThreadAddressEntity['address'][];
  former_addresses: ThreadEntity['former_addresses'];
  /** The name that the customer has at the messenger. */
  profile_name: ThreadEntity['customer_name'];
};

const THREAD = statement('record-thread').takes('accountId', 'threadId').returns<ThreadRecordRow>(`
  SELECT ${CARD_COLUMNS}, ARRAY(
           SELECT k.address FROM thread_addresses k WHERE k.account_id = t.account_id AND k.thread_id = t.id ORDER BY k.address) AS addresses,
         t.former_addresses, t.customer_name AS profile_name
    FROM threads t LEFT JOIN statuses s ON s.account_id = t.account_id AND s.id = t.status_id
   WHERE t.account_id = :accountId AND t.id = :threadId`);

/** What a message has besides what lists show. */
export type MessageRecordRow = Pick<MessageEntity, 'id' | 'type' | 'content'> & Pick<MessageRow, 'media'>;

const CONTENTS = statement('record-contents').takes('accountId', 'ids').returns<MessageRecordRow>(`
  SELECT m.id, m.type, m.content, ${mediaOf('m')} AS media
    FROM messages m WHERE m.account_id = :accountId AND m.id = ANY (:ids::uuid[])`);

/** What is kept of one customer, beside what lists show. */
@Injectable()
export class ThreadRecordRepository {
  constructor(private readonly database: Database) {}

  async thread(accountId: string, threadId: string): Promise<ThreadRecordRow | null> {
    const [row] = await this.database.runFor(accountId, THREAD, { accountId, threadId });
    return row ?? null;
  }

  /** What messages have besides their text: a place, contacts, the parameters of a template, what was deleted, … */
  async contents(accountId: string, ids: readonly string[]): Promise<Map<string, MessageRecordRow>> {
    const rows = await this.database.runFor(accountId, CONTENTS, { accountId, ids });
    return new Map(rows.map((row) => [row.id, row]));
  }
}
