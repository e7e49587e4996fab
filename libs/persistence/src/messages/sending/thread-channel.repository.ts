import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.service';
import type { NotNull } from '../../database/row-types';
import { statement } from '../../database/sql.statements';
import type { Visibility } from '../../accounts/reach-scope';
import type { ThreadEntity } from '../../threads/thread.entity';
import { holderOfAddress } from '../incoming/address.statements';
import type { ReceivingNumber } from '../incoming/incoming.repository';
import type { MessageEntity } from '../dialog/message.entity';

/**
 * By which number a thread's messages go, which never changes, and to whom: the customer's phone, or else what the
 * provider knows them by.
 */
export type ThreadChannel = Pick<ThreadEntity, 'bot_id' | 'channel' | 'erased_at'> &
  NotNull<Pick<MessageEntity, 'recipient'>>;

const FIND = statement('thread-channel-find').takes('accountId', 'threadId', 'assistantIds')
  .returns<ThreadChannel>(`
  SELECT bot_id, channel, erased_at, coalesce(phone, user_id, contact) AS recipient FROM threads
   WHERE account_id = :accountId AND id = :threadId AND assistant_id = ANY (:assistantIds::uuid[])`);

/** A thread that a call names, with how its customer is addressed. */
export type AddressedThread = ThreadChannel & Pick<ThreadEntity, 'id' | 'contact'>;

const FIND_MANY = statement('thread-channel-find-many').takes('accountId', 'ids', 'assistantIds')
  .returns<AddressedThread>(`
  SELECT id, bot_id, channel, contact, erased_at, coalesce(phone, user_id, contact) AS recipient FROM threads
   WHERE account_id = :accountId AND id = ANY (:ids::uuid[]) AND assistant_id = ANY (:assistantIds::uuid[])`);

const OF_CONTACTS = statement('thread-channel-of-contacts').takes('accountId', 'botId', 'channel', 'contacts')
  .returns<Pick<ThreadEntity, 'id' | 'contact'>>(`
  SELECT c.contact, d.id FROM unnest(:contacts::text[]) c (contact)
   CROSS JOIN LATERAL (SELECT ${holderOfAddress(
     { account: ':accountId::uuid', bot: ':botId::uuid', channel: ':channel::text' },
     'c.contact',
   )} AS id) d WHERE d.id IS NOT NULL`);

@Injectable()
export class ThreadChannelRepository {
  constructor(private readonly database: Database) {}

  /** @returns null when the caller sees no such thread. */
  async find({ accountId, assistantIds }: Visibility, threadId: string): Promise<ThreadChannel | null> {
    const [row] = await this.database.runFor(accountId, FIND, { accountId, threadId, assistantIds });
    return row ?? null;
  }

  /** Those of the threads that the caller sees. */
  async findMany(
    { accountId, assistantIds }: Visibility,
    ids: readonly string[],
  ): Promise<AddressedThread[]> {
    return this.database.runFor(accountId, FIND_MANY, { accountId, ids, assistantIds });
  }

  /** The threads to which numbers lead. */
  async ofContacts(
    at: ReceivingNumber,
    contacts: readonly string[],
  ): Promise<Pick<ThreadEntity, 'id' | 'contact'>[]> {
    return this.database.runFor(at.accountId, OF_CONTACTS, { ...at, contacts });
  }
}
